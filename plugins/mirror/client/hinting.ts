/** Font size and position of the sample, in CSS px: with these, hinting changes strokes, heights and distances. */
const SIZE = 16;
const LEFT = 3.3;
const [WIDTH, HEIGHT] = [200, 32] as const;
const SAMPLE = 'Hamburgefonstiv illl';

/** Last ratio for which it was measured, and the result. */
let measured: { readonly ratio: number; readonly isUnhinted: boolean } | undefined;

/**
 * Whether this browser draws installed fonts without hinting, and faces of style sheets perhaps not: Chromium on Linux does so on screens
 * with more device pixels, but not where the page is only zoomed. A ratio alone does not say which of the two it is.
 */
function isUnhinted(): boolean {
  const ratio = window.devicePixelRatio;
  if (measured?.ratio !== ratio)
    measured = { ratio, isUnhinted: ratio > 1 && drawn('auto') === drawn('geometricPrecision') };
  return measured.isUnhinted;
}

/** Pixels of the sample in an installed font. */
function drawn(textRendering: CanvasTextRendering): string {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return '';
  context.font = `${SIZE}px sans-serif`;
  context.textRendering = textRendering;
  context.fillText(SAMPLE, LEFT, HEIGHT - LEFT);
  return context.getImageData(0, 0, WIDTH, HEIGHT).data.join();
}

/** Calls `onChange` now, and whenever the window has come to a screen of another ratio or has been zoomed. */
export function watchHinting(onChange: (isUnhinted: boolean) => void, signal: AbortSignal): void {
  const look = (): void => {
    if (signal.aborted) return;
    onChange(isUnhinted());
    // Matches only the current ratio, so a new query is needed after each change.
    const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
    query.addEventListener('change', look, { once: true, signal });
  };
  look();
}
