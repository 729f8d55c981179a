import type { AppError } from './errors.ts';

/** Kind of body that a message carries beside its JSON: none, bytes that arrive whole, or a stream that is read while it arrives. */
export type BodyKind = 'json' | 'bytes' | 'stream';

/** Whether there is a body; a message that names no kind has none. */
export function hasBody(kind: BodyKind | undefined): kind is 'bytes' | 'stream' {
  return kind === 'bytes' || kind === 'stream';
}

/**
 * Bytes that arrive piece by piece, to be read once: `for await (const piece of stream)`. Leaving the loop early cancels the stream.
 * The sender may be ahead of the reader by one window of bytes; then it waits. The loop throws an AppError when the sender aborts, or its
 * connection is lost.
 */
export interface ByteStream extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  /** Reads all that is left. Rejects with `body-too-large` past `maxBytes`. */
  bytes(maxBytes?: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Stops the sender; what has arrived is dropped. Nothing happens after the end. */
  cancel(reason?: AppError): void;
}

/** Bytes to send: whole, or as they come. An iterator is asked for more once what it gave has been handed over, and returned early when the receiver cancels. Bytes given must not change before that. */
export type ByteSource = Uint8Array | AsyncIterable<Uint8Array>;

/** Received body of a message of this kind. */
type Received<B extends BodyKind> = B extends 'bytes'
  ? Uint8Array<ArrayBuffer>
  : B extends 'stream'
    ? ByteStream
    : undefined;

/** Sent body of a message of this kind. */
type Sent<B extends BodyKind> = B extends 'bytes' ? Uint8Array : ByteSource;

/** A result with a body. */
export interface WithBody<R, D> {
  readonly result: R;
  readonly body: D;
}

/** Value with which a call with this kind of result body resolves. */
export type Answer<R, A extends BodyKind> = [A] extends ['json'] ? R : WithBody<R, Received<Exclude<A, 'json'>>>;

/** Answer of a handler to a call with this kind of result body; none where there is no result. */
type HandlerAnswer<R, A extends BodyKind> = [A] extends ['json']
  ? R | (R extends undefined ? void : never)
  : WithBody<R, Sent<Exclude<A, 'json'>>>;

/** Arguments of a handler after the parameters. */
type HandlerBody<B extends BodyKind> = [B] extends ['json'] ? [] : [body: Received<Exclude<B, 'json'>>];

/** Handles a message: with its parameters, and its body where it has one. */
export type Handler<P, R, B extends BodyKind = 'json', A extends BodyKind = 'json'> = (
  params: P,
  ...body: HandlerBody<B>
) => HandlerAnswer<R, A> | Promise<HandlerAnswer<R, A>>;

/** The same for what may come from several frames. */
export type FrameHandler<P, R, B extends BodyKind, A extends BodyKind, F> = (
  params: P,
  frame: F,
  ...body: HandlerBody<B>
) => HandlerAnswer<R, A> | Promise<HandlerAnswer<R, A>>;

/** Arguments after the parameters of a message that is sent: options, which hold the body where there is one. */
export type SendRest<B extends BodyKind, O> = [B] extends ['json']
  ? [options?: O]
  : [options: O & { readonly body: Sent<Exclude<B, 'json'>> }];
