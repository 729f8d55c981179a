import type { HostScope } from '../../../host/plugin.ts';
import { keyControl, pageLeaves } from '../protocol.ts';
import { PREVENTABLE } from '../browser-shortcuts.ts';

const MAIN_FRAME = 1;

/**
 * Where the policy says so (`key_ctrl_wait`), shortcuts of the browser go to the page first, and only there, until the page has shown that
 * it does not use them (M-093). A page that uses them keeps them; the next document is asked anew.
 */
export function controlKeys({ commands, hooks, page, tab }: HostScope): void {
  /** Those that the page shown now has left to the browser. */
  const passed = new Set<string>();
  /** The last message; undefined where the client may not have it. */
  let sent: string | undefined = '';
  const tell = (): void => {
    const waits = tab.policy().site_capabilities.key_ctrl_wait;
    const held = waits ? PREVENTABLE.filter((shortcut) => !passed.has(shortcut)).join(' ') : '';
    if (held === sent) return;
    sent = held;
    commands.send(keyControl, { held });
  };
  page.handle(pageLeaves, ({ shortcut }) => {
    if (!PREVENTABLE.includes(shortcut)) return;
    passed.add(shortcut);
    tell();
  });
  hooks.tap(tab.hooks.navigated, ({ frame, sameDocument }) => {
    if (frame !== MAIN_FRAME || sameDocument) return;
    passed.clear();
    tell();
  });
  hooks.tap(tab.hooks.policyChanged, () => tell());
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    sent = undefined;
    tell();
  });
}
