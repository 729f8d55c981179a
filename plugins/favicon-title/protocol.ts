import * as v from 'valibot';
import { text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Maximum length of a title, in UTF-16 units. */
export const MAX_TITLE = 1000;
/** Maximum length of an icon's address, in UTF-16 units. */
export const MAX_ICON_ADDRESS = 100_000;

/** Title and icon of the main frame's document. Untrusted. */
export const pageIdentity = message('favicon-title.identity', {
  direction: 'page-to-host',
  lane: 'control',
  params: v.object({
    title: text(MAX_TITLE),
    /** Resolved address of the icon; empty when the page has none. */
    icon: text(MAX_ICON_ADDRESS),
  }),
});

/** The title of the local tab (M-095). */
export const setTitle = message('set title', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ title: text(MAX_TITLE) }),
});

/** The icon of the local tab: a data address of an image, or a path of the host (M-063, M-095); empty: none. */
export const favicon = message('favicon', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ address: text(MAX_ICON_ADDRESS) }),
});
