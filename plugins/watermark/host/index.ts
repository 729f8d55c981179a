import { watermarkOf } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { watermarkShow } from '../protocol.ts';

/** Tells the client what policy has laid over the page; nothing while there never was anything. */
export const activate: ActivateHost = ({ commands, hooks, tab }) => {
  let told = { text: '', print: false };
  const tell = (): void => {
    const next = { text: watermarkOf(tab.policy(), tab.person), print: tab.policy().watermark.print };
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
};
