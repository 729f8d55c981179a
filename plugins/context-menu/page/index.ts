import type { ActivatePage } from '../../../core/page.ts';
import { MENU_MS } from '../limits.ts';
import { menuFound } from '../protocol.ts';
import { factsAt } from './facts.ts';

/** Reports what is under the pointer where the page shows no menu of its own. */
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
      if (heard !== now) return; // another press has come
      heard = undefined;
      const age = Math.max(0, performance.now() - event.timeStamp);
      if (event.defaultPrevented || age > MENU_MS) return;
      commands.send(menuFound, { ...factsAt(now.path), age });
    });
  };
  onDispose(kernel.listen('contextmenu', hear));
};
