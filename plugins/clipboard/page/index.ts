import { dom, focusedElement } from '../../../core/page.ts';
import type { ActivatePage } from '../../../core/page.ts';
import { askFocus, changed, guard, held } from '../protocol.ts';

/** Time after which data that the page writes is in the clipboard, in ms; where Chromium reports the write, there is no delay. */
const WRITTEN_MS = 20;
/** Elements that show frames. */
const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe']);

/**
 * Tells when the page has copied something: by a copy or cut, whoever caused it, or by `navigator.clipboard`, which only secure pages
 * have. Keeps from the page what the host does not let it do, whoever sends it the key for it.
 */
export const activate: ActivatePage = ({ commands, kernel, signal }) => {
  let may = { copy: true, paste: true };
  const { clipboard } = navigator as Partial<Navigator>; // pages that are not secure have none
  const tell = (sure: boolean, here: boolean): void => commands.send(changed, { sure, here });
  const on = (type: 'copy' | 'cut' | 'paste', listener: (event: ClipboardEvent) => void): void => {
    // Before any listener of the page: this one is there first.
    window.addEventListener(type, listener, { capture: true, signal });
  };
  const keep = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const copies = (event: ClipboardEvent): void => {
    if (!event.isTrusted) return; // a page that talks to itself
    if (may.copy) {
      // Where Chromium tells of what is written, it does so for this as well.
      const isSure = !clipboard && getSelection()?.type === 'Range';
      setTimeout(() => tell(isSure && !event.defaultPrevented, true), WRITTEN_MS);
    } else {
      keep(event);
      commands.send(held, undefined);
    }
  };
  on('copy', copies);
  on('cut', copies);
  on('paste', (event) => {
    if (event.isTrusted && !may.paste) keep(event);
  });
  clipboard?.addEventListener('clipboardchange', () => tell(true, false), { signal });
  commands.handle(guard, (permitted) => {
    may = permitted;
    return undefined;
  });
  commands.handle(askFocus, () => {
    const focused = focusedElement(kernel);
    return document.hasFocus() && !(focused && FRAMES.has(dom.localName(focused)));
  });
};
