/** Answered by the egress itself, with 204: a navigation that goes there begins, and comes to nothing. No site is asked for anything. */
export const NOWHERE = 'http://nowhere.vitrine.invalid/';
