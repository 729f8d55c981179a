import type { Renderer } from '../../contracts/renderer.ts';

/** Asked before a shell that shows something is given up for a reload: a host that is away would leave the browser's own error page. */
const REACH_PATH = '/healthz';

/** What becomes of a detached tab. */
interface DetachedOptions {
  readonly window: Window;
  readonly renderer: Renderer | undefined;
  readonly reload: () => void;
  /** The host cannot be reached: the next input tries again. */
  readonly onAway: () => void;
}

/** Reloads on the next press of a key or button, wherever it comes (S-076), once the host can be reached. */
export function reloadOnInput({ window, renderer, reload, onAway }: DetachedOptions): void {
  let isAsking = false;
  const onInput = (): void => {
    if (isAsking) return;
    isAsking = true;
    fetch(REACH_PATH, { cache: 'no-store' }).then(reload, () => {
      isAsking = false;
      onAway();
    });
  };
  const listen = (document: Document): (() => void) => {
    for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, onInput, { capture: true });
    return () => undefined; // they go with the shell
  };
  listen(window.document);
  renderer?.documents(({ document }) => listen(document));
}
