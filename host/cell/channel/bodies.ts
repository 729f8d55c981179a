import { BodyCarrier } from '../../../core/protocol/bodies/carrier.ts';
import { BodyLayer } from '../../../core/protocol/bodies/layer.ts';
import type { ByteBudget } from '../../../core/protocol/bodies/incoming.ts';
import type { AppError } from '../../../core/protocol/errors.ts';
import type { Channel } from './channel.ts';

/** Carries the bodies of a tab's messages over its channel: down in entries behind all else, up as the client has posted them. */
export function channelBodies(channel: Channel, budget: ByteBudget, onFault: (fault: AppError) => void): BodyLayer {
  const carrier = new BodyCarrier({
    transport: {
      transmit: (lane, packet) => channel.send(lane, packet),
      piece: (piece) => channel.sendPiece(piece),
      isReady: () => channel.hasRoom,
    },
    budget,
    onFault,
  });
  return new BodyLayer(carrier, (lane, packet) => channel.send(lane, packet));
}
