import { rendererToken } from '../../../core/index.ts';
import type { Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { fullscreen, fullscreenOver, fullscreenRequest, fullscreenShown } from '../protocol.ts';

/** Test API in the page: the client half, with a renderer that has only node 4. */
interface FullscreenShell extends PluginHarness {
  readonly answers: readonly unknown[];
  ask(id: number): Promise<void>;
  show(node: number): Promise<void>;
  end(): Promise<void>;
}

declare global {
  interface Window {
    fullscreenShell: FullscreenShell;
  }
}

const harness = pluginHarness(manifest);
const { host, client, clientServices, flush } = harness;
const answers: unknown[] = [];
host.commands.handle(fullscreen, (params) => void answers.push(params));
const renderer: Pick<Renderer, 'rects'> = {
  rects: ({ node }) => (node === 4 ? [{ x: 0, y: 0, width: 1, height: 1 }] : []),
};
clientServices.provide(rendererToken, renderer as Renderer); // no other members are used
void activate(client);

window.fullscreenShell = {
  ...harness,
  answers,
  ask: (id) => {
    host.commands.send(fullscreenRequest, { id, site: 'site.test' });
    return flush();
  },
  show: (node) => {
    host.commands.send(fullscreenShown, { frame: 1, epoch: 1, node });
    return flush();
  },
  end: () => {
    host.commands.send(fullscreenOver, undefined);
    return flush();
  },
};
