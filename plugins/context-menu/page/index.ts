import type { ActivatePage } from '../../../core/page.ts';
import { MENU_MS } from '../limits.ts';
import { menuFound, savePicture } from '../protocol.ts';
import { factsAt } from './facts.ts';

/** Time for which the address of a picture that is saved is kept, in ms: Chromium has begun to read it by then. */
const SAVE_MS = 60_000;

/** Reports what is under the pointer where the page shows no menu of its own, and downloads pictures. */
export const activate: ActivatePage = ({ commands, kernel, onDispose }) => {
  let heard: { readonly event: Event; path: readonly EventTarget[] } | undefined;
  const hear = (event: Event): void => {
    if (!event.isTrusted) return;
    const path = event.composedPath();
    if (heard?.event === event) {
      // Closed shadow roots are in the path of the listeners inside of them alone.
      if (path.length > heard.path.length) heard.path = path;
      return;
    }
    const now = (heard = { event, path });
    // A task of its own: all listeners of the page have run by then.
    setTimeout(() => {
      if (heard === now) heard = undefined;
      if (event.defaultPrevented || performance.now() - event.timeStamp > MENU_MS) return;
      commands.send(menuFound, factsAt(now.path));
    });
  };
  onDispose(kernel.listen('contextmenu', hear));
  commands.handle(savePicture, ({ name }, bytes) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([new Uint8Array(bytes)]));
    link.download = name;
    HTMLElement.prototype.click.call(link);
    setTimeout(() => URL.revokeObjectURL(link.href), SAVE_MS);
    return undefined;
  });
};
