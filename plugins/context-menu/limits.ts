/** Longest address of a link or a picture, in UTF-16 units; a longer one cannot be used. */
export const MAX_ADDRESS = 4000;
/** Time after a press in which the page has to say what is under the pointer, in ms: a menu that comes later surprises. */
export const MENU_MS = 1500;
/** Largest file of a picture that is saved, in bytes. */
export const MAX_PICTURE_BYTES = 32 * 1024 * 1024;
