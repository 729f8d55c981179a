import { AppError } from '../../core/protocol/errors.ts';
import type { LinkStream } from './api.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeHome } from './exchange.ts';
import { abortError, failureJson, parseFailure, parseReason } from './failure.ts';
import { Inflow } from './inflow.ts';
import { MAX_NAME } from './limits.ts';
import { Outflow } from './outflow.ts';
import { cutText, jsonArray, jsonFrame, KIND, malformed } from './wire.ts';

type ChunkListener = (chunk: Uint8Array) => void | Promise<void>;

/**
 * The payload of an open frame.
 *
 * @throws AppError `link-malformed`
 */
export function parseOpen(payload: Buffer): { readonly name: string; readonly params: unknown } {
  const [name, params] = jsonArray(payload, 1, 2);
  if (typeof name !== 'string' || name.length > MAX_NAME) throw malformed('invalid name');
  return { name, params };
}

/** One side's end of a stream. */
export class StreamExchange extends Exchange implements LinkStream {
  readonly name: string;
  readonly #closed = new AbortController();
  readonly #out: Outflow;
  readonly #in: Inflow;
  readonly #pendingListeners = new Set<(pending: number) => void>();
  #listener: ChunkListener | undefined;
  #isConcurrent = false;
  #lastPending = 0;
  #isDelivering = false;
  #closeReason: string | undefined;
  #remoteReason: string | undefined;

  constructor(home: ExchangeHome, id: number, side: number, name: string) {
    super(home, id, side);
    this.name = name;
    this.#out = this.outflow = new Outflow(this, true);
    this.#out.onChange = () => this.#notePending();
    this.#out.onDone = () => this.progressed();
    this.#in = this.inflow = new Inflow(this, home.received, home.limits.windowBytes);
    this.#in.onChange = () => this.#deliver();
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get closeReason(): string | undefined {
    return this.#closeReason;
  }

  get pending(): number {
    return this.#out.pending;
  }

  /** Tells the other side of the stream. `json` is the payload. */
  begin(json: string): void {
    this.sendJson(KIND.open, json);
  }

  send(chunk: Uint8Array): void {
    if (chunk.length > this.limits.chunkBytes) {
      throw new AppError('link-too-large', `A chunk of stream ${this.name} is above the bound.`);
    }
    this.#out.push(chunk);
    this.#lastPending = this.#out.pending;
    if (this.#out.cost > this.limits.waitingBytes) this.#cut('link-stalled');
  }

  onPending(listener: (pending: number) => void): () => void {
    this.#pendingListeners.add(listener);
    return () => this.#pendingListeners.delete(listener);
  }

  onChunk(listener: ChunkListener, { concurrent = false }: { readonly concurrent?: boolean } = {}): void {
    this.#listener = listener;
    this.#isConcurrent = concurrent;
    this.#deliver();
  }

  close(reason: string): void {
    if (this.#closed.signal.aborted) return;
    this.#in.discard();
    if (this.#remoteReason === undefined) {
      // Nothing that the other side sends is read any more: `stop` reports this to it before the remaining chunks are sent.
      this.sendJson(KIND.stop, failureJson(abortError(), this.limits));
      this.#out.finish(jsonFrame(KIND.close | this.side, this.id, JSON.stringify([cutText(reason)])));
    }
    this.#finish(reason);
  }

  protected receiveOther(kind: number, payload: Buffer): void {
    if (kind === KIND.cancel) this.#drop(this.#remoteReason ?? 'link-aborted');
    else if (kind === KIND.stop) {
      parseFailure(payload);
      this.#out.discard();
      this.progressed();
    } else if (kind === KIND.close) {
      this.#remoteReason = parseReason(payload);
      this.#in.end();
      this.#out.discard();
      if (this.#closed.signal.aborted) this.progressed();
      else this.#deliver();
    } else throw malformed(`kind ${kind} for a stream`);
  }

  protected progressed(): void {
    if (this.#closed.signal.aborted && this.#out.isDone) this.home.remove(this);
  }

  #notePending(): void {
    const { pending } = this.#out;
    if (pending >= this.#lastPending) return;
    this.#lastPending = pending;
    for (const listener of this.#pendingListeners) {
      try {
        listener(pending);
      } catch (error) {
        this.home.report(error, this.name);
      }
    }
  }

  override linkEnded(error: AppError): void {
    this.#drop(error.code);
  }

  override sweep(before: number): void {
    const isLeaving = this.#closed.signal.aborted && this.#out.lastProgress < before;
    const isUnread = this.#remoteReason !== undefined && this.#in.lastProgress < before;
    if (isLeaving) this.#cut('link-timeout');
    else if (isUnread) this.#drop(this.#remoteReason ?? 'link-timeout');
  }

  /** Closes at once, without what was sent before. */
  #cut(reason: string): void {
    this.sendCancel(0);
    this.#drop(reason);
  }

  #drop(reason: string): void {
    this.#in.discard();
    this.#out.discard();
    this.#finish(reason);
  }

  #finish(reason: string): void {
    if (!this.#closed.signal.aborted) {
      this.#closeReason = reason;
      this.#listener = undefined;
      this.#closed.abort(new AppError('link-closed', `Stream ${this.name} is closed: ${reason}`));
    }
    this.progressed();
  }

  #deliver(): void {
    while (this.#listener && !this.#isDelivering) {
      const chunk = this.#in.shift();
      if (!chunk) break;
      this.#isDelivering = !this.#isConcurrent;
      try {
        const consumed = this.#listener(chunk);
        if (consumed) {
          void consumed.then(
            () => this.#delivered(chunk.length, true),
            (error: unknown) => this.#failed(error),
          );
        } else this.#delivered(chunk.length, false);
      } catch (error) {
        this.#failed(error);
      }
    }
    const isRead = this.#in.isEnded && this.#in.isEmpty && !this.#isDelivering;
    if (this.#remoteReason !== undefined && isRead && !this.#closed.signal.aborted) this.#finish(this.#remoteReason);
  }

  #delivered(length: number, goOn: boolean): void {
    this.#isDelivering = false;
    this.#in.consumed(length);
    if (goOn && !this.#isConcurrent) this.#deliver();
  }

  #failed(error: unknown): void {
    this.#isDelivering = false;
    this.home.report(error, this.name);
    this.close('internal');
  }
}
