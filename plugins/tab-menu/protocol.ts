import * as v from 'valibot';
import { message } from '../../core/protocol/message.ts';

/** Whether the policy has the button on the page shown. Not sent while it never had. */
export const buttonShown = message('tab-menu.button', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ shown: v.boolean() }),
});
