import type { AppError } from '../../core/protocol/errors.ts';

/**
 * A body to send: bytes at once, or a source that is read only as fast as the other side consumes. Chunks of a source belong to the link from here on:
 * those that came as the body of another link are used again.
 */
export type BodySource = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * A body that arrives. It can be iterated once; each chunk belongs to the reader, and the sender may go on as chunks are
 * taken. Iteration throws an AppError: the sender's own error, `link-aborted`, `link-timeout` or the error that ended the
 * link. Leaving the loop early aborts.
 */
export interface LinkBody extends AsyncIterable<Uint8Array> {
  /** Ends the body on both sides; the sender's source is returned. */
  abort(reason?: unknown): void;
  /** Gives back the memory of a chunk that its reader will not look at any more. Whoever keeps or passes on chunks does not call it. */
  spent?(chunk: Uint8Array): void;
}

/** A call as its handler gets it. */
export interface LinkRequest {
  readonly params: unknown;
  /** Present where the caller sends one. What is not read once the answer is complete is aborted. */
  readonly body?: LinkBody;
  /**
   * Aborted by the caller's abort, by the deadline and by the end of the link. A call with an idempotency key goes on past
   * its deadline, since its answer is kept for a repeated call.
   */
  readonly signal: AbortSignal;
}

/** The answer of a handler. A call with an idempotency key cannot be answered with a body. */
export interface LinkAnswer {
  readonly value?: unknown;
  readonly body?: BodySource;
  /** False: a call that repeats the key of this one is run again, as after a failure. */
  readonly isFinal?: boolean;
}

/** Answers the calls of one method. What it throws reaches the caller: an AppError as it is, everything else as `internal`. */
export type LinkHandler = (request: LinkRequest) => Promise<LinkAnswer> | LinkAnswer;

/** The settings of one call. */
export interface CallOptions {
  /** Time until the answer has to be there, in ms; the body of an answer may take longer. */
  readonly deadlineMs?: number;
  /** Aborts the call, and later the bodies in both directions. */
  readonly signal?: AbortSignal;
  readonly body?: BodySource;
  /**
   * Idempotency key, for a call that changes something: the other side runs calls of a method with the same key once, and answers all with
   * the first answer, within a bound of number and time. A call that has failed is run again.
   */
  readonly key?: string;
}

/** The answer as the caller gets it. */
export interface CallResult {
  readonly value: unknown;
  readonly body?: LinkBody;
}

/** A channel of byte chunks in both directions. Chunk boundaries are kept; each direction has its own credit. */
export interface LinkStream {
  readonly name: string;
  /**
   * Sends a chunk: it goes out as far as credit allows, the rest waits on this side. The bytes belong to the stream from
   * here on. Does nothing on a closed stream. A stream whose waiting bytes pass their bound is closed as `link-stalled`.
   *
   * @throws AppError `link-too-large` for a chunk above the bound
   */
  send(chunk: Uint8Array): void;
  /** Bytes handed to `send` that the other side has not consumed yet: back-pressure goes by it. */
  readonly pending: number;
  /** Calls the listener whenever `pending` falls. */
  onPending(listener: (pending: number) => void): () => void;
  /**
   * Sets the one listener for chunks. They come in order, one at a time; the sender gets the credit of a chunk back once
   * the listener's promise resolves. Chunks that arrive before there is a listener wait. With `concurrent` the next chunk
   * does not wait for that promise.
   */
  onChunk(listener: (chunk: Uint8Array) => void | Promise<void>, options?: { readonly concurrent?: boolean }): void;
  /** Aborted once the stream is closed and what had arrived before is consumed. Its reason is an AppError. */
  readonly closed: AbortSignal;
  /** The reason that was given to `close` on one of the sides, or the code of the error that ended the stream. */
  readonly closeReason: string | undefined;
  /** Closes both directions. The other side learns it after what was sent before. */
  close(reason: string): void;
}

/** Current load of a link, for metrics and tests. */
export interface LinkLoad {
  /** Calls of this side, and of the other side, that are not complete. */
  readonly calls: number;
  readonly handling: number;
  /** Streams that this side, and the other side, has opened. */
  readonly opened: number;
  readonly accepted: number;
  /** Bytes of bodies and streams that were sent and are not consumed on the other side; received and not consumed here. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** One end of a link between two processes. */
export interface LinkPeer {
  /**
   * Calls a method of the other side. Rejects with the AppError of the other side (code, message, data, retryable), or with
   * one of the link: see the table of codes in README.md.
   */
  call(method: string, params: unknown, options?: CallOptions): Promise<CallResult>;
  /** Answers a method. There is one handler per method; the returned function removes it. */
  handle(method: string, handler: LinkHandler): () => void;
  /** Sends a notice: one way, in order with calls. Does nothing on a closed link. */
  notify(name: string, params: unknown): void;
  /** Listens to a notice. Listeners run at once, in order of arrival; the returned function removes the listener. */
  on(name: string, listener: (params: unknown) => void): () => void;
  /**
   * Opens a stream.
   *
   * @throws AppError `link-busy` when too many are open, the error of the link when it is closed
   */
  open(name: string, params: unknown): LinkStream;
  /** Accepts the streams of a name. There is one acceptor per name; the returned function removes it. */
  accept(name: string, accepted: (params: unknown, stream: LinkStream) => void): () => void;
  readonly load: LinkLoad;
  /** Aborted at the end of the link, with an AppError as its reason. */
  readonly closed: AbortSignal;
  /** Ends the link on both sides. */
  close(reason: string): void;
  /** Measures one round trip in ms. Rejects with `link-timeout` after the deadline; the link stays open then. */
  ping(deadlineMs: number): Promise<number>;
}

/** Reports an error that has no caller to go to. `where` names the handler or listener. */
export type FaultListener = (error: AppError, where: string) => void;
