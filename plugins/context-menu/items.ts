import { EDITS } from './protocol.ts';
import type { EditItem, Found, Item, Offer } from './protocol.ts';

/** Permissions of the person, and what the host can do. */
export interface May {
  readonly copy: boolean;
  readonly paste: boolean;
  /** Open links in tabs and windows. */
  readonly open: boolean;
  readonly save: boolean;
}

type Items = Offer['items'];

/** Whether an address is one of the web. */
export const isWeb = (address: string): boolean => /^https?:/.test(address);

/** Items of the menu for what is under the pointer (S-020 to S-022), with those disabled that do not apply (S-023). */
export function itemsOf(found: Found, may: May): Items {
  const { link, picture, editable, selection } = found;
  const edits = new Set<EditItem>(found.edits);
  if (!may.copy) for (const edit of ['copy', 'cut'] as const) edits.delete(edit);
  if (!may.paste) edits.delete('paste');
  const each = <I extends Item>(items: readonly I[], isEnabled: (item: I) => boolean): Items =>
    items.map((item) => ({ item, disabled: !isEnabled(item) }));
  const ofEdits = (items: readonly EditItem[]): Items => each(items, (item) => edits.has(item));
  const items = [
    ...(editable ? ofEdits(EDITS) : []),
    ...(picture === undefined
      ? []
      : each(
          ['picture-window', 'picture-copy', 'picture-save'],
          (item) =>
            isWeb(picture) && { 'picture-window': may.open, 'picture-copy': may.copy, 'picture-save': may.save }[item],
        )),
    ...(link === undefined
      ? []
      : each(['link-tab', 'link-window', 'link-copy'], (item) =>
          item === 'link-copy' ? link !== '' && may.copy : isWeb(link) && may.open,
        )),
    ...(selection && !editable ? ofEdits(['copy']) : []),
  ];
  if (items.length > 0) return items;
  return [...each(['back', 'forward', 'reload'], () => true), ...ofEdits(['select-all'])];
}
