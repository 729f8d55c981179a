import { pageMarkToken } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { MAX_TEXT, watermarkShow } from '../protocol.ts';

/** Sends the policy's watermark to the client; nothing until there is one. */
export const activate: ActivateHost<typeof manifest> = ({ commands, hooks, services, tab }) => {
  let sent = { text: '', print: false };
  const update = (): void => {
    const { text = '', print } = tab.policy().watermark;
    const next = { text: markOf(text, tab.person).slice(0, MAX_TEXT), print };
    if (next.text === sent.text && (next.print === sent.print || next.text === '')) return;
    sent = next;
    commands.send(watermarkShow, sent);
  };
  hooks.tap(tab.hooks.navigated, ({ frame }) => {
    if (frame === 1) update();
  });
  hooks.tap(tab.hooks.policyChanged, update);
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) sent = { text: '', print: false };
    update();
  });
  services.provide(pageMarkToken, {
    printed: () => {
      const { text = '', print } = tab.policy().watermark;
      return print ? markOf(text, tab.person) : '';
    },
  });
};

/** The text over a page for this person. It still contains `{time}`, if the policy has it. */
function markOf(text: string, person: string): string {
  const shown = person.replaceAll('{time}', '{\u2060time}'); // looks the same, but is not replaced
  return text.replaceAll('{user}', () => shown);
}
