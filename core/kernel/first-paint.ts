/** Longest wait for the first paint, in ms: a document that shows nothing is never painted. */
const MAX_PAINT_MS = 1000;

let painted: Promise<void> | undefined;

/**
 * Resolves once the document has been painted, or after {@link MAX_PAINT_MS}, which is waited for once. Chromium ignores presses before, and
 * finds no frame of another site under them; the mirrored page may be seen sooner.
 */
export function firstPaint(): Promise<void> {
  return (painted ??= new Promise((resolve) => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
    setTimeout(resolve, MAX_PAINT_MS);
  }));
}
