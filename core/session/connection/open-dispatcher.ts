import type { Channel } from '../../channel/channel.ts';
import { Dispatcher } from '../../dispatch/dispatcher.ts';
import type { Readiness } from '../../dispatch/dispatcher.ts';
import { lateBodies } from '../../dispatch/late-bodies.ts';
import type { Report } from '../../events/report.ts';
import type { Gated } from '../../loader/gate.ts';
import type { OpcodeTable } from '../../plugins/opcodes.ts';
import { openChannel } from './open-channel.ts';
import type { TabChannelOptions } from './open-channel.ts';

/** Options of the connection of a paired tab. */
interface ConnectionOptions extends TabChannelOptions {
  readonly table: OpcodeTable;
  readonly gated: Gated;
  readonly report: Report;
}

/** Callbacks of a connection. None is called before {@link openDispatcher} has returned. */
interface ConnectionEvents {
  /** State of a plugin for its messages. */
  readonly readiness: (plugin: string) => Readiness;
  /** A handler has asked for the end of the client. */
  readonly shutDown: (reason: string) => void;
  /** The channel is dead. */
  readonly dead: (reason: string) => void;
}

/** The messages of a tab, and the channel that carries them. */
interface Connection {
  readonly channel: Channel;
  readonly dispatcher: Dispatcher;
}

/** Opens the channel of a paired tab and the dispatcher of its messages. The code of bodies is loaded with the first one. */
export function openDispatcher(
  options: ConnectionOptions,
  { readiness, shutDown, dead }: ConnectionEvents,
): Connection {
  const { window, table, gated, report } = options;
  const bodies = lateBodies(
    (lane, packet) => channel.send(lane, packet),
    async () => (await import('../../channel/bodies.ts')).channelBodies(channel, report, window.location.origin),
    (thrown) => report('tc-channel-fault', { message: String(thrown) }, { level: 'error' }),
  );
  const dispatcher = new Dispatcher({
    table,
    transmit: bodies.send,
    bodies,
    report,
    ownerOf: (op) => table.ownerOf(op) ?? granted(gated, op),
    readiness,
    shutDown: ({ message }) => shutDown(message),
  });
  const channel = openChannel(options, (lane, packet) => dispatcher.receive(lane, packet), bodies.take, dead);
  return { channel, dispatcher };
}

/** The plugin that an opcode was granted to, whose messages are not known before it is loaded. */
function granted({ plugins }: Gated, op: number | string): string | undefined {
  if (typeof op === 'string') return undefined;
  return plugins.find(({ grant: { base, count } }) => op >= base && op < base + count)?.manifest.id;
}
