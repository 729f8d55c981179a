import type { ActivatePage } from '../../../core/page.ts';
import { printAsked, printBegun, printOver } from '../protocol.ts';

/**
 * Reports print requests of the page, and of the person when the page does not handle the key. A print may make several PDFs, but the page
 * must see only one: `beforeprint` before the first, `afterprint` at the end.
 */
export const activate: ActivatePage = ({ commands, kernel, main, onDispose }) => {
  let isPrinting = false;
  /** The page has received `beforeprint`, but not `afterprint`. */
  let isOwed = false;
  /** The host has been asked, and has not answered yet. */
  let isAsked = false;

  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    commands.send(printAsked, undefined);
  };
  const over = (): void => {
    isPrinting = isAsked = false;
    if (!isOwed) return;
    isOwed = false;
    window.dispatchEvent(new Event('afterprint'));
  };
  const before = (event: Event): void => {
    if (!event.isTrusted) return;
    if (!isPrinting) ask(); // not through `print()`: execCommand
    if (isOwed) event.stopImmediatePropagation();
    isOwed = true;
  };
  const after = (event: Event): void => {
    if (isPrinting && event.isTrusted) event.stopImmediatePropagation();
  };

  // Registered before the page's own.
  window.addEventListener('beforeprint', before, true);
  window.addEventListener('afterprint', after, true);
  onDispose(() => {
    window.removeEventListener('beforeprint', before, true);
    window.removeEventListener('afterprint', after, true);
  });

  kernel.onShortcut(['mod+p'], (_shortcut, isRepeat) => {
    if (!isRepeat) ask();
  });
  main.on('print', () => {
    if (isAsked) return;
    if (!isOwed) {
      isOwed = true;
      window.dispatchEvent(new Event('beforeprint'));
    }
    ask();
  });
  commands.handle(printBegun, () => {
    isPrinting = true;
    return undefined;
  });
  commands.handle(printOver, over);
};
