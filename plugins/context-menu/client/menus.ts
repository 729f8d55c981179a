import { hooksToken, menu, rendererToken, slot } from '../../../core/index.ts';
import type { AskMenuProps, ClientScope, ViewDocument } from '../../../core/index.ts';
import { MENU_MS } from '../limits.ts';
import { askMenu } from '../protocol.ts';
import type { Item, Offer } from '../protocol.ts';
import { carryOut, OWN_OFFER } from './carry-out.ts';
import type { Verdict } from './index.ts';
import { historyOf, menuItems } from './menu-items.ts';
import { makeNotices } from './notice.ts';
import { boxOfFocus, pointOf } from './place.ts';
import { textsOf } from './texts.ts';

/** The items that the client carries out by itself. */
const ALONE: readonly Item[] = ['back', 'forward', 'reload'];

const menuSlot = slot<AskMenuProps>('context-menu.menu', 'dialog');

type Place = AskMenuProps['at'];

/** Hears an event of the view. `isLate`: the page has got it before. */
type Hear<E> = (event: E, shown: ViewDocument, verdict: Verdict, isLate: boolean) => void;

/** The menus of a tab, at most one at a time. */
export interface Menus {
  /** The right button has gone down. */
  readonly mousedown: Hear<MouseEvent>;
  /** So has the key of menus. */
  readonly keydown: Hear<KeyboardEvent>;
  /** The browser would show its menu now. */
  readonly contextmenu: Hear<MouseEvent>;
  /** The page shows none of its own, and this is what there is to choose. */
  readonly offered: (offer: Offer) => void;
  /** A picture could not be saved. */
  readonly notSaved: () => Promise<void>;
}

/** Makes the menus. */
export function makeMenus(scope: ClientScope): Menus {
  const renderer = scope.services.get(rendererToken);
  const shown = showMenus(scope);
  const notices = makeNotices(scope);
  /** Time at which the host was asked for the menu that is about to be opened. */
  let askedAt = -Infinity;
  const ask = (frame: number, isLate: boolean, press?: Parameters<typeof renderer.hitTest>[0]): void => {
    askedAt = performance.now();
    const target = press && renderer.hitTest(press);
    const facts = { frame: target?.frame ?? frame, serial: shown.expect(), late: isLate };
    scope.commands.send(askMenu, { ...facts, ...(target && { press: target }) });
  };
  return {
    offered: shown.offered,
    notSaved: async () => (await notices).notSaved(),
    mousedown: (event, { frame }, verdict, isLate) => {
      askedAt = -Infinity;
      if (verdict === 'ours') ask(renderer.hitTest(event)?.frame ?? frame, isLate);
      else shown.forget(); // the menu of an earlier press may still be waited for
    },
    keydown: ({ repeat }, { frame, document }, verdict, isLate) => {
      if (repeat || verdict !== 'ours') return;
      ask(renderer.focused()?.frame ?? frame, isLate);
      shown.wanted(document, boxOfFocus(renderer));
    },
    contextmenu: (event, { frame, document }, verdict) => {
      if (verdict === 'blocked') void notices.then(({ blocked }) => blocked());
      if (verdict === 'alone') shown.alone(document, pointOf(document, event));
      if (verdict !== 'ours') return;
      // The event of a menu by the key may never come.
      if (performance.now() - askedAt > MENU_MS) ask(frame, false, event);
      askedAt = -Infinity;
      shown.wanted(document, pointOf(document, event));
    },
  };
}

interface ShownMenus {
  /** All that was wanted and offered before is over. */
  forget(): void;
  /** The same, and another offer is asked for: returns its number. */
  expect(): number;
  /** A menu is wanted for a document, at a place. */
  wanted(document: Document, at: Place): void;
  /** The page shows none of its own, and this is what there is to choose. */
  offered(offer: Offer): void;
  /** A menu is wanted for a document, at a place, and there is no host to offer one. */
  alone(document: Document, at: Place): void;
}

/** Shows each menu once it is wanted and offered, in any order. */
function showMenus(scope: ClientScope): ShownMenus {
  const { services, slots, hooks } = scope;
  let place: { readonly document: Document; readonly at: Place } | undefined;
  let offer: Offer | undefined;
  /** Number of the offer that is asked for: one of an earlier press shows no menu at the place of a later one. */
  let serial = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let showing = new AbortController();
  const unwant = (): void => {
    clearTimeout(timer);
    place = undefined;
  };
  const meet = async (): Promise<void> => {
    if (!place || !offer) return;
    const [{ document, at }, found] = [place, offer];
    unwant();
    offer = undefined;
    showing.abort();
    const { signal } = (showing = new AbortController());
    const texts = await textsOf(scope);
    // A dialog has come meanwhile: the menu would wait for its answer.
    if (signal.aborted || services.get(rendererToken).view.closest('[inert]')) return;
    const items = menuItems(found, texts, historyOf(window));
    const label = texts.text('context-menu.label');
    const chosen = await slots.ask(menuSlot, menu, { label, items, at }, signal);
    if (chosen !== undefined) await carryOut(scope, document, found, chosen as Item); // an id of these items
  };
  hooks.tap(services.get(hooksToken).pageChanged, () => showing.abort());
  const forget = (): void => {
    unwant();
    offer = undefined;
    showing.abort();
  };
  const wanted: ShownMenus['wanted'] = (document, at) => {
    unwant();
    place = { document, at };
    timer = setTimeout(unwant, MENU_MS);
    void meet();
  };
  return {
    forget,
    expect: () => {
      forget();
      return (serial += 1);
    },
    wanted,
    alone: (document, at) => {
      offer = { id: OWN_OFFER, serial, items: [...ALONE], disabled: [], link: '', picture: '' };
      wanted(document, at);
    },
    offered: (given) => {
      if (given.serial !== serial) return;
      offer = given;
      void meet();
    },
  };
}
