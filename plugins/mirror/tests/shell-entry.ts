import { validate } from '../../../core/index.ts';
import type { ClientScope, Edit, Message, Renderer, Target } from '../../../core/index.ts';
import { pluginLog } from '../../../core/loader/plugin-log.ts';
import { activate } from '../client/index.ts';
import type { Batch } from '../ops.ts';
import { packBatch } from '../protocol.ts';

type Handler = (params: unknown) => unknown;

/** The parts of the client half that a test can use in the shell. */
export interface Harness {
  feed(frame: number, batch: Batch): void;
  gone(frame: number): void;
  readonly sent: { readonly name: string; readonly params: unknown }[];
  readonly reached: (readonly number[])[];
  readonly reports: string[];
  readonly warnings: string[];
  readonly documents: number[];
  readonly scrolls: { target: Target; left: number; top: number }[];
  readonly edits: Edit[];
  readonly clicks: (Target | undefined)[];
  renderer: Renderer;
  dispose(): void;
}

declare global {
  interface Window {
    harness: Harness;
  }
}

const handlers = new Map<string, { message: Message; handler: Handler }>();
const undo: (() => void)[] = [];
const call = (name: string, params: unknown): void => {
  const entry = handlers.get(name);
  entry?.handler(validate(entry.message.params, params, name));
};

const harness: Omit<Harness, 'renderer'> = {
  feed: (frame, batch) => call('mirror.batch', packBatch(frame, batch)),
  gone: (frame) => call('mirror.frame-gone', { frame }),
  sent: [],
  reached: [],
  reports: [],
  warnings: [],
  documents: [],
  scrolls: [],
  edits: [],
  clicks: [],
  dispose: () => {
    for (const each of undo) each();
  },
};
window.harness = harness as Harness; // the plugin provides the renderer later

const plugin = { id: 'mirror', version: '1.0.0', variant: 'test' };
const events = { report: (name: string) => void harness.reports.push(name) };
const log = pluginLog(plugin, events, true);
const warn: typeof log.warn = (message, data) => {
  harness.warnings.push(`${message} ${JSON.stringify(data)}`);
  log.warn(message, data);
};
const scope = {
  plugin,
  commands: {
    send: (message: Message, params: unknown) => void harness.sent.push({ name: message.name, params }),
    handle: (message: Message, handler: Handler) => {
      handlers.set(message.name, { message, handler });
      return () => handlers.delete(message.name);
    },
  },
  services: {
    provide: (_token: unknown, service: unknown) => {
      window.harness.renderer = service as Renderer; // the mirror provides no other service
      return () => undefined;
    },
  },
  session: { prefix: '/', capabilities: { applicationLinks: ['tel'] } },
  events,
  log: { ...log, warn },
  signal: new AbortController().signal,
  onDispose: (each: () => void) => void undo.unshift(each),
  reached: (...position: number[]) => void harness.reached.push(position),
};
void activate(scope as unknown as ClientScope); // the mirror uses only these parts
const { renderer } = window.harness;
renderer.documents(({ document, frame }) => {
  harness.documents.push(frame);
  const click = (event: MouseEvent): void => void harness.clicks.push(renderer.hitTest(event));
  document.addEventListener('mousedown', click, true);
  return () => {
    harness.documents.splice(harness.documents.indexOf(frame), 1);
  };
});
renderer.onScroll((target, left, top) => void harness.scrolls.push({ target, left, top }));
renderer.onEdit((edit) => void harness.edits.push(edit));
