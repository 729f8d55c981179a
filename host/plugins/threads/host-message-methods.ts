import * as v from 'valibot';
import { hasBody } from '../../../core/protocol/body.ts';
import type { ByteStream, WithBody } from '../../../core/protocol/body.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { AnyMessage, Message } from '../../../core/protocol/message.ts';
import { messagesOf } from '../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { HostScope } from '../../contracts/host-scope.ts';
import type { InputSlots } from './input-slots.ts';
import { deadlineMs, index, text } from './method-table.ts';
import type { ListenerCalls, MethodTable } from './method-table.ts';
import { Accompanied, STREAM } from './thread-bodies.ts';

const after = v.optional(v.nullable(v.tuple([v.number(), v.number(), v.number()])));
/** Number of a body. */
const body = v.optional(v.nullable(index));

const options = (given: {
  readonly deadlineMs?: number | null | undefined;
  readonly after?: [number, number, number] | null | undefined;
}) => ({
  ...(given.deadlineMs ? { deadlineMs: given.deadlineMs } : {}),
  ...(given.after ? { after: given.after } : {}),
});

/** Parts of a thread's half that its messages go by. */
interface MessageParts {
  readonly scope: Pick<HostScope, 'commands' | 'page' | 'plugin'>;
  readonly manifest: AnyManifest;
  readonly calls: ListenerCalls;
  /** Where messages of its devices hold their place. */
  readonly slots: InputSlots;
}

/** Adds the methods `commands.*` and `page.*`. The scope itself holds the plugin to its own messages; their values are checked by who reads them. */
export function addMessageMethods(
  { add, registered }: MethodTable,
  { scope, manifest, calls, slots }: MessageParts,
): void {
  const { commands, page, plugin } = scope;
  const messages = new Map(messagesOf(manifest).map((each) => [each.name, each]));
  // Bodies pass through as streams, whatever their kind: the thread puts together what is to come whole.
  const declared = (name: string): AnyMessage => {
    const found = messages.get(name);
    if (!found) throw new AppError('not-yours', `${name} is no message of ${plugin.id}`);
    return found;
  };
  const messageOf = (name: string) => declared(name) as Message<unknown, undefined, 'stream'>; // whether it has a result, and bodies, is looked at below
  const bodyOf = (name: string, number: number | null | undefined) => {
    if (!hasBody(declared(name).body) || !number) return {};
    return { body: calls.stream(number) };
  };
  const settled = async (name: string, answer: Promise<unknown>): Promise<unknown> => {
    if (!hasBody(declared(name).resultBody)) return answer;
    const { result, body: stream } = (await answer) as WithBody<unknown, ByteStream>; // what such a call resolves with
    return new Accompanied(result, stream, STREAM);
  };
  /** Has a listener handle a message, and answers as the message says. */
  const asked = async (
    name: string,
    listener: number,
    args: readonly unknown[],
    stream?: ByteStream,
  ): Promise<never> => {
    const answer = await calls.ask(listener, args, stream && new Accompanied(undefined, stream, STREAM));
    if (!hasBody(declared(name).resultBody)) return answer.value as never; // looked at by whoever asked
    return { result: answer.value, body: calls.stream(answer.body) } as never;
  };

  add('commands.send', [text, v.unknown(), after, body], (name, params, position, number) =>
    commands.send(messageOf(name), params, { ...options({ after: position }), ...bodyOf(name, number) } as never),
  );
  add('commands.call', [text, v.unknown(), deadlineMs, after, body], (name, params, ms, position, number) => {
    const given = { ...options({ deadlineMs: ms, after: position }), ...bodyOf(name, number) };
    return settled(name, commands.call(messageOf(name), params, given as never));
  });
  add('commands.handle', [text, index], (name, listener) => {
    const message = messageOf(name);
    const handle = (params: unknown, stream?: ByteStream): Promise<never> =>
      message.lane === 'input'
        ? slots.hold((place) => asked(name, listener, [params, place], stream))
        : asked(name, listener, [params], stream);
    registered(listener, commands.handle(message, handle));
  });
  add('page.send', [index, text, v.unknown(), body], (frame, name, params, number) =>
    page.send(frame, messageOf(name), params, bodyOf(name, number) as never),
  );
  add('page.call', [index, text, v.unknown(), deadlineMs, body], (frame, name, params, ms, number) => {
    const given = { ...options({ deadlineMs: ms }), ...bodyOf(name, number) };
    return settled(name, page.call(frame, messageOf(name), params, given as never));
  });
  add('page.handle', [text, index], (name, listener) =>
    registered(
      listener,
      page.handle(messageOf(name), (params, frame, stream?: ByteStream) =>
        asked(name, listener, [params, frame], stream),
      ),
    ),
  );
}
