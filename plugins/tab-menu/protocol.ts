import * as v from 'valibot';
import { message } from '../../core/protocol/message.ts';

/** Whether the policy offers to leave isolation on the page shown (S-099). Not sent while it never did. */
export const bypassOffered = message('tab-menu.bypass', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ offered: v.boolean() }),
});

/** Whether the policy has the button on the page shown. Not sent while it never had. */
export const buttonShown = message('tab-menu.button', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ shown: v.boolean() }),
});
