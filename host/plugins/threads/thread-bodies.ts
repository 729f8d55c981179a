import { BodyCarrier } from '../../../core/protocol/bodies/carrier.ts';
import { encodePiece } from '../../../core/protocol/bodies/pieces.ts';
import type { ByteSource, ByteStream } from '../../../core/protocol/body.ts';
import { OPCODE_BODY } from '../../../core/protocol/endpoint.ts';
import type { BodyShapes, Packet } from '../../../core/protocol/endpoint.ts';
import type { AppError } from '../../../core/protocol/errors.ts';

/** Shapes for every body that passes through, whatever its kind. */
export const STREAM: BodyShapes = { lane: 'bulk', body: 'stream', resultBody: 'stream' };

/** Hands bytes over to the other thread; the buffer is gone here then. */
type PostPiece = (piece: Uint8Array<ArrayBuffer>) => void;

/** Carries bodies between a thread and the host: pieces are transferred, not copied, and credit keeps them few. */
function threadCarrier(
  post: PostPiece,
  transmit: (packet: Packet) => void,
  onFault: (fault: AppError) => void,
): BodyCarrier {
  return new BodyCarrier({
    transport: {
      transmit: (_lane, packet) => transmit(packet),
      piece: (piece) => post(encodePiece(piece)),
      isReady: () => true,
    },
    onFault,
  });
}

/** A value that goes to the other thread with a body. */
export class Accompanied {
  readonly value: unknown;
  readonly body: ByteSource;
  readonly shapes: BodyShapes;
  /** Aborts the body. */
  readonly signal?: AbortSignal;

  constructor(value: unknown, body: ByteSource, shapes: BodyShapes, signal?: AbortSignal) {
    this.value = value;
    this.body = body;
    this.shapes = shapes;
    if (signal) this.signal = signal;
  }
}

/** The same body; `onOver` is called at its end (`isComplete`), when it fails, or when its reader leaves it, even before it has begun to read. */
export function followed(
  body: AsyncIterable<Uint8Array>,
  onOver: (isComplete: boolean) => void,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const pieces = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const next = await pieces.next();
            if (next.done) onOver(true);
            return next;
          } catch (thrown) {
            onOver(false);
            throw thrown;
          }
        },
        return: async () => {
          onOver(false);
          await pieces.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Nobody will read this body. */
function discard(body: ByteSource): void {
  if (!(Symbol.asyncIterator in body)) return;
  body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => undefined); // nobody waits for it
}

/** Opcode of a packet of which only the body is used. */
const NO_OP = '';

/** A packet with this body, for a carrier to take. */
export function packetWith(body: number): Packet {
  return [NO_OP, undefined, 0, undefined, body];
}

/**
 * Numbers bodies on their way to the other thread: what a carrier transmits with a body is not a packet here, but a message of the
 * threads that holds the number.
 */
export class BodyWire {
  readonly carrier: BodyCarrier;
  #send: ((body: number) => void) | undefined;

  constructor(post: PostPiece, say: (said: unknown) => void, onFault: (fault: AppError) => void) {
    this.carrier = threadCarrier(
      post,
      ([op, said, , , body]) => {
        if (op === OPCODE_BODY) say(said);
        else this.#send?.(body ?? 0);
      },
      onFault,
    );
  }

  /** Sends a body behind what `send` sends with its number. @throws AppError as {@link BodyCarrier.send}. */
  send(given: Parameters<BodyCarrier['send']>[2], shapes: BodyShapes, send: (body: number) => void): void {
    this.#send = send;
    this.carrier.send([NO_OP, undefined], shapes, given);
  }

  /** Sends a value, with its body where it is {@link Accompanied}: `send` is given the body's number, 0 for none. */
  sendAccompanied(value: unknown, send: (value: unknown, body: number) => void): void {
    if (!(value instanceof Accompanied)) {
      send(value, 0);
      return;
    }
    try {
      this.send(value, value.shapes, (body) => send(value.value, body));
    } catch (thrown) {
      discard(value.body);
      throw thrown;
    }
  }

  /** The stream that came with a message from the other thread. @throws AppError when it is over already, or there is none. */
  stream(body: number): ByteStream {
    return this.carrier.receive(packetWith(body), STREAM, (stream) => stream, `${body}`) as ByteStream; // of that kind
  }
}
