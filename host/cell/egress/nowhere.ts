/** Answered by the egress itself, with 204: a navigation to it starts and changes nothing. No site gets a request. */
export const NOWHERE = 'http://nowhere.vitrine.invalid/';
