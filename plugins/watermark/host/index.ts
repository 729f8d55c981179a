import { watermarkOf } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import { MAX_TEXT, watermarkShow } from '../protocol.ts';

/** Tells the client what policy has laid over the page; nothing while there never was anything. */
export const activate: ActivateHost = ({ commands, hooks, tab }) => {
  let told = { text: '', print: false };
  const tell = (): void => {
    const policy = tab.policy();
    const next = { text: watermarkOf(policy, tab.person).slice(0, MAX_TEXT), print: policy.watermark.print };
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
