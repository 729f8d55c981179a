import { hooksToken, menu, rendererToken, slot } from '../../../core/index.ts';
import type { AskMenuProps, ClientScope } from '../../../core/index.ts';
import { MENU_MS } from '../protocol.ts';
import type { Item, Offer } from '../protocol.ts';
import { carryOut } from './carry-out.ts';
import { historyOf, menuItems } from './menu-items.ts';
import { boxOfFocus, pointOf } from './place.ts';
import { textsOf } from './texts.ts';

const menuSlot = slot<AskMenuProps>('context-menu.menu', 'dialog');

type Place = AskMenuProps['at'];

/** The menus of a tab, at most one at a time. */
export interface Menus {
  /** The person has pressed for a menu: whatever was offered before is over. */
  pressed(): void;
  /** The browser would show its menu for a document now. */
  wanted(document: Document, event: MouseEvent): void;
  wantedByKey(document: Document): void;
  /** The page shows none, and this is what there is to choose. */
  offered(offer: Offer): void;
}

/** Makes the menus: each is shown once it is wanted and offered, in any order. */
export function makeMenus(scope: ClientScope): Menus {
  const { services, slots, hooks } = scope;
  let place: { readonly document: Document; readonly at: Place } | undefined;
  let offer: Offer | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let showing = new AbortController();
  const forget = (): void => {
    clearTimeout(timer);
    place = undefined;
  };
  const meet = async (): Promise<void> => {
    if (!place || !offer) return;
    const [{ document, at }, { items, ...rest }] = [place, offer];
    forget();
    offer = undefined;
    showing.abort();
    const { signal } = (showing = new AbortController());
    const texts = await textsOf(scope);
    const shown = menuItems(items, texts, historyOf(window));
    const label = texts.text('context-menu.label');
    const chosen = await slots.ask(menuSlot, menu, { label, items: shown, at }, signal);
    if (chosen !== undefined) await carryOut(scope, document, { items, ...rest }, chosen as Item); // an id of these items
  };
  const want = (document: Document, at: Place): void => {
    forget();
    place = { document, at };
    timer = setTimeout(forget, MENU_MS);
    void meet();
  };
  hooks.tap(services.get(hooksToken).pageChanged, () => showing.abort());
  return {
    pressed: () => {
      forget();
      offer = undefined;
      showing.abort();
    },
    wanted: (document, event) => want(document, pointOf(document, event)),
    wantedByKey: (document) => want(document, boxOfFocus(services.get(rendererToken))),
    offered: (given) => {
      offer = given;
      void meet();
    },
  };
}
