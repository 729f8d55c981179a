import { copyPasteToken, frameAddresses, personDownloadsToken, personLinksToken } from '../../../host/plugin.ts';
import type { ActivateHost, Frame, HostScope } from '../../../host/plugin.ts';
import { isWeb, itemsOf } from '../items.ts';
import { MENU_MS } from '../limits.ts';
import type { manifest } from '../manifest.ts';
import { askMenu, chosen, menuFound, menuOffered } from '../protocol.ts';
import type { Found, Item } from '../protocol.ts';
import { cleaned } from './cleaned.ts';
import { isPressed, pressKeys, pressRight } from './press.ts';
import { save } from './save.ts';

const MAIN_FRAME = 1;
/** Precision of the clocks of pages, in ms. */
const CLOCK_MS = 5;

/** A menu that the person has asked for. */
interface Asked {
  readonly frame: number;
  readonly serial: number;
  /** Time of the press; -Infinity where that was before the host heard of it. */
  readonly since: number;
  readonly until: number;
}

/** A menu that the client has been sent, until the person has chosen. */
interface Offered {
  readonly id: number;
  /** Undefined once its document is gone. */
  readonly frame: number | undefined;
  /** Of the frame: see {@link frameAddresses}. */
  readonly addresses: Promise<readonly string[]>;
  readonly found: Found;
  /** Items that the person may choose. */
  readonly items: ReadonlySet<Item>;
}

/**
 * Takes the facts of a menu from the page in whose frame the person has asked for one, once, and carries out the item that the person chooses. All
 * that comes from the page is hostile.
 */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, frames, hooks, input, log, page, services, tab } = scope;
  let asked: Asked | undefined;
  /** The last facts that nobody had asked for yet. */
  let early: { readonly found: Found; readonly frame: Frame; readonly until: number } | undefined;
  let offered: Offered | undefined;
  let last = 0;
  const forget = (): void => {
    asked = early = offered = undefined;
  };
  /** The document of a nested frame is gone. The addresses of a menu that is shown are known, and stay. */
  const leave = (frame: number): void => {
    if (asked?.frame === frame) asked = undefined;
    if (early?.frame.id === frame) early = undefined;
    if (offered?.frame === frame) offered = { ...offered, frame: undefined };
  };
  const offer = (found: Found, frame: Frame, serial: number): void => {
    asked = early = undefined;
    if (isOff(scope)) return;
    const rules = services.find(copyPasteToken);
    const facts = cleaned(found);
    const { items, disabled } = itemsOf(facts, {
      copy: rules?.mayCopy(frame.id) === true,
      paste: rules?.mayPaste(frame.id) === true,
      open: services.find(personLinksToken)?.mayOpen() === true,
      save: services.find(personDownloadsToken) !== undefined,
    });
    const enabled = items.filter((item) => !disabled.includes(item));
    const addresses = frameAddresses(
      { url: tab.url(), get: (id) => frames.get(id), originOf: (id) => frames.originOf(id) },
      frame.id,
    );
    offered = { id: ++last, frame: frame.id, addresses, found: facts, items: new Set(enabled) };
    const { link = '', picture = '' } = facts;
    commands.send(menuOffered, { id: last, serial, items, disabled, link, picture });
  };

  commands.handle(askMenu, ({ frame, serial, late, press }) => {
    offered = undefined;
    const now = performance.now();
    if (late && early?.frame.id === frame && now <= early.until) {
      offer(early.found, early.frame, serial);
      return;
    }
    early = undefined;
    asked = { frame, serial, since: late ? -Infinity : now, until: now + MENU_MS };
    if (press) void input.enqueue((turn) => pressRight(input, turn, press), { isPress: true, at: press });
  });
  page.handle(menuFound, ({ age, ...found }, frame) => {
    const now = performance.now();
    // A busy page may answer an earlier press only now.
    const isOfPress = asked?.frame === frame.id && now <= asked.until && now - age >= asked.since - CLOCK_MS;
    if (asked && isOfPress) offer(found, frame, asked.serial);
    else early = { found, frame, until: now + MENU_MS };
  });
  commands.handle(chosen, async ({ id, item, failed }) => {
    const menu = offered;
    if (menu?.id !== id || !menu.items.has(item)) {
      log.warn('an item was chosen that was not offered', { item });
      return;
    }
    offered = undefined;
    await carryOut(scope, menu, item, failed);
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (sameDocument) return;
    if (frame === MAIN_FRAME) forget();
    else leave(frame);
  });
  frames.onGone(leave);
  hooks.tap(tab.hooks.replaced, forget);
};

/** Whether there is no menu at all on the page. */
function isOff({ tab }: HostScope<typeof manifest>): boolean {
  const { copy_paste: copy, session } = tab.policy();
  return copy.disable_all_ctx_menu_for_copy || session.disable_all_context_menus;
}

/** Carries out an item that the person has chosen, as far as that is not the client's. */
async function carryOut(
  scope: HostScope<typeof manifest>,
  { frame, addresses, found }: Offered,
  item: Item,
  failed: boolean,
): Promise<void> {
  const { input, services } = scope;
  const { link = '', picture = '' } = found;
  const open = (url: string, place: 'tab' | 'window'): void => {
    if (isWeb(url)) services.find(personLinksToken)?.open(frame, url, place);
  };
  if (isPressed(item)) {
    if (frame === undefined) return; // it would be another document's
    void input.enqueue((turn) => pressKeys(turn, item), { isPress: true });
    return;
  }
  // The page may copy, and the person's files come, in answer to the choice.
  void input.enqueue(() => undefined, { isPress: true });
  switch (item) {
    case 'cut':
    case 'copy':
    case 'paste':
      if (failed) services.find(copyPasteToken)?.showKeys();
      return;
    case 'link-tab':
      open(link, 'tab');
      return;
    case 'link-window':
      open(link, 'window');
      return;
    case 'picture-window':
      open(picture, 'window');
      return;
    case 'picture-save':
      await save(scope, { frame, url: picture, addresses: await addresses });
      return;
    default: // the client's own
  }
}
