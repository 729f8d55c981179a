import type { ActivatePage, ResultOf } from '../../../core/page.ts';
import { pageTakes } from '../protocol.ts';

/** Tells the host whether the page takes what is dragged over it. */
export const activate: ActivatePage = ({ commands, kernel }) => {
  let last: DragEvent | undefined;
  kernel.listen('dragover', (event) => {
    if (event.isTrusted) last = event as DragEvent; // by its type
  });
  // Asked once the page's own listeners have run.
  commands.handle(pageTakes, (): ResultOf<typeof pageTakes> => {
    const event = last;
    last = undefined;
    return { isTaken: event?.defaultPrevented === true && event.dataTransfer?.dropEffect !== 'none' };
  });
};
