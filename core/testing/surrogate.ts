import type { CdpBroker, Frame, Frames, PageBus } from '../../host/plugin.ts';
import { AppError } from '../protocol/errors.ts';
import type { AnyManifest } from '../contracts/manifest.ts';
import { messagesOf } from '../contracts/manifest.ts';
import { nameTable } from '../protocol/endpoint.ts';
import type { Endpoint } from '../protocol/endpoint.ts';
import type { AnyMessage } from '../protocol/message.ts';
import { endpointPair } from './wire.ts';
import type { Wire } from './wire.ts';

/** A handler of the bus; answers as its message says. */
type FrameListener = (params: unknown, frame: Frame, ...body: unknown[]) => never;

/** A set of listeners; `on` answers with the undo. */
class Listeners<A extends readonly unknown[]> {
  readonly #all = new Set<(...given: A) => void>();

  on(listener: (...given: A) => void): () => void {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  }

  tell(...given: A): void {
    for (const listener of this.#all) listener(...given);
  }
}

/** Frame as a test describes it. */
type TestFrame = Partial<Frame> & { readonly id: number; readonly url: string };

/** The frames of a page that a test makes up. */
export class TestFrames implements Frames {
  readonly #frames = new Map<number, Frame>();
  readonly #origins = new Map<number, string>();
  readonly #owners = new Map<number, { epoch: number; node: number }>();
  readonly #nodes = new Map<string, { epoch: number; node: number }>();
  readonly #ready = new Listeners<[Frame]>();
  readonly #navigated = new Listeners<[Frame]>();
  readonly #gone = new Listeners<[number]>();

  constructor(url: string) {
    this.#set({ id: 1, parent: 0, url, origin: new URL(url).origin, mimeType: 'text/html' });
  }

  /** Adds a frame, or loads another document into it: its page half is ready. */
  load(frame: TestFrame): void {
    const isKnown = this.#frames.has(frame.id);
    const whole = this.begin(frame);
    if (isKnown) this.#navigated.tell(whole);
    this.#ready.tell(whole);
  }

  /** The same without a page half, and without a word of it. */
  begin(frame: TestFrame): Frame {
    return this.#set({ parent: 1, origin: URL.parse(frame.url)?.origin ?? 'null', mimeType: 'text/html', ...frame });
  }

  remove(id: number): void {
    this.#frames.delete(id);
    this.#gone.tell(id);
  }

  /** Says what `ownerOf` answers for a frame. */
  own(id: number, owner: { readonly epoch: number; readonly node: number }): void {
    this.#owners.set(id, owner);
  }

  /** Says what `nodeIdOf` answers for a backend node. */
  know(frame: number, backendNodeId: number, node: { readonly epoch: number; readonly node: number }): void {
    this.#nodes.set(`${frame} ${backendNodeId}`, node);
  }

  get(id: number): Frame | undefined {
    return this.#frames.get(id);
  }

  all(): Frame[] {
    return [...this.#frames.values()];
  }

  /** Says what `originOf` answers for a frame; its own origin otherwise. */
  tellOrigin(id: number, origin: string): void {
    this.#origins.set(id, origin);
  }

  async originOf(id: number): Promise<string> {
    return this.#origins.get(id) ?? this.get(id)?.origin ?? 'null';
  }

  async ownerOf(id: number): Promise<{ readonly epoch: number; readonly node: number } | undefined> {
    return Promise.resolve(this.#owners.get(id));
  }

  async nodeIdOf(
    frame: number,
    backendNodeId: number,
  ): Promise<{ readonly epoch: number; readonly node: number } | undefined> {
    return Promise.resolve(this.#nodes.get(`${frame} ${backendNodeId}`));
  }

  onReady(listener: (frame: Frame) => void): () => void {
    for (const frame of this.#frames.values()) listener(frame);
    return this.#ready.on(listener);
  }

  onNavigated(listener: (frame: Frame) => void): () => void {
    return this.#navigated.on(listener);
  }

  onGone(listener: (id: number) => void): () => void {
    return this.#gone.on(listener);
  }

  #set(frame: Frame): Frame {
    this.#frames.set(frame.id, frame);
    return frame;
  }
}

/** The page halves of a plugin, as a test plays them, and the host's bus to them. */
export class TestPage {
  readonly #wire: Wire;
  readonly #manifest: AnyManifest;
  readonly #frames: TestFrames;
  readonly #onFault: (fault: AppError) => void;
  readonly #pairs = new Map<number, [page: Endpoint, host: Endpoint]>();
  readonly #handlers: [AnyMessage, FrameListener][] = [];

  constructor(wire: Wire, manifest: AnyManifest, frames: TestFrames, onFault: (fault: AppError) => void) {
    this.#wire = wire;
    this.#manifest = manifest;
    this.#frames = frames;
    this.#onFault = onFault;
  }

  /** The page half's end in a frame: `send`, `call` and `handle` as a page half does. */
  in(frame: number): Endpoint {
    return this.#pair(frame)[0];
  }

  /** Page bus that the host half uses. */
  readonly bus: PageBus = {
    send: (frame, message, params, ...options) => {
      this.#pair(frame)[1].send(message, params, ...options);
    },
    call: (frame, message, params, ...options) => this.#pair(frame)[1].call(message, params, ...options),
    handle: (message, handler) => {
      const entry: [AnyMessage, FrameListener] = [message, handler as FrameListener]; // called with what each endpoint has validated
      this.#handlers.push(entry);
      const undo = [...this.#pairs].map(([frame, pair]) => this.#handle(frame, pair[1], entry));
      return () => {
        this.#handlers.splice(this.#handlers.indexOf(entry), 1);
        for (const each of undo) each();
      };
    },
  };

  #pair(frame: number): [Endpoint, Endpoint] {
    const known = this.#pairs.get(frame);
    if (known) return known;
    const pair = endpointPair(this.#wire, nameTable(messagesOf(this.#manifest)), this.#onFault);
    this.#pairs.set(frame, pair);
    for (const entry of this.#handlers) this.#handle(frame, pair[1], entry);
    return pair;
  }

  #handle(id: number, endpoint: Endpoint, [message, handler]: [AnyMessage, FrameListener]): () => void {
    return endpoint.handle(message, (params, ...body) => {
      const frame = this.#frames.get(id);
      if (!frame) throw new AppError('frame-gone', `there is no frame ${id}`);
      return handler(params, frame, ...body);
    });
  }
}

/** CDP command that a host half has sent. */
interface SentCdp {
  readonly frame: number;
  readonly method: string;
  readonly params: unknown;
}

/** A CDP that answers as the test says, within what the manifest permits. */
export class TestCdp {
  readonly sent: SentCdp[] = [];
  readonly enabled: string[] = [];
  readonly #permitted: readonly string[];
  readonly #answers = new Map<string, (params: unknown, frame: number) => unknown>();
  readonly #events = new Map<string, Listeners<[unknown, { frame: number }]>>();

  constructor(manifest: AnyManifest) {
    this.#permitted = manifest.permissions?.cdp ?? [];
  }

  /** Says what a method answers from now on; `{}` where nothing is said. */
  answer(method: string, answer: (params: never, frame: number) => unknown): void {
    this.#answers.set(method, answer as (params: unknown, frame: number) => unknown); // the test knows its method
  }

  /** Lets an event happen. */
  emit(event: string, params: unknown, frame = 0): void {
    this.#events.get(event)?.tell(params, { frame });
  }

  /** Sends a CDP command for a half, within what its manifest permits. */
  async ask(frame: number, method: string, params: unknown): Promise<unknown> {
    this.#check(method);
    this.sent.push({ frame, method, params });
    return (await this.#answers.get(method)?.(params, frame)) ?? {};
  }

  readonly broker: CdpBroker = {
    send: async (frame, method, params) => {
      if (method.startsWith('Input.')) throw new AppError('cdp-not-permitted', `${method} goes by scope.input`);
      return (await this.ask(frame, method, params)) as never; // the test knows what it answers
    },
    stream: async (frame, method, params) => {
      this.#check(method);
      this.sent.push({ frame, method, params });
      return Promise.resolve(this.#answers.get(method)?.(params, frame) as Uint8Array); // the test knows what it answers
    },
    on: (event, listener) => {
      this.#check(event);
      const listeners = this.#events.get(event) ?? new Listeners<[unknown, { frame: number }]>();
      this.#events.set(event, listeners);
      return listeners.on(listener as (params: unknown, session: { frame: number }) => void); // the test knows its event
    },
    enable: (domain) => {
      this.enabled.push(domain);
      return () => {
        this.enabled.splice(this.enabled.indexOf(domain), 1);
      };
    },
    frameId: (frame) => `F${frame}`,
    framesOf: ({ frame }) => (frame === 0 ? [1] : [frame]),
    frameOf: (frameId) => (/^F\d+$/.test(frameId) ? Number(frameId.slice(1)) : undefined),
  };

  #check(name: string): void {
    const [domain = ''] = name.split('.');
    if (!this.#permitted.includes(name) && !this.#permitted.includes(`${domain}.*`))
      throw new AppError('cdp-not-permitted', `the manifest does not name ${name}`);
  }
}
