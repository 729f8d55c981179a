import type { Line, LineListener } from '../contracts/main-half.ts';

/** The world that an event comes from. */
type End = 'main' | 'page';

/** The event that passes the shared element to the other world, before any script of the page runs. */
const HELLO = 'vitrine-line';

// Saved before the page can replace them.
const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
const { preventDefault } = Event.prototype;
const { apply } = Reflect;
const OwnCustomEvent = CustomEvent;
const OwnBytes = Uint8Array;
const readDetail = Object.getOwnPropertyDescriptor(CustomEvent.prototype, 'detail')?.get;

/** Detail of an event with bytes. The browser clones it for a reader in another world. */
interface Carried {
  readonly text: unknown;
  readonly bytes: unknown;
}

function bytesOf({ bytes }: Carried): Uint8Array | undefined {
  return bytes instanceof OwnBytes ? bytes : undefined;
}

class Wire implements Line {
  readonly #own: End;
  readonly #other: End;
  readonly #waiting: ((node: EventTarget) => void)[] = [];
  #node: EventTarget | undefined;

  constructor(own: End, node?: EventTarget) {
    this.#own = own;
    this.#other = own === 'main' ? 'page' : 'main';
    this.#node = node;
  }

  connect(node: EventTarget): void {
    this.#node = node;
    for (const listen of this.#waiting) listen(node);
  }

  send(name: string, text: string, bytes?: Uint8Array): boolean {
    const detail = bytes ? { text, bytes: new OwnBytes(bytes) } : text;
    const event = new OwnCustomEvent(`${this.#own}:${name}`, { detail, cancelable: true });
    return this.#node !== undefined && !apply(dispatchEvent, this.#node, [event]);
  }

  on(name: string, listener: LineListener): () => void {
    let isOver = false;
    const onEvent = (event: Event): void => {
      if (isOver) return;
      apply(preventDefault, event, []);
      const detail: unknown = readDetail && apply(readDetail, event, []);
      if (typeof detail !== 'object' || detail === null) listener(String(detail));
      else listener(String((detail as Carried).text), bytesOf(detail as Carried)); // whatever it is
    };
    const type = `${this.#other}:${name}`;
    const listen = (node: EventTarget): void => apply(addEventListener, node, [type, onEvent]);
    if (this.#node) listen(this.#node);
    else this.#waiting.push(listen);
    return () => {
      isOver = true;
      if (this.#node) apply(removeEventListener, this.#node, [type, onEvent]);
    };
  }
}

/** The page halves' end of the line. The other end follows; data sent before then is lost. */
export function lineToMain(): Line {
  const wire = new Wire('page');
  const connect = (event: Event): void => {
    const { relatedTarget } = event as MouseEvent; // any event may have this name: one without an element has no related target
    if (relatedTarget) wire.connect(relatedTarget);
  };
  document.addEventListener(HELLO, connect, { capture: true, once: true });
  return wire;
}

/** The main halves' end. The other end must exist. */
export function lineToPage(): Line {
  const node = document.createElement('i');
  apply(dispatchEvent, document, [new MouseEvent(HELLO, { relatedTarget: node })]);
  return new Wire('main', node);
}

/** A plugin's view of the line: its names have the plugin's prefix. */
export function ownLine(line: Line, plugin: string): Line {
  return {
    send: (name, text, bytes) => line.send(`${plugin}.${name}`, text, bytes),
    on: (name, listener) => line.on(`${plugin}.${name}`, listener),
  };
}
