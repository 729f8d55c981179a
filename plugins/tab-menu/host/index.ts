import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { buttonShown, bypassOffered } from '../protocol.ts';

const MAIN_FRAME = 1;

/** Tells the client where the policy has the button, and where it offers to leave isolation; nothing until it does. */
export const activate: ActivateHost<typeof manifest> = ({ commands, hooks, tab }) => {
  const sent = { shown: false, offered: false };
  const update = (url?: string): void => {
    const { session, feedback } = tab.policy(url);
    const { tab_menu_button: shown } = session;
    const { enable_bypass: offered } = feedback;
    if (shown !== sent.shown) commands.send(buttonShown, { shown });
    if (offered !== sent.offered) commands.send(bypassOffered, { offered });
    Object.assign(sent, { shown, offered });
  };
  hooks.tap(tab.hooks.navigated, ({ frame, url }) => {
    // The browser has not confirmed the address yet. The page's process could name another one, and gain a button or lose it.
    if (frame === MAIN_FRAME) update(url);
  });
  hooks.tap(tab.hooks.policyChanged, () => update());
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) Object.assign(sent, { shown: false, offered: false }); // a client that has been loaded again shows none
    update();
  });
};
