/** The host's reason for the end of a tab whose page has closed its own window, or was closed by its opener. */
export const CLOSED_BY_PAGE = 'closed by its page';
