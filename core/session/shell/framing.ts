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

/** The value of the site capability `framing_restriction` that allows only one status of FRAMING (M-066). */
const ALLOWS_OTHER = 2;

/** Whether policy forbids the page in this kind of frame. Without a restriction it may be shown anywhere (M-066). */
export function isFramingForbidden(restriction: unknown, status: number): boolean {
  if (!restriction || status === FRAMING.none) return false;
  return !(restriction === ALLOWS_OTHER && status === FRAMING.other);
}
