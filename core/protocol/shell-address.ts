/** Parameter of a shell's address, never sent to the site: 1 where the person wants the page isolated regardless of the policy. */
export const FORCE_ISOLATE = '_sv_force_isolate';

/** Parameter of a shell's address, never sent to the site: the token of a tab that another one has opened (S-085, S-096). */
export const OPENED_BY = '_sv_p_id';

/** Path of the shell of a page without an address (M-011). */
export const BLANK_PAGE = '__blank';

/** Short-lived cookie: a paired tab is navigating, possibly to the shell that is being requested. */
export const LEAVING_COOKIE = 'vitrine_leaving';
/**
 * Attributes of that cookie: it expires soon, because the host's response ends the document that set it. The navigation may lead to another
 * site.
 */
export const LEAVING_TERMS = 'max-age=2; SameSite=Lax';
