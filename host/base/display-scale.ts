/** Largest scale of a surrogate's display: beyond it, pages are only drawn larger. */
export const MAX_DISPLAY_SCALE = 5;

/**
 * Device pixels per CSS pixel of the display that a surrogate is started with, for the ratio of a person's screen (S-042). Chromium rounds lines
 * and positions to pixels of its display, and hints no text on one with more than one for each CSS pixel; a ratio that is only emulated changes
 * neither. A display has at least one.
 */
export function displayScale(ratio: number): number {
  return Math.min(MAX_DISPLAY_SCALE, Math.max(1, ratio));
}
