import { rendererToken } from '../../../core/index.ts';
import type { Highlights, Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { PluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { searchCleared, searchEnd, searchMatches, searchQuery, searchReply, searchStart } from '../protocol.ts';

const MESSAGES = { searchCleared, searchMatches, searchReply, searchStart };

declare global {
  interface Window {
    find: PluginHarness;
    /** Messages to the host: queries, and the reasons of ends. */
    told: unknown[];
    marks: (Highlights | 'cleared')[];
    /** Lets the host say something, valid or not. */
    say: (message: keyof typeof MESSAGES, params: unknown) => Promise<void>;
    startFind: () => Promise<void>;
  }
}

/** Starts the bar over this document; its renderer marks nothing, and has one box to draw. */
window.startFind = async () => {
  const harness = (window.find = pluginHarness(manifest));
  window.told = [];
  window.marks = [];
  const renderer: Pick<Renderer, 'highlighter'> = {
    highlighter: async () => ({
      set: (highlights) => void window.marks.push(highlights),
      clear: () => void window.marks.push('cleared'),
      boxes: () => (window.marks.at(-1) === 'cleared' ? [] : [{ x: 1, y: 2, width: 30, height: 20, isActive: true }]),
    }),
  };
  harness.clientServices.provide(rendererToken, renderer as Renderer); // the plugin uses nothing else
  harness.host.commands.handle(searchQuery, (query) => void window.told.push(query));
  harness.host.commands.handle(searchEnd, ({ reason }) => void window.told.push(reason));
  await activate(harness.client);
  const container = document.body.appendChild(document.createElement('div'));
  await harness.overlay.render(container, (fault) => {
    throw fault;
  });
};

window.say = (message, params) => {
  const commands = window.find.host.commands as unknown as { send(message: unknown, params: unknown): void };
  commands.send(MESSAGES[message], params); // valid or not, as the test says
  return window.find.flush();
};
