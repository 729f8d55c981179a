/**
 * Messages between a plugin's thread and the host, as JSON text: arrays whose first element says what they are. Pieces of bodies go
 * beside it, as bytes. What comes up is untrusted, whoever wrote it.
 */
import type { MessagePort } from 'node:worker_threads';
import * as v from 'valibot';
import type { OptionValue } from '../../../core/contracts/declared.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import type { ErrorRecord } from '../../../core/protocol/errors.ts';

/** Largest text that a thread may send, in UTF-16 units. */
const MAX_UNITS = 16 * 1024 * 1024;
/** Maximum number of texts, and of UTF-16 units, that a thread may send in a second. */
export const MESSAGES_PER_SECOND = 5000;
export const UNITS_PER_SECOND = 32 * 1024 * 1024;

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(200));
const record = v.object({
  code: text,
  message: v.string(),
  retryable: v.boolean(),
  data: v.optional(v.unknown()),
  stack: v.optional(v.string()),
});
const level = v.picklist(['debug', 'info', 'warn', 'error']);
const data = v.optional(v.nullable(v.record(v.string(), v.unknown())));

const upSchema = v.union([
  /** Calls a method of the scope; 0: no answer is wanted. */
  v.tuple([v.literal('invoke'), id, text, v.array(v.unknown())]),
  /** The same, and the thread stands still until it is answered. */
  v.tuple([v.literal('sync'), text, v.array(v.unknown())]),
  /** Answer of a listener: a value, or an error's record; and the number of its body. */
  v.tuple([v.literal('answer'), id, v.boolean(), v.optional(v.unknown()), v.optional(id, 0)]),
  /** Message about bodies: see core/protocol/bodies. */
  v.tuple([v.literal('body'), v.unknown()]),
  /** Its own modules are loaded: from now on it answers pings. Comes before anything of the plugin. */
  v.tuple([v.literal('begun')]),
  v.tuple([v.literal('pong'), id]),
  v.tuple([v.literal('log'), level, v.string(), data]),
  /** Something has failed with nobody to tell it to. */
  v.tuple([v.literal('fault'), record]),
  v.tuple([v.literal('ready'), v.optional(v.unknown())]),
  v.tuple([v.literal('failed'), record]),
  v.tuple([v.literal('disposed')]),
  /** It has sent more than it may, and stands still. */
  v.tuple([v.literal('flood')]),
]);

/** From a thread. */
export type Up = v.InferOutput<typeof upSchema>;

/** To a thread: call a listener (0: no answer wanted), settle a call, both with the number of a body (0: none), what is said of bodies, are you there, it is over. */
export type Down =
  | readonly ['call', id: number, listener: number, args: readonly unknown[], body: number]
  | readonly ['settle', id: number, ok: boolean, value: unknown, body: number]
  | readonly ['body', said: unknown]
  | readonly ['ping', id: number]
  | readonly ['dispose'];

/** Task of a thread: read a manifest, check that a half, or a file of routes, can be loaded, run a host half in a tab, or run a session half with its routes. */
export type Task =
  | { readonly kind: 'read'; readonly file: string }
  | { readonly kind: 'check'; readonly file: string; readonly exported: string }
  | { readonly kind: 'check-routes'; readonly file: string }
  | { readonly kind: 'run'; readonly file: string; readonly facts: TabFacts }
  | { readonly kind: 'run-session'; readonly files: SessionFiles; readonly facts: SessionFacts };

/** Files of a plugin that run once per person: those that it has. Both may be one file. */
export interface SessionFiles {
  readonly session?: string;
  readonly routes?: string;
}

interface PluginFacts {
  readonly id: string;
  readonly version: string;
  readonly variant: string;
}

/** Facts of a session. */
export interface SessionFacts {
  readonly plugin: PluginFacts;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly session: { readonly cid: string; readonly person: string };
}

/** Facts that do not change while a half runs. */
export interface TabFacts {
  readonly plugin: PluginFacts;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly tab: {
    readonly id: string;
    readonly cid: string;
    readonly person: string;
    readonly capabilities: Readonly<Record<string, unknown>>;
  };
}

/** Data given to a thread at its start. */
export interface ThreadData {
  readonly folder: string;
  /** Modules of Node, and `fetch`, that the half may use. */
  readonly node: readonly string[];
  readonly task: Task;
  /** Where answers to `sync` come. */
  readonly answers: MessagePort;
  /** Set to 1 once such an answer is there. */
  readonly answered: Int32Array<SharedArrayBuffer>;
}

/** Reads what a thread has sent. @throws AppError `bad-packet`, `message-too-large`. */
export function parseUp(sent: unknown): Up {
  if (typeof sent !== 'string') throw new AppError('bad-packet', 'a thread sends text');
  if (sent.length > MAX_UNITS) throw new AppError('message-too-large', `a text of ${sent.length} units`);
  let value: unknown;
  try {
    value = JSON.parse(sent);
  } catch (cause) {
    throw new AppError('bad-packet', 'not JSON', { cause });
  }
  const outcome = v.safeParse(upSchema, value);
  if (!outcome.success) throw new AppError('bad-packet', 'not a message of a thread');
  return outcome.output;
}

/** An error as it was on the other side. */
export function errorOf({
  code,
  message,
  data: more,
  retryable,
  stack,
}: ErrorRecord & { readonly stack?: string | undefined }): AppError {
  const error = new AppError(code, message.slice(0, 2000), { data: more, retryable });
  if (stack !== undefined) error.stack = stack.slice(0, 4000);
  return error;
}

/** An error as a thread has reported it. */
export function readError(value: unknown): AppError {
  const outcome = v.safeParse(record, value);
  return outcome.success ? errorOf(outcome.output) : new AppError('bad-packet', 'a thread failed without saying how');
}
