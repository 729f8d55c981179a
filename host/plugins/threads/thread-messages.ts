import { hasBody } from '../../../core/protocol/body.ts';
import type { ByteSource, WithBody } from '../../../core/protocol/body.ts';
import { validate } from '../../../core/protocol/message.ts';
import type { AnyMessage } from '../../../core/protocol/message.ts';
import { Accompanied, packetWith } from './thread-bodies.ts';
import type { BodyWire } from './thread-bodies.ts';
import type { Settled } from './thread-wire.ts';

interface Sending {
  readonly body?: ByteSource;
  readonly signal?: AbortSignal;
}

/** What a thread's end does with messages and their bodies: what an endpoint does elsewhere. */
interface ThreadMessages {
  /** Sends a message's body, where it has one, behind what `transmit` sends with the body's number; answers what that does. */
  sent<T>(message: AnyMessage, options: Sending | undefined, transmit: (body: number) => T): T;
  /** What an answer resolves with: validated, and with its body where it has one. */
  answer(message: AnyMessage, settled: Settled): Promise<unknown>;
  /**
   * Calls a handler with what is validated, and with its body once that is there; answers what goes back to the host. What comes later in
   * the same `line` waits.
   */
  handled(
    message: AnyMessage,
    line: string,
    given: readonly [params: unknown, body: number],
    handler: (params: unknown, ...body: unknown[]) => unknown,
  ): Promise<unknown>;
}

/** Messages of a thread over the carrier of its bodies. */
export function threadMessages(wire: BodyWire): ThreadMessages {
  const { carrier } = wire;
  return {
    sent: (message, options, transmit) => {
      if (!hasBody(message.body)) return transmit(0);
      const sent: ReturnType<typeof transmit>[] = [];
      wire.send(options ?? {}, message, (body) => void sent.push(transmit(body)));
      return sent[0] as ReturnType<typeof transmit>; // it has been called
    },
    answer: async (message, { value, body }) => {
      const result = message.result ? validate(message.result, value, message.name) : undefined;
      return !hasBody(message.resultBody) ? result : carrier.answer(packetWith(body), message, result);
    },
    handled: async (message, line, [params, body], handler) => {
      const run = (...given: unknown[]): unknown => handler(validate(message.params, params, message.name), ...given);
      const outcome = await carrier.receive(packetWith(body), message, run, line);
      if (!hasBody(message.resultBody)) return outcome;
      const answer = outcome as WithBody<unknown, ByteSource>; // what a handler of such a message answers
      return new Accompanied(answer.result, answer.body, { ...message, body: message.resultBody });
    },
  };
}
