import { dom } from '../../../core/page.ts';
import type { ActivatePage, ResultOf } from '../../../core/page.ts';
import {
  MOST_QUERY,
  pageAsked,
  pageBring,
  pageChanged,
  pageEnd,
  pageSearch,
  pageShow,
  pageShown,
} from '../protocol.ts';
import type { Rect, StartKind } from '../protocol.ts';
import { Finder } from './finder.ts';
import { scrollTo } from './reveal.ts';
import { keep, press } from './take-over.ts';

const SHORTCUTS: Readonly<Record<string, StartKind>> = {
  'mod+f': 'new',
  'mod+g': 'next',
  'mod+shift+g': 'prev',
  f3: 'next',
  'shift+f3': 'prev',
};
/** Longest selection that a search begins with, in UTF-16 units. */
const MOST_SELECTED = 250;

/** Searches this frame's document for the host, and tells it of shortcuts of the search that the page leaves to the browser. */
export const activate: ActivatePage = ({ commands, kernel, onDispose }) => {
  let finder: Finder | undefined;
  let search = 0;
  /** The last report of shown matches. */
  let said = '';
  let isNews = false;

  const show = (): void => {
    isNews = true;
    kernel.schedule();
  };
  const tell = (): void => {
    if (!isNews || !finder) return;
    isNews = false;
    const { ends, active } = finder.shown();
    const { epoch, seq } = kernel.position();
    const saying = `${epoch} ${active.join()} ${ends.join()}`;
    if (saying === said) return;
    said = saying;
    commands.send(pageShown, { search, epoch, seq, ends: [...ends], active: [...active] });
  };
  const end = (): void => {
    finder?.dispose();
    finder = undefined;
    said = '';
  };

  kernel.onShortcut(Object.keys(SHORTCUTS), (shortcut) => {
    const kind = SHORTCUTS[shortcut];
    if (kind) commands.send(pageAsked, { kind, text: kind === 'new' ? selectedText() : '' });
  });
  kernel.onFlush(tell);
  kernel.onPoll(() => {
    if (finder) show(); // nodes may have been sent since, and the view be elsewhere
  });

  commands.handle(pageSearch, async ({ search: number, ...query }) => {
    search = number;
    finder ??= new Finder(kernel, ({ count, isCut }, active) => {
      commands.send(pageChanged, { search, count, isCut, active });
      show();
    });
    const found = await finder.find(query);
    show();
    return found;
  });
  commands.handle(pageShow, ({ search: of, index }): ResultOf<typeof pageShow> => {
    if (of !== search || !finder) return { rect: null };
    if (index < 0) finder.leave();
    const rect = index < 0 ? undefined : finder.show(index);
    show();
    return { rect: plain(rect) };
  });
  commands.handle(pageBring, ({ epoch, node, rect }): ResultOf<typeof pageBring> => {
    const owner = epoch === kernel.epoch ? kernel.nodeOf(node) : undefined;
    if (!owner || !dom.isElement(owner)) return { rect: null };
    const inside = (): Rect => {
      const box = dom.box(owner);
      const style = getComputedStyle(owner);
      const x = box.x + owner.clientLeft + (parseFloat(style.paddingLeft) || 0);
      const y = box.y + owner.clientTop + (parseFloat(style.paddingTop) || 0);
      return { ...rect, x: x + rect.x, y: y + rect.y };
    };
    return { rect: plain(scrollTo(owner, inside)) };
  });
  commands.handle(pageEnd, ({ reason }): ResultOf<typeof pageEnd> => {
    const ends = finder?.active();
    end();
    if (reason === 'clear' || !ends) return { isPressable: false };
    keep(ends);
    return { isPressable: reason === 'activate' && press(ends.start.source) };
  });
  onDispose(end);
};

function plain(rect: Rect | undefined): Rect | null {
  return rect ? { x: rect.x, y: rect.y, width: rect.width, height: rect.height } : null;
}

/** The person's selection, where it is short enough to be searched for. */
function selectedText(): string {
  const text = document.getSelection()?.toString().trim() ?? '';
  return text.length > MOST_SELECTED || text.includes('\n') ? '' : text.slice(0, MOST_QUERY);
}
