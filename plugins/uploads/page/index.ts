import type { ActivatePage, ResultOf } from '../../../core/page.ts';
import { pageTakes } from '../protocol.ts';

/** Tells the host whether the page takes what is dragged over it. */
export const activate: ActivatePage = ({ commands, kernel }) => {
  let last: { readonly event: DragEvent; readonly at: EventTarget | undefined } | undefined;
  kernel.listen('dragover', (event) => {
    const [at] = event.composedPath(); // empty once it has been dispatched
    if (event.isTrusted) last = { event: event as DragEvent, at }; // by its type
  });
  // Asked once the page's own listeners have run.
  commands.handle(pageTakes, (): ResultOf<typeof pageTakes> => {
    const over = last;
    last = undefined;
    if (!over) return { isTaken: false };
    const { event, at } = over;
    return { isTaken: event.defaultPrevented ? event.dataTransfer?.dropEffect !== 'none' : takesFiles(at) };
  });
};

/** Whether it is an element for files, which takes them where the page leaves the event alone. */
function takesFiles(at: EventTarget | undefined): boolean {
  return at instanceof HTMLInputElement && at.type === 'file' && !at.matches(':disabled');
}
