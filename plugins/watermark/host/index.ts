import { pageMarkToken } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { MAX_TEXT, watermarkShow } from '../protocol.ts';

/** Tells the client what policy has laid over the page; nothing while there never was anything. */
export const activate: ActivateHost<typeof manifest> = ({ commands, hooks, services, tab }) => {
  let told = { text: '', print: false };
  const tell = (): void => {
    const { text = '', print } = tab.policy().watermark;
    const next = { text: markOf(text, tab.person).slice(0, MAX_TEXT), print };
    if (next.text === told.text && (next.print === told.print || next.text === '')) return;
    told = next;
    commands.send(watermarkShow, told);
  };
  hooks.tap(tab.hooks.navigated, ({ frame }) => {
    if (frame === 1) tell();
  });
  hooks.tap(tab.hooks.policyChanged, tell);
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (fresh) told = { text: '', print: false };
    tell();
  });
  services.provide(pageMarkToken, {
    printed: () => {
      const { text = '', print } = tab.policy().watermark;
      return print ? markOf(text, tab.person) : '';
    },
  });
};

/** The text over a page for this person: `{time}` is still in it, where policy has it. */
function markOf(text: string, person: string): string {
  const shown = person.replaceAll('{time}', '{\u2060time}'); // looks the same, and stands for nothing
  return text.replaceAll('{user}', () => shown);
}
