import { textsToken } from '../../../core/index.ts';
import type { Texts } from '../../../core/index.ts';
import { Messages } from '../../../core/overlay/messages.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { HarnessOptions, PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';

declare global {
  interface Window {
    startReconnect: (options: HarnessOptions) => Promise<PluginHarness>;
    reconnect: PluginHarness;
  }
}

window.startReconnect = async (options) => {
  const harness = pluginHarness(manifest, options);
  window.reconnect = harness;
  const messages = new Messages(['en'], () => undefined);
  await messages.loadCore();
  const shown: Pick<Texts, 'text'> = { text: (id, params) => messages.text(id, params) };
  Object.assign(harness.clientServices.get(textsToken), shown);
  await activate(harness.client);
  const container = document.body.appendChild(document.createElement('div'));
  container.id = 'vitrine-overlay'; // as in the shell, for its styles
  await harness.overlay.render(container, (fault) => {
    throw fault;
  });
  return harness;
};
