/** Last ratio for which it was measured, and the result. */
let measured: { readonly ratio: number; readonly isUnhinted: boolean } | undefined;

/**
 * Whether this browser draws installed fonts without hinting, and faces of style sheets perhaps not: Chromium on Linux does so where a ratio is
 * only emulated. Lengths are not rounded to its pixels then. On a screen that has the ratio, it treats both alike.
 */
function isUnhinted(ratio: number): boolean {
  if (measured?.ratio !== ratio) measured = { ratio, isUnhinted: ratio > 1 && thinnest() === '1px' };
  return measured.isUnhinted;
}

/** Width of the thinnest border: one pixel to which lengths are rounded. */
function thinnest(): string {
  const probe = document.createElement('hr');
  probe.style.border = '.1px solid';
  document.documentElement.append(probe);
  const { borderTopWidth } = getComputedStyle(probe);
  probe.remove();
  return borderTopWidth;
}

/** Calls `onChange` now, and whenever the window has come to a screen of another ratio or has been zoomed. */
export function watchHinting(onChange: (isUnhinted: boolean) => void, signal: AbortSignal): void {
  const look = (): void => {
    if (signal.aborted) return;
    const ratio = window.devicePixelRatio;
    onChange(isUnhinted(ratio));
    // Matches only the current ratio, so a new query is needed after each change.
    window.matchMedia(`(resolution:${ratio}dppx)`).addEventListener('change', look, { once: true, signal });
  };
  look();
}
