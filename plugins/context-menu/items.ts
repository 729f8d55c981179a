import type { Found, Item, Offer } from './protocol.ts';

/** Permissions of the person, and what the host can do. */
interface May {
  readonly copy: boolean;
  readonly paste: boolean;
  /** Open links in tabs and windows. */
  readonly open: boolean;
  readonly save: boolean;
}

/** Items of the menu of a text field. */
const FIELD: readonly Item[] = ['undo', 'redo', 'cut', 'copy', 'paste', 'select-all'];

/** Whether an address is one of the web. */
export const isWeb = (address: string): boolean => /^https?:/.test(address);

/** Items of the menu for what is under the pointer (S-020 to S-022), and those that do not apply (S-023). */
export function itemsOf(found: Found, may: May): Pick<Offer, 'items' | 'disabled'> {
  const { link, picture, editable, selection } = found;
  const items: Item[] = [
    ...(editable ? FIELD : []),
    ...(picture === undefined ? [] : (['picture-window', 'picture-copy', 'picture-save'] as const)),
    ...(link === undefined ? [] : (['link-tab', 'link-window', 'link-copy'] as const)),
    ...(selection && !editable ? (['copy'] as const) : []),
  ];
  if (items.length === 0) items.push('back', 'forward', 'reload', 'select-all');
  return { items, disabled: items.filter((item) => !applies(item, found, may)) };
}

function applies(item: Item, { link = '', picture = '', edits }: Found, may: May): boolean {
  switch (item) {
    case 'picture-window':
      return isWeb(picture) && may.open;
    case 'picture-copy':
      return isWeb(picture) && may.copy;
    case 'picture-save':
      return isWeb(picture) && may.save;
    case 'link-tab':
    case 'link-window':
      return isWeb(link) && may.open;
    case 'link-copy':
      return link !== '' && may.copy;
    case 'back':
    case 'forward':
    case 'reload':
      return true; // the client knows
    case 'cut':
    case 'copy':
      return edits.includes(item) && may.copy;
    case 'paste':
      return edits.includes(item) && may.paste;
    default:
      return edits.includes(item);
  }
}
