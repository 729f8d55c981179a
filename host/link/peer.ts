import type { Duplex } from 'node:stream';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { AnswerTable } from './answers.ts';
import type { CallOptions, CallResult, FaultListener, LinkHandler, LinkLoad, LinkPeer, LinkStream } from './api.ts';
import type { Exchange, ExchangeHome } from './exchange.ts';
import { abortError, parseReason } from './failure.ts';
import { IncomingCall, parseCall } from './incoming-call.ts';
import { LINK_LIMITS, MAX_NAME } from './limits.ts';
import type { LinkLimits, WireLimits } from './limits.ts';
import { OutgoingCall } from './outgoing-call.ts';
import { Registry } from './registry.ts';
import { parseOpen, StreamExchange } from './stream.ts';
import { ANSWERING, cutText, headerFrame, jsonFrame, KIND, LINK_VERSION, malformed } from './wire.ts';
import type { FrameSink } from './wire.ts';
import { Pings } from './pings.ts';
import { LinkReader } from './reader.ts';
import { LinkWriter } from './writer.ts';

export type * from './api.ts';

/** The settings of one side. */
export interface LinkOptions {
  /** Bounds other than the usual ones; those of the wire have to be the same on both sides. */
  readonly limits?: Partial<LinkLimits>;
  /** Gets the errors that have no caller: of handlers, listeners and body sources. At most 100 in the life of a link. */
  readonly onFault?: FaultListener;
}

const MAX_REPORTS = 100;
const SWEEPS_PER_STALL = 4;
/** Time for the last frames to go out after `close`, in ms. */
const LAST_FRAMES_MS = 5000;

/** One table of what one side has opened. */
interface Table {
  readonly exchanges: Map<number, Exchange>;
  lastId: number;
  calls: number;
  streams: number;
  /** Bytes of the heads of calls that are being handled. */
  headBytes: number;
}

class Peer implements LinkPeer, ExchangeHome {
  readonly limits: LinkLimits;
  readonly writer: LinkWriter;
  readonly received = { bytes: 0 };
  readonly #duplex: Duplex;
  readonly #onFault: FaultListener | undefined;
  readonly #reader: LinkReader;
  readonly #closed = new AbortController();
  readonly #own: Table = { exchanges: new Map(), lastId: 0, calls: 0, streams: 0, headBytes: 0 };
  readonly #theirs: Table = { exchanges: new Map(), lastId: 0, calls: 0, streams: 0, headBytes: 0 };
  readonly #registry = new Registry();
  readonly #pings: Pings;
  readonly #answers: AnswerTable;
  readonly #sweeper: NodeJS.Timeout;
  #isGreeted = false;
  #reports = 0;

  constructor(duplex: Duplex, options: LinkOptions) {
    this.limits = { ...LINK_LIMITS, ...options.limits };
    this.#duplex = duplex;
    this.#onFault = options.onFault;
    this.#answers = new AnswerTable(this.limits);
    this.writer = new LinkWriter(duplex, this.limits, () => {
      this.#end(new AppError('link-stalled', 'The other side of the link does not read any more.'), true);
    });
    this.#pings = new Pings(this.writer, this.limits.pings, this.#closed.signal);
    this.#reader = new LinkReader(
      duplex,
      this.limits,
      (...frame) => this.#receive(...frame),
      (error) => this.#end(toAppError(error), true),
    );
    duplex.on('end', () => this.#end(new AppError('link-closed', 'The other side has ended the link.'), true));
    duplex.on('close', () => this.#end(new AppError('link-closed', 'The socket of the link is closed.'), true));
    duplex.on('error', (cause: Error) => {
      this.#end(new AppError('link-broken', `The socket of the link has failed: ${cause.message}`, { cause }), true);
    });
    this.writer.control(jsonFrame(KIND.hello, 0, helloJson(this.limits)));
    this.#sweeper = setInterval(() => this.#sweep(), this.limits.stallMs / SWEEPS_PER_STALL);
    this.#sweeper.unref();
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get load(): LinkLoad {
    return {
      calls: this.#own.calls,
      handling: this.#theirs.calls,
      opened: this.#own.streams,
      accepted: this.#theirs.streams,
      sentBytes: this.writer.unconsumed,
      receivedBytes: this.received.bytes,
    };
  }

  async call(method: string, params: unknown, options: CallOptions = {}): Promise<CallResult> {
    this.#closed.signal.throwIfAborted();
    if (options.signal?.aborted === true) throw abortError(options.signal.reason);
    if (this.#own.calls >= this.limits.calls) {
      throw new AppError('link-busy', 'Too many calls are under way.', { retryable: true });
    }
    const { key } = options;
    if (key !== undefined && key.length > MAX_NAME) throw new AppError('link-bad-params', 'The key is too long.');
    const deadlineMs = Math.min(options.deadlineMs ?? this.limits.deadlineMs, this.limits.maxDeadlineMs);
    const head = [checkedName(method), deadlineMs, key ?? null, options.body ? 1 : 0];
    const json = this.#json(params === undefined ? head : [...head, params], method);
    const call = new OutgoingCall(this, ++this.#own.lastId, method, options);
    this.#own.calls += 1;
    this.#own.exchanges.set(call.id, call);
    return call.start(json, deadlineMs, options);
  }

  handle(method: string, handler: LinkHandler): () => void {
    return this.#registry.handle(method, handler);
  }

  notify(name: string, params: unknown): void {
    if (this.#closed.signal.aborted) return;
    const head = [checkedName(name)];
    const json = this.#json(params === undefined ? head : [...head, params], name);
    this.writer.control(jsonFrame(KIND.notice, 0, json));
  }

  on(name: string, listener: (params: unknown) => void): () => void {
    return this.#registry.on(name, listener);
  }

  open(name: string, params: unknown): LinkStream {
    this.#closed.signal.throwIfAborted();
    if (this.#own.streams >= this.limits.streams) {
      throw new AppError('link-busy', 'Too many streams are open.', { retryable: true });
    }
    const head = [checkedName(name)];
    const json = this.#json(params === undefined ? head : [...head, params], name);
    const stream = new StreamExchange(this, ++this.#own.lastId, 0, name);
    this.#own.streams += 1;
    this.#own.exchanges.set(stream.id, stream);
    stream.begin(json);
    return stream;
  }

  accept(name: string, accepted: (params: unknown, stream: LinkStream) => void): () => void {
    return this.#registry.accept(name, accepted);
  }

  close(reason: string): void {
    this.#end(new AppError('link-closed', reason), false);
  }

  ping(deadlineMs: number): Promise<number> {
    return this.#pings.ping(deadlineMs);
  }

  remove(exchange: Exchange): void {
    const table = exchange.side === 0 ? this.#own : this.#theirs;
    if (!table.exchanges.delete(exchange.id)) return;
    if (exchange instanceof StreamExchange) table.streams -= 1;
    else table.calls -= 1;
    if (exchange instanceof IncomingCall) table.headBytes -= exchange.headBytes;
  }

  report(thrown: unknown, where: string): void {
    if (++this.#reports > MAX_REPORTS || !this.#onFault) return;
    this.#onFault(toAppError(thrown), where);
  }

  #json(value: unknown, name: string): string {
    let json: string;
    try {
      json = JSON.stringify(value);
    } catch (cause) {
      throw new AppError('link-bad-params', `${name} has parameters without a JSON form.`, { cause });
    }
    if (json.length > this.limits.jsonBytes || Buffer.byteLength(json) > this.limits.jsonBytes) {
      throw new AppError('link-too-large', `The parameters of ${name} are above the bound: send them as a body.`);
    }
    return json;
  }

  #receive(...[kind, answering, id, payload, own]: Parameters<FrameSink>): void {
    if (!this.#isGreeted) {
      if (kind !== KIND.hello || payload.toString() !== helloJson(this.limits)) {
        throw new AppError('link-version', 'The other side speaks another version of the link.');
      }
      this.#isGreeted = true;
      return;
    }
    switch (kind) {
      case KIND.hello:
        throw malformed('a second greeting');
      case KIND.goodbye:
        return this.#end(new AppError('link-closed', parseReason(payload)), true);
      case KIND.ping:
        return this.writer.control(headerFrame(KIND.pong | ANSWERING, id, 0));
      case KIND.pong:
        return this.#pings.answered(id);
      case KIND.notice:
        return this.#receiveNotice(payload);
      case KIND.call:
      case KIND.open:
        if (id !== this.#theirs.lastId + 1) throw malformed('an id out of order');
        this.#theirs.lastId = id;
        return kind === KIND.call ? this.#receiveCall(id, payload) : this.#receiveOpen(id, payload);
      default: {
        const table = answering ? this.#own : this.#theirs;
        if (id > table.lastId) throw malformed('an id that was never given out');
        // Frames for what is complete on this side may be on their way still.
        table.exchanges.get(id)?.receive(kind, payload, own);
      }
    }
  }

  #receiveNotice(payload: Buffer): void {
    const { name, params } = parseOpen(payload);
    const listeners = this.#registry.listeners.get(name);
    if (!listeners) {
      this.report(new AppError('link-unknown-notice', 'Nobody listens to a notice.', { data: { name } }), 'notice');
      return;
    }
    for (const listener of [...listeners]) {
      try {
        listener(params);
      } catch (error) {
        this.report(error, name);
      }
    }
  }

  #receiveCall(id: number, payload: Buffer): void {
    const head = parseCall(payload);
    const call = new IncomingCall(this, id, head, payload.length);
    this.#theirs.exchanges.set(id, call);
    this.#theirs.calls += 1;
    this.#theirs.headBytes += payload.length;
    const { calls, headBytes } = this.#theirs;
    const handler = this.#registry.handlers.get(head.method);
    if (calls > this.limits.handling || headBytes > this.limits.handlingBytes) {
      call.refuse(new AppError('link-busy', 'Too many calls are being handled.', { retryable: true }));
    } else if (handler) call.run(handler, this.#answers);
    else call.refuse(new AppError('link-unknown-method', `Nobody handles ${head.method}.`));
  }

  #receiveOpen(id: number, payload: Buffer): void {
    const { name, params } = parseOpen(payload);
    const stream = new StreamExchange(this, id, ANSWERING, name);
    this.#theirs.exchanges.set(id, stream);
    this.#theirs.streams += 1;
    const accepted = this.#registry.acceptors.get(name);
    if (this.#theirs.streams > this.limits.streams) stream.close('link-busy');
    else if (!accepted) stream.close('link-unknown-stream');
    else {
      try {
        accepted(params, stream);
      } catch (error) {
        this.report(error, name);
        stream.close(error instanceof AppError ? error.code : 'internal');
      }
    }
  }

  #sweep(): void {
    const before = performance.now() - this.limits.stallMs;
    for (const { exchanges } of [this.#own, this.#theirs]) {
      for (const exchange of [...exchanges.values()]) exchange.sweep(before);
    }
    this.#answers.sweep();
  }

  #end(error: AppError, isLost: boolean): void {
    if (this.#closed.signal.aborted) {
      if (isLost) this.#duplex.destroy();
      return;
    }
    clearInterval(this.#sweeper);
    this.#reader.stop();
    if (isLost) {
      this.writer.close();
      this.#duplex.destroy();
    } else {
      this.writer.finish(jsonFrame(KIND.goodbye, 0, JSON.stringify([cutText(error.message)])));
      setTimeout(() => this.#duplex.destroy(), LAST_FRAMES_MS).unref();
    }
    this.#closed.abort(error);
    for (const { exchanges } of [this.#own, this.#theirs]) {
      for (const exchange of [...exchanges.values()]) exchange.linkEnded(error);
      exchanges.clear();
    }
  }
}

function helloJson(limits: WireLimits): string {
  const { jsonBytes, pieceBytes, chunkBytes, windowBytes, bodyBytes, windowChunks, linkBytes } = limits;
  return JSON.stringify([
    'vitrine-link',
    LINK_VERSION,
    jsonBytes,
    pieceBytes,
    chunkBytes,
    windowBytes,
    bodyBytes,
    windowChunks,
    linkBytes,
  ]);
}

function checkedName(name: string): string {
  if (name.length > MAX_NAME) throw new AppError('link-bad-params', 'The name is too long.');
  return name;
}

/**
 * Speaks the link over a stream socket. Both sides are the same. The socket belongs to the link from here on; the caller ends
 * the link with `close`.
 */
export function linkPeer(duplex: Duplex, options: LinkOptions = {}): LinkPeer {
  return new Peer(duplex, options);
}
