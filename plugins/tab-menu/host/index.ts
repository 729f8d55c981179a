import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { buttonShown } from '../protocol.ts';

const MAIN_FRAME = 1;

/** Tells the client where the policy has the button; nothing until it has one. */
export const activate: ActivateHost<typeof manifest> = ({ commands, hooks, tab }) => {
  let sent = false;
  const update = (url?: string): void => {
    const shown = tab.policy(url).session.tab_menu_button;
    if (shown === sent) return;
    sent = shown;
    commands.send(buttonShown, { shown });
  };
  hooks.tap(tab.hooks.navigated, ({ frame, url }) => {
    // The browser has not confirmed the address yet. The page's process could name another one, and gain a button or lose it.
    if (frame === MAIN_FRAME) update(url);
  });
  hooks.tap(tab.hooks.policyChanged, () => update());
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) sent = false; // a client that has been loaded again shows none
    update();
  });
};
