import type { Renderer } from '../contracts/renderer.ts';

/** Reloads on the next press of a key or button, wherever it comes (S-076). */
export function reloadOnInput(window: Window, renderer: Renderer | undefined, reload: () => void): void {
  const abort = new AbortController();
  const listen = (document: Document): (() => void) => {
    for (const type of ['keydown', 'pointerdown']) {
      document.addEventListener(
        type,
        () => {
          abort.abort();
          reload();
        },
        { capture: true, signal: abort.signal },
      );
    }
    return () => undefined;
  };
  listen(window.document);
  renderer?.documents(({ document }) => listen(document));
}
