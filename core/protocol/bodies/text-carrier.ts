import { fromBase64, toBase64 } from '../base64.ts';
import type { Packet } from '../endpoint.ts';
import type { Lane } from '../lanes.ts';
import { BodyCarrier, pieceAsText } from './carrier.ts';
import type { CarrierOptions } from './carrier.ts';

/** How a carrier of text reaches the other side. */
export interface TextCarrierOptions extends Omit<CarrierOptions, 'transport' | 'fromText'> {
  readonly transmit: (lane: Lane, packet: Packet) => void;
  /** Sends a packet with a piece; `transmit` does unless given. */
  readonly transmitPiece?: (packet: Packet) => void;
  /** False while enough pieces are on their way; always ready unless given. */
  readonly isReady?: () => boolean;
}

/** A carrier where only JSON goes: a piece travels as a packet, in base64. */
export function textCarrier({ transmit, transmitPiece, isReady, ...options }: TextCarrierOptions): BodyCarrier {
  const send = transmitPiece ?? ((packet: Packet): void => transmit('bulk', packet));
  return new BodyCarrier({
    ...options,
    fromText: fromBase64,
    transport: {
      transmit,
      piece: (piece) => send(pieceAsText(piece, toBase64(piece.bytes))),
      isReady: isReady ?? (() => true),
    },
  });
}
