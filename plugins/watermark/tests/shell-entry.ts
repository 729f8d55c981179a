import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { watermarkShow } from '../protocol.ts';

declare global {
  interface Window {
    /** Sends the client half a watermark, as the host does; an empty text takes it away. */
    showWatermark(text: string): Promise<void>;
  }
}

const { host, client, flush } = pluginHarness(manifest);
void activate(client);
window.showWatermark = (text) => {
  host.commands.send(watermarkShow, { text, print: false });
  return flush();
};
