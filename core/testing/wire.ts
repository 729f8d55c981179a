import { textBodies } from '../protocol/bodies/text-bodies.ts';
import { Endpoint, parsePacket } from '../protocol/endpoint.ts';
import type { EndpointOptions, OpTable, Packet } from '../protocol/endpoint.ts';
import type { AppError } from '../protocol/errors.ts';
import type { Lane } from '../protocol/lanes.ts';

/** Quiet turns of the microtask queue after which nothing more is expected of promises alone. */
const QUIET_TURNS = 30;

/** Takes packets to the other side, in order, in the next microtask, as the JSON that a real channel makes of them. */
export class Wire {
  #traffic = 0;

  /** A way to hand packets to `receive`. */
  to(receive: (lane: Lane, packet: Packet) => void): (lane: Lane, packet: Packet) => void {
    return (lane, packet) => {
      const json = JSON.stringify(packet);
      queueMicrotask(() => {
        this.#traffic += 1;
        receive(lane, parsePacket(JSON.parse(json)));
      });
    };
  }

  /** Resolves when messages, and the promises that they set off, have come to rest; needs no timer. */
  async flush(): Promise<void> {
    let before = this.#traffic;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await Promise.resolve();
      if (this.#traffic !== before) quiet = 0;
      before = this.#traffic;
    }
  }
}

/** Two endpoints that are joined by a wire. */
export function endpointPair(
  wire: Wire,
  table: OpTable,
  onFault: (fault: AppError) => void,
  onUnhandled?: EndpointOptions['onUnhandled'],
): [Endpoint, Endpoint] {
  const make = (receive: (packet: Packet) => void): Endpoint => {
    const transmit = wire.to((_lane, packet) => {
      receive(packet);
    });
    const bodies = textBodies({ transmit, onFault });
    return new Endpoint({
      table,
      transmit: (...sent) => bodies.send(...sent),
      bodies,
      onFault,
      ...(onUnhandled && { onUnhandled }),
    });
  };
  const a: Endpoint = make((packet) => {
    b.receive(packet);
  });
  const b: Endpoint = make((packet) => {
    a.receive(packet);
  });
  return [a, b];
}
