/** Where a client posts pieces of bodies: upwards a channel carries JSON only (M-075). */
export const UP_PATH = '/c/up';

/** Pieces of one such request, in bytes; a first one may be larger. */
export const MAX_POSTED_BYTES = 512 * 1024;
