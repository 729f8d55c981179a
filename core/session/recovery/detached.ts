import type { Renderer } from '../../contracts/renderer.ts';

/** Checked before a shell with visible content is reloaded: while the host is down, the browser would show its own error page. */
const REACH_PATH = '/healthz';

/** Dependencies of a detached tab. */
interface DetachedOptions {
  readonly window: Window;
  readonly renderer: Renderer | undefined;
  readonly reload: () => void;
  /** The host is not reachable. The next input retries. */
  readonly onAway: () => void;
}

/** Reloads on the next press of a key or button, in any document (S-076), when the host is reachable. */
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
    return () => undefined; // they are removed with the shell
  };
  listen(window.document);
  renderer?.documents(({ document }) => listen(document));
}
