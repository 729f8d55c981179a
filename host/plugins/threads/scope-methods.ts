import * as v from 'valibot';
import { hasBody } from '../../../core/protocol/body.ts';
import type { ByteStream, WithBody } from '../../../core/protocol/body.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { AnyMessage, Message } from '../../../core/protocol/message.ts';
import { messagesOf } from '../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { HostScope, TabHooks } from '../../plugin.ts';
import { addInputMethods } from './input-methods.ts';
import { serviceMethods } from './service-methods.ts';
import { Accompanied, STREAM } from './thread-bodies.ts';

/** How a listener of a thread is reached. */
interface ListenerCalls {
  /** Tells it something. */
  tell(listener: number, args: readonly unknown[]): void;
  /** Asks it for an answer, with a body or without. */
  ask(listener: number, args: readonly unknown[], body?: Accompanied): Promise<Answered>;
  /** The body of a number. @throws AppError when it is over already. */
  stream(body: number): ByteStream;
}

/** Answer of a listener, and the number of its body; 0: none. */
export interface Answered {
  readonly value: unknown;
  readonly body: number;
}

/** A method of the scope as a thread calls it: checks its arguments, which are untrusted. @throws AppError `bad-message`. */
type ScopeMethod = (args: readonly unknown[]) => unknown;

const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(100_000));
const deadlineMs = v.optional(v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(600_000))));
const after = v.optional(v.nullable(v.tuple([v.number(), v.number(), v.number()])));
const stage = v.optional(v.nullable(v.picklist(['first', 'early', 'normal', 'late', 'last'])));
const domain = v.picklist(['Page', 'DOM', 'CSS', 'Network', 'Overlay', 'Accessibility', 'Animation']);
/** Number of a body. */
const body = v.optional(v.nullable(index));
const object = v.optional(v.nullable(v.record(v.string(), v.unknown())));

/** Maximum size of a CDP stream for a thread, in bytes: more would end the thread. */
const MAX_STREAM_BYTES = 32 * 1024 * 1024;

const EACH: Readonly<Record<keyof TabHooks, true>> = {
  navigated: true,
  navigationFailed: true,
  clientAttached: true,
  lagging: true,
  unresponsive: true,
  replaced: true,
  policyChanged: true,
};
/** The tab's hooks, by their names in {@link TabHooks}. */
export const HOOKS = Object.keys(EACH) as (keyof TabHooks)[]; // its own keys

const options = (given: {
  readonly deadlineMs?: number | null | undefined;
  readonly after?: [number, number, number] | null | undefined;
}) => ({
  ...(given.deadlineMs ? { deadlineMs: given.deadlineMs } : {}),
  ...(given.after ? { after: given.after } : {}),
});

/**
 * The methods of a host scope by name, for a thread to call. The scope itself holds the plugin to its own messages and permissions;
 * values of messages are not looked at here, but on the side that reads them.
 */
export function scopeMethods(
  scope: HostScope,
  manifest: AnyManifest,
  calls: ListenerCalls,
): ReadonlyMap<string, ScopeMethod> {
  const { commands, page, frames, hooks, cdp, tab, plugin, service } = scope;
  const messages = new Map(messagesOf(manifest).map((each) => [each.name, each]));
  const undos = new Map<number, () => void>();
  const methods = new Map<string, ScopeMethod>();

  function method<S extends readonly v.GenericSchema[]>(
    name: string,
    schemas: readonly [...S],
    call: (...args: { [K in keyof S]: v.InferOutput<S[K]> }) => unknown,
  ): void {
    const schema = v.tuple(schemas as never); // the same schemas, as a tuple
    methods.set(name, (args) => {
      const outcome = v.safeParse(
        schema,
        schemas.map((_, at) => args[at]),
      );
      if (!outcome.success) throw new AppError('bad-message', `${name}: wrong arguments`);
      return call(...outcome.output);
    });
  }
  // Bodies pass through as streams, whatever their kind: the thread puts together what is to come whole.
  const declared = (name: string): AnyMessage => {
    const found = messages.get(name);
    if (!found) throw new AppError('not-yours', `${name} is no message of ${plugin.id}`);
    return found;
  };
  const messageOf = (name: string) => declared(name) as Message<unknown, undefined, 'stream'>; // whether it has a result, and bodies, is looked at below
  const bodyOf = (name: string, body: number | null | undefined) => {
    if (!hasBody(declared(name).body) || !body) return {};
    return { body: calls.stream(body) };
  };
  const settled = async (name: string, answer: Promise<unknown>): Promise<unknown> => {
    if (!hasBody(declared(name).resultBody)) return answer;
    const { result, body } = (await answer) as WithBody<unknown, ByteStream>; // what such a call resolves with
    return new Accompanied(result, body, STREAM);
  };
  /** Has a listener handle a message, and answers as the message says. */
  const asked = async (name: string, listener: number, args: readonly unknown[], body?: ByteStream): Promise<never> => {
    const answer = await calls.ask(listener, args, body && new Accompanied(undefined, body, STREAM));
    if (!hasBody(declared(name).resultBody)) return answer.value as never; // looked at by whoever asked
    return { result: answer.value, body: calls.stream(answer.body) } as never;
  };
  const registered = (listener: number, undo: () => void): void => {
    if (undos.has(listener)) throw new AppError('bad-message', 'a listener is registered twice');
    undos.set(listener, undo);
  };

  method('undo', [index], (listener) => {
    undos.get(listener)?.();
    undos.delete(listener);
  });

  const slots = addInputMethods(method, scope.input, calls.ask);

  method('commands.send', [text, v.unknown(), after, body], (name, params, position, number) =>
    commands.send(messageOf(name), params, { ...options({ after: position }), ...bodyOf(name, number) } as never),
  );
  method('commands.call', [text, v.unknown(), deadlineMs, after, body], (name, params, ms, position, number) => {
    const given = { ...options({ deadlineMs: ms, after: position }), ...bodyOf(name, number) };
    return settled(name, commands.call(messageOf(name), params, given as never));
  });
  method('commands.handle', [text, index], (name, listener) => {
    const message = messageOf(name);
    const handle = (params: unknown, stream?: ByteStream): Promise<never> =>
      message.lane === 'input'
        ? slots.hold((place) => asked(name, listener, [params, place], stream))
        : asked(name, listener, [params], stream);
    registered(listener, commands.handle(message, handle));
  });
  method('page.send', [index, text, v.unknown(), body], (frame, name, params, number) =>
    page.send(frame, messageOf(name), params, bodyOf(name, number) as never),
  );
  method('page.call', [index, text, v.unknown(), deadlineMs, body], (frame, name, params, ms, number) => {
    const given = { ...options({ deadlineMs: ms }), ...bodyOf(name, number) };
    return settled(name, page.call(frame, messageOf(name), params, given as never));
  });
  method('page.handle', [text, index], (name, listener) =>
    registered(
      listener,
      page.handle(messageOf(name), (params, frame, stream?: ByteStream) =>
        asked(name, listener, [params, frame], stream),
      ),
    ),
  );

  method('frames.get', [index], (frame) => frames.get(frame));
  method('frames.all', [], () => frames.all());
  method('frames.ownerOf', [index], (frame) => frames.ownerOf(frame));
  method('frames.nodeIdOf', [index, index], (frame, node) => frames.nodeIdOf(frame, node));
  for (const name of ['onReady', 'onNavigated', 'onGone'] as const)
    method(`frames.${name}`, [index], (listener) =>
      registered(
        listener,
        frames[name]((given: unknown) => calls.tell(listener, [given])),
      ),
    );
  method('hooks.tap', [v.picklist(HOOKS), index, stage], (name, listener, at) =>
    registered(
      listener,
      hooks.tap(tab.hooks[name] as (typeof tab.hooks)['navigated'], (given) => calls.tell(listener, [given]), {
        // all notify alike
        ...(at ? { stage: at } : {}),
      }),
    ),
  );

  method(
    'cdp.send',
    [index, text, object, deadlineMs],
    (frame, name, params, ms) =>
      cdp.send(frame, name as never, (params ?? undefined) as never, options({ deadlineMs: ms })), // any method: the broker permits it
  );
  method(
    'cdp.stream',
    [
      index,
      v.picklist(['Page.printToPDF']),
      object,
      v.pipe(v.number(), v.minValue(1), v.maxValue(MAX_STREAM_BYTES)),
      deadlineMs,
    ],
    (frame, name, params, maxBytes, ms) =>
      cdp.stream(frame, name, params ?? {}, { maxBytes, ...options({ deadlineMs: ms }) }),
  );
  method(
    'cdp.on',
    [text, index],
    (event, listener) =>
      registered(
        listener,
        cdp.on(event as never, (params, origin) => calls.tell(listener, [params, origin])),
      ), // as above
  );
  method('cdp.enable', [domain, index], (name, listener) => registered(listener, cdp.enable(name)));
  method('cdp.frameId', [index], (frame) => cdp.frameId(frame));
  method('cdp.frameOf', [text], (frameId) => cdp.frameOf(frameId));

  method('tab.url', [], () => tab.url());
  method('tab.destination', [], () => tab.destination());
  method('tab.policy', [], () => tab.policy());
  method('tab.resource', [v.picklist(['i', 'f', 'm', 's']), text, index], (kind, address, frame) =>
    tab.resource(kind, address, frame),
  );
  method('tab.shows', [text], (path) => tab.shows(path));
  method('tab.release', [v.optional(text)], (to) => tab.release(to));
  const ask = (listener: number, args: readonly unknown[]): Promise<unknown> =>
    calls.ask(listener, args).then(({ value }) => value);
  for (const [name, call] of Object.entries(serviceMethods(service, ask))) methods.set(name, call);
  return methods;
}
