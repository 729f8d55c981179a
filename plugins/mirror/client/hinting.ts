/** Last ratio for which it was measured, and the result. */
let measured: { readonly ratio: number; readonly isUnhinted: boolean } | undefined;

/**
 * Whether this browser draws installed fonts without hinting, and faces of style sheets perhaps not: Chromium on Linux does so on screens
 * with more device pixels, but not where the page is only zoomed. A ratio alone does not say which of the two it is.
 */
function isUnhinted(ratio: number): boolean {
  if (measured?.ratio !== ratio)
    measured = { ratio, isUnhinted: ratio > 1 && drawn('auto') === drawn('geometricPrecision') };
  return measured.isUnhinted;
}

/** Pixels of a sample in an installed font; at this size and position hinting changes strokes, heights and distances. */
function drawn(textRendering: CanvasTextRendering): string {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return '';
  context.font = '16px sans-serif';
  context.textRendering = textRendering;
  context.fillText('Hamburgefonstiv illl', 3.3, 28.7);
  return canvas.toDataURL();
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
