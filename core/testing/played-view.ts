/** In a page: a view whose only document is an iframe `#view`, and the devices that a test gives it. See view-page.ts. */
import type { ActivateClient } from '../contracts/client-scope.ts';
import type { AnyManifest } from '../contracts/manifest.ts';
import { messagesOf } from '../contracts/manifest.ts';
import { inputToken } from '../contracts/input-devices.ts';
import type { Renderer } from '../contracts/renderer.ts';
import { openInput } from '../input/index.ts';
import { accompanyInput } from '../input/late-input.ts';
import { openClientScope } from '../loader/client-scope.ts';
import { grantOpcodes, OpcodeTable } from '../plugins/opcodes.ts';
import { ServiceRegistry } from '../plugins/services.ts';
import * as core from '../protocol/core-messages.ts';
import type { Message } from '../protocol/message.ts';
import { endpointPair, Wire } from './wire.ts';

/** Interface through which a test drives the page. */
interface PlayedView {
  /** Messages that the host has received, in order. */
  readonly received: [name: string, params: Readonly<Record<string, unknown>>][];
  readonly reported: unknown[][];
  readonly faults: string[];
  /** Sends one of the devices' messages, as the host does. */
  tell(name: string, params: unknown): void;
  /** Takes input; answers with the undo. */
  start(): () => void;
}

declare global {
  interface Window {
    input: PlayedView;
  }
}

/** A plugin whose client half is a device. */
interface PlayedDevice {
  readonly manifest: AnyManifest;
  readonly activate: ActivateClient;
}

const frame = document.querySelector<HTMLIFrameElement>('#view');
const view = frame?.parentElement; // as the mirror's, an element around the frames
const inner = frame?.contentDocument;
if (!view || !inner) throw new Error('the page has no view');

const received: PlayedView['received'] = [];
const reported: unknown[][] = [];
const faults: string[] = [];
/** Knows frame 7: nodes by their `data-node`, and nothing of what lies on `[data-outside]`. */
const renderer: Renderer = {
  name: 'mirror',
  view,
  documents: (each) => each({ frame: 7, document: inner }),
  hitTest: ({ target, clientX: x, clientY: y }) => {
    const element = target as Element; // mouse and wheel events go to elements here
    if (element.closest('[data-outside]')) return undefined;
    const node = element.closest<HTMLElement>('[data-node]')?.dataset['node'];
    return { frame: 7, ...(node !== undefined && { node: Number(node) }), x, y };
  },
  focused: () => undefined,
  rects: () => [],
  caret: () => undefined,
  scrollTo: () => undefined,
  editing: () => Promise.reject(new Error('nobody edits')),
  highlighter: () => Promise.reject(new Error('nobody searches')),
  diagnostics: () => Promise.reject(new Error('nobody watches')),
  onScroll: (listener) => {
    const scroll = (event: Event): void => {
      const { scrollLeft, scrollTop } = event.target as Element; // scrollers of the tests are elements
      listener({ frame: 7, x: 0, y: 0 }, scrollLeft, scrollTop);
    };
    inner.addEventListener('scroll', scroll, true);
    return () => inner.removeEventListener('scroll', scroll, true);
  },
  onEdit: (listener) => {
    const edit = (event: Event): void =>
      listener({ target: { frame: 7, x: 0, y: 0 }, by: 'slider', value: (event.target as HTMLInputElement).value });
    inner.addEventListener('input', edit, true);
    return () => inner.removeEventListener('input', edit, true);
  },
};

/** Opens the view for the client halves of devices, under `window.input`. */
export function playView(devices: readonly PlayedDevice[]): void {
  const table = new OpcodeTable(core.CORE_MESSAGES);
  const grants = grantOpcodes(devices.map(({ manifest }) => ({ manifest, variant: 'default' })));
  devices.forEach(({ manifest }, index) => table.add(manifest, grants[index]!)); // one each
  const [client, host] = endpointPair(new Wire(), table, ({ message }) => faults.push(message));
  const { scrolled, edited, focused, inputAway } = core;
  const all = devices.flatMap(({ manifest }) => messagesOf(manifest)) as Message[]; // of each its own
  const sent = [scrolled, edited, focused, inputAway, ...all] as Message[]; // as above
  for (const message of sent.filter(({ direction }) => direction === 'client-to-host'))
    host.handle(message, (params) => void received.push([message.name, params as never]));

  const start = (): (() => void) => {
    const input = openInput(client);
    const services = new ServiceRegistry();
    services.provide(inputToken, input);
    for (const [index, { activate }] of devices.entries()) {
      const { scope } = openClientScope(
        {
          dispatcher: {
            send: (...sending) => client.send(...sending),
            call: (...calling) => client.call(...calling),
            handle: (...handling) => client.handle(...handling),
            reached: () => undefined,
          },
          services,
          events: { report: (...event) => void reported.push(event) },
          session: {} as never, // devices do not ask
          debug: false,
          slotsOf: () => ({}) as never,
          storageOf: () => ({}) as never,
        },
        grants[index]!, // one each
      );
      void activate(scope);
    }
    input.start(renderer);
    const undo = accompanyInput(document, renderer, () => client.send(inputAway, undefined));
    return () => {
      input.stop();
      undo();
    };
  };
  const tell = (name: string, params: unknown): void => {
    const message = all.find((each) => each.name === name);
    if (message) host.send(message as Message<unknown, undefined>, params); // tests tell, they do not ask
  };
  window.input = { received, reported, faults, tell, start };
}
