/** Framing of the shell: as top window, in a frame of this origin, or of another. */
export const FRAMING = { none: 0, same: 1, other: 2 } as const;

/** The current framing of the shell: a value of {@link FRAMING}. */
export function framingStatus(window: Window): number {
  if (window.top === window) return FRAMING.none;
  try {
    return window.top?.location.origin === window.location.origin ? FRAMING.same : FRAMING.other;
  } catch {
    return FRAMING.other; // a document of another origin is not accessible
  }
}
