import * as v from 'valibot';
import { id, text } from '../../core/protocol/atoms.ts';
import { message, nothing } from '../../core/protocol/message.ts';

/** Maximum length of an address in messages, in UTF-16 units. */
export const MAX_ADDRESS = 65_536;
const address = text(MAX_ADDRESS);

/**
 * The page has opened a window (M-083). The tab of the person's browser that shows it claims it by the token, in its pair request (`pid`,
 * S-085). `url` is where the window is going; `about:blank` where that is not known yet.
 */
export const tabOpen = message('TAB_open', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ token: text(44), url: address }),
});

/** The person opens a link of a frame in a new tab (S-094). */
export const openLink = message('popups.open-link', {
  direction: 'client-to-host',
  lane: 'input',
  params: v.object({ frame: id, url: address }),
});

/** Puts windows that share one of the surrogate's into windows of their own. */
export const separate = message('popups.separate', { direction: 'host-to-page', lane: 'control', params: nothing });
