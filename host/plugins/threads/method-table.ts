import * as v from 'valibot';
import type { ByteStream } from '../../../core/protocol/body.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { Accompanied } from './thread-bodies.ts';

/** Calls of the host to the listeners of a thread. */
export interface ListenerCalls {
  /** Tells it something. */
  tell(listener: number, args: readonly unknown[]): void;
  /** Asks it for an answer, with a body or without. An aborted `signal` rejects with its reason; what is answered then is dropped. */
  ask(listener: number, args: readonly unknown[], body?: Accompanied, signal?: AbortSignal): Promise<Answered>;
  /** The body of a number. @throws AppError when it is over already. */
  stream(body: number): ByteStream;
}

/** Answer of a listener, and the number of its body; 0: none. */
export interface Answered {
  readonly value: unknown;
  readonly body: number;
}

/** A method as a thread calls it: checks its arguments, which are untrusted. @throws AppError `bad-message`. */
export type ScopeMethod = (args: readonly unknown[]) => unknown;

/** Adds a method that a thread may call, with the schemas of its arguments. */
export type AddMethod = <S extends readonly v.GenericSchema[]>(
  name: string,
  schemas: readonly [...S],
  call: (...args: { [K in keyof S]: v.InferOutput<S[K]> }) => unknown,
) => void;

/** Schemas that methods share. */
export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const text = v.pipe(v.string(), v.maxLength(100_000));
/** One address, several, or none. */
export const addresses = v.nullish(v.union([text, v.pipe(v.array(text), v.maxLength(20))]));
export const deadlineMs = v.optional(v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(600_000))));

/** The methods that one thread may call, by name, and the listeners that it has registered with them. */
export interface MethodTable {
  readonly methods: ReadonlyMap<string, ScopeMethod>;
  readonly add: AddMethod;
  /** Keeps the undo of a listener until the thread calls the method `undo`. @throws AppError `bad-message` for a number in use. */
  registered(listener: number, undo: () => void): void;
}

/** A table with the method `undo` alone. */
export function methodTable(): MethodTable {
  const methods = new Map<string, ScopeMethod>();
  const undos = new Map<number, () => void>();
  const add: AddMethod = (name, schemas, call) => {
    const schema = v.tuple(schemas as never); // the same schemas, as a tuple
    methods.set(name, (args) => {
      const outcome = v.safeParse(
        schema,
        schemas.map((_, at) => args[at]),
      );
      if (!outcome.success) throw new AppError('bad-message', `${name}: wrong arguments`);
      return call(...outcome.output);
    });
  };
  add('undo', [index], (listener) => {
    undos.get(listener)?.();
    undos.delete(listener);
  });
  return {
    methods,
    add,
    registered: (listener, undo) => {
      if (undos.has(listener)) throw new AppError('bad-message', 'a listener is registered twice');
      undos.set(listener, undo);
    },
  };
}
