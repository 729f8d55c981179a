/** Type of a body that is a line of JSON, then text of any length that is not parsed. */
export const JSON_TEXT = 'application/vnd.vitrine.json-text';
