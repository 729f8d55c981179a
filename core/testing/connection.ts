import { Dispatcher } from '../dispatch/dispatcher.ts';
import type { OpcodeTable } from '../plugins/opcodes.ts';
import { textBodies } from '../protocol/bodies/text-bodies.ts';
import { Endpoint } from '../protocol/endpoint.ts';
import { AppError } from '../protocol/errors.ts';
import type { TestRecords } from './records.ts';
import type { Wire } from './wire.ts';

/** The two ends of a channel. */
interface TestConnection {
  /** The client's end. */
  readonly dispatcher: Dispatcher;
  /** The host's end. */
  readonly endpoint: Endpoint;
}

/** Connects a client and a host over a wire: messages cross as JSON, with the opcodes of the table. */
export function testConnection(
  wire: Wire,
  table: OpcodeTable,
  { onFault, report }: Pick<TestRecords, 'onFault' | 'report'>,
): TestConnection {
  const toHost = wire.to((_lane, packet) => {
    endpoint.receive(packet);
  });
  const toClient = wire.to((lane, packet) => {
    dispatcher.receive(lane, packet);
  });
  const clientBodies = textBodies({ transmit: toHost, onFault });
  const hostBodies = textBodies({ transmit: toClient, onFault });
  const dispatcher = new Dispatcher({
    table,
    transmit: (...sent) => clientBodies.send(...sent),
    bodies: clientBodies,
    report: (name, data, given) => {
      const { code, message } = data ?? {};
      if (typeof code !== 'string') report(name, data, given);
      else onFault(new AppError(code, String(message)));
    },
    ownerOf: (op) => table.ownerOf(op),
    readiness: () => 'active',
    shutDown: onFault,
  });
  const endpoint = new Endpoint({
    table,
    transmit: (...sent) => hostBodies.send(...sent),
    bodies: hostBodies,
    onFault,
  });
  return { dispatcher, endpoint };
}
