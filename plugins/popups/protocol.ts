import * as v from 'valibot';
import { id, serial, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** Maximum length of an address in messages, in UTF-16 units. */
export const MAX_ADDRESS = 65_536;
const address = text(MAX_ADDRESS);

/** How the tab that shows a window pairs with it: the token of its pair request (`pid`, S-085). */
const pairing = v.object({ pid: text(44) });
const which = v.object({
  /** Number of the window among those of its opener's tab. */
  id: serial,
});

/** The page opens a window, or would like to (M-023). */
export const tabOpen = message('TAB_open', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    ...which.entries,
    /** Whether the person has just acted. Otherwise there is no window yet, and the person has to be asked. */
    user_initiated: v.boolean(),
    /** The origin of that document, as the browser's process knows it. */
    uri_origin: text(300),
    /** Address that the window goes to; `about:blank` where that is not known yet. */
    target_uri: address,
    /** Features of the window as JSON (M-024). */
    feature_str: text(1000),
    /** Empty while there is no window to pair with. */
    pairing_dict: v.partial(pairing),
    /** Whether the two windows can reach each other. */
    has_opener: v.boolean(),
  }),
});
export type PopupRequest = v.InferOutput<typeof tabOpen.params>;

/** The person's browser shows the window, or the person has allowed it; or the person has denied it (M-048, M-082). */
export const allowTabOpen = message('allow-tab-open', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ ...which.entries, allowed: v.boolean() }),
});

/** The window lives: its tab may pair (M-083). */
export const tabInit = message('TAB_init', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ ...which.entries, pairing_dict: pairing, target_uri: address }),
});

/**
 * The window was refused: by the person, or because it could not be opened (M-083). Without a number: the policy lets the page open no tabs and
 * windows, and a notice says so (S-094).
 */
export const tabDenied = message('TAB_denied', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.partial(which),
});

/** The person has closed the tab of a window (M-050). */
export const tabClose = message('tab_close', { direction: 'client-to-host', lane: 'control', params: which });

/** The window, or the request for one, is gone without the person (M-083). */
export const tabClosed = message('TAB_close', { direction: 'host-to-client', lane: 'control', params: which });

/** The person opens a link of a frame in a new tab (S-094). */
export const openLink = message('popups.open-link', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, url: address }),
});

/** The client opens an address for the person by itself: no frame of the page may, or is there to do it. */
export const openAlone = message('popups.open-alone', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ url: address, window: v.boolean() }),
});

/** Puts windows that share one of the surrogate's into windows of their own. */
export const separate = message('popups.separate', { direction: 'host-to-page', lane: 'control', params: nothing });
