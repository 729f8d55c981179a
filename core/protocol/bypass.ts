/** Name of the cookie that carries a bypass token and its domain (M-027). */
export const BYPASS_COOKIE = '_sc_bypass';
/** Time for which a person may visit a site without isolation, in ms: that of the token, and of its cookie (M-027). */
export const BYPASS_MS = 20 * 60_000;
