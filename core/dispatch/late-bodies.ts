import type { ChannelBodies } from '../channel/bodies.ts';
import { OPCODE_BODY } from '../protocol/endpoint.ts';
import type { EndpointOptions } from '../protocol/endpoint.ts';

/**
 * Bodies whose code is loaded when the first one goes or comes; all that is sent and received meanwhile waits, in order. Where it cannot
 * be loaded, bodies do not arrive, and the next one tries again.
 */
export function lateBodies(
  transmit: EndpointOptions['transmit'],
  load: () => Promise<ChannelBodies>,
  onFault: (thrown: unknown) => void,
): ChannelBodies {
  let bodies: ChannelBodies | undefined;
  let waiting: (() => void)[] | undefined;
  const goOn = (): void => {
    for (const run of waiting ?? [])
      try {
        run();
      } catch (thrown) {
        onFault(thrown);
      }
    waiting = undefined;
  };
  const inOrder = (isNeeded: unknown, run: () => void): void => {
    if (isNeeded && !bodies && !waiting) {
      waiting = [];
      void load()
        .then((loaded) => void (bodies = loaded), onFault)
        .then(goOn);
    }
    if (waiting) waiting.push(run);
    else run();
  };
  return {
    send: (lane, packet, message, given) =>
      inOrder(given?.body ?? message?.resultBody, () => {
        if (bodies) bodies.send(lane, packet, message, given);
        else transmit(lane, packet);
      }),
    receive: (packet, end) =>
      inOrder(packet[4] ?? packet[0] === OPCODE_BODY, () => {
        if (bodies) bodies.receive(packet, end);
        else end.take(packet);
      }),
    take: (...binary) => inOrder(true, () => bodies?.take(...binary)),
    goesOn: (call) => bodies?.goesOn(call),
    close: (reason) => {
      waiting = undefined;
      bodies?.close(reason);
    },
  };
}
