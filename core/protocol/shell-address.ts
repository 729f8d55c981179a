/** Parameter of a shell's address, never told to the site: its value is 1 where the person wants the page isolated whatever the policy says. */
export const FORCE_ISOLATE = '_sv_force_isolate';

/** Cookie that says, for the moment it takes, that a paired tab is going somewhere: perhaps to the shell that is being asked for. */
export const LEAVING_COOKIE = 'vitrine_leaving';
/** How long it says so: the host's answer is what ends the document that has set it. Another site may be what takes the tab there. */
export const LEAVING_TERMS = 'max-age=2; SameSite=Lax';
