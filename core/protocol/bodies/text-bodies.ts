import { fromBase64, toBase64 } from '../base64.ts';
import type { Packet } from '../endpoint.ts';
import type { Lane } from '../lanes.ts';
import { BodyCarrier, pieceAsText } from './carrier.ts';
import type { CarrierOptions } from './carrier.ts';
import { BodyLayer } from './layer.ts';

/** How bodies as text reach the other side. */
interface TextBodiesOptions extends Omit<CarrierOptions, 'transport' | 'fromText'> {
  readonly transmit: (lane: Lane, packet: Packet) => void;
  /** Sends a packet with a piece; `transmit` does unless given. */
  readonly transmitPiece?: (packet: Packet) => void;
  /** False while enough pieces are on their way; always ready unless given. */
  readonly isReady?: () => boolean;
}

/** Bodies where only JSON goes: a piece travels as a packet, in base64. */
export function textBodies({ transmit, transmitPiece, isReady, ...options }: TextBodiesOptions): BodyLayer {
  const send = transmitPiece ?? ((packet: Packet): void => transmit('bulk', packet));
  const carrier = new BodyCarrier({
    ...options,
    fromText: fromBase64,
    transport: {
      transmit,
      piece: (piece) => send(pieceAsText(piece, toBase64(piece.bytes))),
      isReady: isReady ?? (() => true),
    },
  });
  return new BodyLayer(carrier, transmit);
}
