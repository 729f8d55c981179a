import { BodyCarrier } from '../protocol/bodies/carrier.ts';
import { BodyLayer } from '../protocol/bodies/layer.ts';
import { decodePiece } from '../protocol/bodies/pieces.ts';
import type { Bodies } from '../protocol/endpoint.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import { KIND } from '../protocol/frames.ts';
import type { Channel, ChannelEvents } from './channel.ts';
import { Uplink } from './uplink.ts';

/** Bytes of one body that wait in the client for their reader. */
const WINDOW_BYTES = 1024 * 1024;

/** The bodies of a client's channel. */
export interface ChannelBodies extends Bodies {
  /** Takes a piece as it came over the channel, and nothing else. */
  readonly take: ChannelEvents['binary'];
}

class ChannelLayer extends BodyLayer implements ChannelBodies {
  readonly #onFault: (fault: AppError) => void;

  constructor(carrier: BodyCarrier, channel: Pick<Channel, 'send'>, onFault: (fault: AppError) => void) {
    super(carrier, (lane, packet) => channel.send(lane, packet));
    this.#onFault = onFault;
  }

  readonly take: ChannelEvents['binary'] = (kind, _lane, piece) => {
    try {
      if (kind !== KIND.data) throw new AppError('unknown-message', `unknown kind ${kind}`);
      this.carrier.take(decodePiece(piece));
    } catch (thrown) {
      this.#onFault(toAppError(thrown));
    }
  };
}

/**
 * Carries the bodies of a channel: down in its entries, up by POST to its host's origin. Loaded with the first one; over when it is
 * closed.
 */
export function channelBodies(
  channel: Pick<Channel, 'names' | 'send'>,
  report: (
    event: 'tc-channel-fault',
    data: Pick<AppError, 'code' | 'message'>,
    options: { readonly level: 'error' },
  ) => void,
  origin: string,
): BodyLayer & ChannelBodies {
  const onFault = ({ code, message }: AppError): void =>
    report('tc-channel-fault', { code, message }, { level: 'error' });
  const uplink = new Uplink({
    origin,
    names: channel.names,
    onRoom: () => carrier.resume(),
    onLost: (reason) => carrier.abort(reason),
  });
  const carrier = new BodyCarrier({
    windowBytes: WINDOW_BYTES,
    transport: {
      transmit: (lane, packet) => channel.send(lane, packet),
      piece: (piece) => uplink.send(piece),
      isReady: () => uplink.isReady(),
      close: () => uplink.close(),
    },
    onFault,
  });
  return new ChannelLayer(carrier, channel, onFault);
}
