import type { Disposal } from '../../../core/plugins/disposal.ts';
import type { Frame } from '../../contracts/frame.ts';
import type { HostScope } from '../../contracts/host-scope.ts';
import { inPlace } from './thread-input.ts';
import { threadMessages } from './thread-messages.ts';
import type { ThreadWire } from './thread-wire.ts';

/** Registers a listener by a method of the scope. Answers with the undo. */
type Listen = (
  method: string,
  listener: (args: readonly unknown[], body: number) => unknown,
  ...args: unknown[]
) => () => void;

/** Registers listeners until they are undone, or the thread's scope is. */
export function listening(wire: ThreadWire, disposal: Disposal): Listen {
  return (method, listener, ...args) => {
    const undo = wire.listen(listener, (id) => wire.sync(method, ...args, id));
    disposal.add(undo);
    return undo;
  };
}

/** The messages of a scope whose half runs in a thread. */
export function messageMethods(wire: ThreadWire, listen: Listen): Pick<HostScope, 'commands' | 'page'> {
  const bodies = threadMessages(wire.bodies);
  return {
    commands: {
      send: (message, params, ...[options]) =>
        bodies.sent(message, options, (body) =>
          wire.invoke('commands.send', message.name, params, options?.after, body),
        ),
      call: async (message, params, ...[options]) => {
        const { deadlineMs, after } = options ?? {};
        const answer = bodies.sent(message, options, (body) =>
          wire.request('commands.call', message.name, params, deadlineMs, after, body),
        );
        return bodies.answer(message, await answer) as never; // validated
      },
      handle: (message, handler) =>
        listen(
          'commands.handle',
          ([params, place], number) =>
            bodies.handled(
              message,
              message.lane,
              [params, number],
              (checked, ...body) => inPlace(place, () => handler(checked as never, ...(body as never))), // validated
            ),
          message.name,
        ),
    },
    page: {
      send: (frame, message, params, ...[options]) =>
        bodies.sent(message, options, (body) => wire.invoke('page.send', frame, message.name, params, body)),
      call: async (frame, message, params, ...[options]) => {
        const answer = bodies.sent(message, options, (body) =>
          wire.request('page.call', frame, message.name, params, options?.deadlineMs, body),
        );
        return bodies.answer(message, await answer) as never; // validated
      },
      handle: (message, handler) =>
        listen(
          'page.handle',
          ([params, frame], number) =>
            bodies.handled(
              message,
              `${(frame as Frame).id} ${message.lane}`,
              [params, number],
              (checked, ...body) => handler(checked as never, frame as Frame, ...(body as never)), // validated; the frame is the host's own
            ),
          message.name,
        ),
    },
  };
}
