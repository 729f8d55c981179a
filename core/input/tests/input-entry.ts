import { OpcodeTable } from '../../plugins/opcodes.ts';
import * as core from '../../protocol/core-messages.ts';
import type { Renderer } from '../../contracts/renderer.ts';
import { endpointPair, Wire } from '../../testing/wire.ts';
import { startInput } from '../index.ts';
import { showLatency } from '../latency-cursor.ts';

/** What a test drives in the page: input of a played view, whose only document is an iframe `#view`. */
interface InputEntry {
  /** What the host has received, in order. */
  readonly received: [name: string, params: Readonly<Record<string, unknown>>][];
  readonly reported: unknown[][];
  readonly faults: string[];
  start(): () => void;
}

declare global {
  interface Window {
    input: InputEntry;
  }
}

const view = document.querySelector<HTMLIFrameElement>('#view');
const inner = view?.contentDocument;
if (!view || !inner) throw new Error('the page has no view');

const received: InputEntry['received'] = [];
const reported: unknown[][] = [];
const faults: string[] = [];
const table = new OpcodeTable(core.CORE_MESSAGES);
const [client, host] = endpointPair(new Wire(), table, ({ message }) => faults.push(message));
const { mouse, wheel, keyboard, insertText, scrolled, edited, focused } = core;
for (const message of [mouse, wheel, keyboard, insertText, scrolled, edited, focused])
  host.handle<unknown, undefined, 'json', 'json'>(
    message,
    (params) => void received.push([message.name, params as never]),
  ); // of each its own

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
  workings: () => Promise.reject(new Error('nobody watches')),
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
      listener({ target: { frame: 7, x: 0, y: 0 }, value: (event.target as HTMLInputElement).value });
    inner.addEventListener('input', edit, true);
    return () => inner.removeEventListener('input', edit, true);
  },
};

window.input = {
  received,
  reported,
  faults,
  start: () => {
    const undo = [
      startInput(renderer, client, (...event) => void reported.push(event)),
      showLatency(document, renderer),
    ];
    return () => undo.forEach((each) => each());
  },
};
