import { createElement } from 'react';
import { rendererToken, SLOTS } from '../../../core/index.ts';
import type { Readings, Renderer } from '../../../core/index.ts';
import { Messages } from '../../../core/overlay/messages.ts';
import { ShellView } from '../../../core/overlay/shell-view.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { surrogateFrames } from '../protocol.ts';

declare global {
  interface Window {
    hud: PluginHarness;
    readings: Readings;
    /** Number of readings. */
    reads: number;
    bare: boolean[];
    /** Whether the surrogate draws nothing, and does not answer. */
    isStill: boolean;
    /** Ends the document that was shown last to the plugin. */
    leaveFrame: () => void;
    /** Keyboard events that the page received. */
    received: string[];
    startHud: () => Promise<void>;
    /** Shows a bar and a notice of another plugin, and a notice of the shell. */
    fillShell: () => void;
  }
}

window.bare = [];
window.isStill = false;
window.received = [];
window.reads = 0;
window.readings = { commits: 0, mutations: 0, drawingMs: 0, queued: 0, nodes: 0, canvasBytes: 0 };

window.fillShell = () => {
  const fill = (slot: typeof SLOTS.bar, text: string): void => {
    const part = { default: () => createElement('p', null, text) };
    window.hud.client.slots.fill(slot, { load: () => Promise.resolve(part) }, {});
  };
  fill(SLOTS.bar, 'A bar');
  fill(SLOTS.notice, 'A notice');
  const report = (): void => undefined;
  new ShellView(document, new Messages(['en'], report), report).notice('page', 'The page is silent');
};

/** Starts the HUD over this document, which is its own view; the host reports 42 frames a second. */
window.startHud = async () => {
  const harness = (window.hud = pluginHarness(manifest));
  const renderer: Pick<Renderer, 'documents' | 'hitTest' | 'rects' | 'diagnostics'> = {
    documents: (each) => (window.leaveFrame = each({ frame: 1, document })),
    hitTest: ({ clientX: x, clientY: y }) => ({ frame: 1, node: 7, x, y }),
    rects: ({ node, x, y }) => [
      node === undefined ? { x, y, width: 0, height: 0 } : { x: 10, y: 20, width: 30, height: 40 },
    ],
    diagnostics: async () => ({
      readings: () => {
        window.reads += 1;
        return window.readings;
      },
      setBare: (isBare) => void window.bare.push(isBare),
    }),
  };
  harness.clientServices.provide(rendererToken, renderer as Renderer); // the plugin uses nothing else
  harness.host.commands.handle(surrogateFrames, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (window.isStill) throw new Error('nothing is drawn');
    return { perSecond: 42 };
  });
  await activate(harness.client);
  for (const type of ['keydown', 'keyup'] as const)
    document.addEventListener(type, ({ key }) => void window.received.push(`${type} ${key}`), true);
  const container = document.body.appendChild(document.createElement('div'));
  await harness.overlay.render(container, (fault) => {
    throw fault;
  });
};
