import { Endpoint, nameTable, parsePacket } from '../../endpoint.ts';
import type { Packet } from '../../endpoint.ts';
import type { AppError } from '../../errors.ts';
import type { AnyMessage } from '../../message.ts';
import { BodyCarrier } from '../carrier.ts';
import type { CarrierOptions } from '../carrier.ts';
import { BodyLayer } from '../layer.ts';
import { decodePiece, encodePiece } from '../pieces.ts';

/** Packet or piece that is sent over the wire of a test. */
type Sent = { readonly packet: Packet } | { readonly piece: Uint8Array };

/** One side of a conversation over a wire in memory. */
interface Side {
  readonly endpoint: Endpoint;
  readonly carrier: BodyCarrier;
  readonly faults: string[];
  /** All that it has sent. */
  readonly sent: Sent[];
  /** Bytes of pieces that it has sent. */
  pieceBytes(): number;
  /** From now on what it sends waits, or goes again. */
  hold(held: boolean): void;
  /** Bytes that it may have in transit before it has to wait. */
  room: number;
}

/** Two endpoints with bodies, joined in memory: all that is sent arrives, in order, in a later task. */
export function carrierPair(
  messages: readonly AnyMessage[],
  options: Partial<CarrierOptions> = {},
): readonly [left: Side, right: Side] {
  const table = nameTable(messages);
  const sides: Side[] = [];
  const make = (other: 0 | 1): Side => {
    const faults: string[] = [];
    const sent: Sent[] = [];
    const onFault = ({ code }: AppError): void => void faults.push(code);
    let held: Sent[] | undefined;
    let waiting = 0;
    const deliver = (each: Sent): void =>
      void setImmediate(() => {
        const peer = sides[other];
        if ('piece' in each) {
          waiting -= each.piece.length;
          peer?.carrier.take(decodePiece(each.piece));
          carrier.resume();
        } else peer?.endpoint.receive(parsePacket(JSON.parse(JSON.stringify(each.packet))));
      });
    const send = (each: Sent): void => {
      sent.push(each);
      if (held) held.push(each);
      else deliver(each);
    };
    const carrier: BodyCarrier = new BodyCarrier({
      transport: {
        transmit: (_lane, packet) => send({ packet }),
        piece: (piece) => {
          const encoded = encodePiece(piece);
          waiting += encoded.length;
          send({ piece: encoded });
        },
        isReady: () => waiting < side.room,
      },
      onFault,
      ...options,
    });
    const layer = new BodyLayer(carrier, (_lane, packet) => send({ packet }));
    const endpoint = new Endpoint({
      table,
      transmit: (...given) => layer.send(...given),
      onFault,
      bodies: layer,
    });
    const side: Side = {
      endpoint,
      carrier,
      faults,
      sent,
      room: 256 * 1024,
      pieceBytes: () => sent.reduce((sum, each) => sum + ('piece' in each ? each.piece.length : 0), 0),
      hold: (isHeld) => {
        const before = held ?? [];
        held = isHeld ? [] : undefined;
        for (const each of before) deliver(each);
      },
    };
    return side;
  };
  const left = make(1);
  const right = make(0);
  sides.push(left, right);
  return [left, right];
}

/** Bytes that differ from place to place. */
export function patterned(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    bytes[at] = state >> 16;
  }
  return bytes;
}

/** The bytes piece by piece. */
export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}
