import type { AskMenuProps, Texts } from '../../../core/index.ts';
import type { Item, Offer } from '../protocol.ts';

/** Letters of the keys that do the same as an item (S-024). */
const LETTERS: Readonly<Partial<Record<Item, string>>> = {
  undo: 'Z',
  redo: 'Shift+Z',
  cut: 'X',
  copy: 'C',
  paste: 'V',
  'select-all': 'A',
};

/** Groups of items: a line is drawn between two. */
const GROUPS: Readonly<Partial<Record<Item, string>>> = {
  undo: 'history of edits',
  redo: 'history of edits',
  back: 'history',
  forward: 'history',
  reload: 'history',
  'link-tab': 'link',
  'link-window': 'link',
  'link-copy': 'link',
  'picture-window': 'picture',
  'picture-copy': 'picture',
  'picture-save': 'picture',
};

/** Directions in which the person's history goes on from here. */
interface History {
  readonly back: boolean;
  readonly forward: boolean;
}

/** The items of an offer as the kit shows them. */
export function menuItems(
  { items, disabled }: Pick<Offer, 'items' | 'disabled'>,
  texts: Pick<Texts, 'text'>,
  history: History,
  platform = navigator.platform,
): AskMenuProps['items'] {
  const isMac = /mac|iphone|ipad/i.test(platform);
  return items.map((item, index) => {
    const letter = LETTERS[item];
    const before = items[index - 1];
    const goesNowhere = (item === 'back' || item === 'forward') && !history[item];
    return {
      id: item,
      label: texts.text(`context-menu.${item}`),
      disabled: disabled.includes(item) || goesNowhere || undefined,
      begins: (before && GROUPS[before] !== GROUPS[item]) || undefined,
      ...(letter !== undefined && { keys: `${isMac ? 'Meta' : 'Control'}+${letter}` }),
    };
  });
}

/** As much of the browser's navigation as is used here; not all browsers have it. */
interface Navigation {
  readonly canGoBack: boolean;
  readonly canGoForward: boolean;
  entries(): readonly unknown[];
}

/** Tells the directions of the window's history. The browser says nothing about entries of other sites before this one. */
export function historyOf({
  history,
  navigation,
}: { readonly history: { readonly length: number } } & { readonly navigation?: Navigation }): History {
  if (!navigation) return { back: history.length > 1, forward: history.length > 1 };
  const hasOthers = history.length > navigation.entries().length;
  return { back: navigation.canGoBack || hasOthers, forward: navigation.canGoForward };
}
