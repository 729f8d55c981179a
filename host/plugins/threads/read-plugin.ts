import * as v from 'valibot';
import { AppError } from '../../../core/protocol/errors.ts';
import { LANES } from '../../../core/protocol/lanes.ts';
import type { Lane } from '../../../core/protocol/lanes.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { PluginThread } from './plugin-thread.ts';
import { routeFactsSchema } from './route-methods.ts';
import type { RouteFacts } from './route-methods.ts';
import { errorOf } from './wire.ts';
import type { Task } from './wire.ts';

const lanes = Object.keys(LANES) as [Lane, ...Lane[]]; // the literal's own keys
const name = v.pipe(v.string(), v.maxLength(100));
const body = v.picklist(['json', 'bytes', 'stream']);
/** Largest body that a message may be declared with, in bytes. */
const MAX_BYTES = 4 * 1024 ** 3;
const messageSchema = v.object({
  name,
  direction: v.picklist(['client-to-host', 'host-to-client', 'page-to-host', 'host-to-page']),
  lane: v.picklist(lanes),
  answers: v.boolean(),
  body,
  resultBody: body,
  maxBytes: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MAX_BYTES))),
  errors: v.optional(v.array(name)),
});
/** Schema of {@link ReadPlugin}. */
export const readSchema = v.object({
  facts: v.record(v.string(), v.unknown()),
  messages: v.optional(v.nullable(v.pipe(v.array(messageSchema), v.maxLength(500)))),
});

/** Description of a plugin from its thread: its manifest without the schemas of its messages, which stay in the thread. */
export type ReadPlugin = v.InferInput<typeof readSchema>;
/** The same, checked. */
export type CheckedPlugin = v.InferOutput<typeof readSchema>;

/**
 * Reads a manifest in a thread, so that nothing of a third party runs beside the sessions of others. Of its messages the host knows
 * names and ways only.
 *
 * @throws AppError `bad-plugin`, `api-version`, and what ends threads.
 */
export async function readPlugin(folder: string, file: string): Promise<CheckedPlugin> {
  const outcome = v.safeParse(readSchema, await once(folder, [], { kind: 'read', file }));
  if (!outcome.success) throw new AppError('bad-plugin', `${file}: its description is not valid`);
  return outcome.output;
}

/** Sees whether a half can be loaded and exports a function of that name, within what its manifest permits. @throws AppError as {@link readPlugin}. */
export async function checkHalf(folder: string, file: string, manifest: AnyManifest, exported: string): Promise<void> {
  await once(folder, manifest.permissions?.node ?? [], { kind: 'check', file, exported });
}

/** Reads what a file of routes exports, within what the manifest permits. @throws AppError as {@link readPlugin}. */
export async function readRoutes(folder: string, file: string, manifest: AnyManifest): Promise<RouteFacts> {
  const facts = await once(folder, manifest.permissions?.node ?? [], { kind: 'check-routes', file });
  const outcome = v.safeParse(routeFactsSchema, facts);
  if (!outcome.success) throw new AppError('bad-plugin', `${file}: errors: HTTP statuses from 400 to 599 by code`);
  return outcome.output;
}

/** A task that is about one file. */
type FileTask = Extract<Task, { readonly file: string }>;

/** Runs a thread for one answer. */
function once(folder: string, node: readonly string[], task: FileTask): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const thread = new PluginThread(folder, node, task, {
      onMessage: (message) => {
        if (message[0] !== 'ready' && message[0] !== 'failed') return; // what it logs now is of no interest
        thread.dispose();
        if (message[0] === 'ready') resolve(message[1]);
        else reject(errorOf(message[1]));
      },
      onEnd: (fault) => reject(new AppError(fault.code, `${task.file}: ${fault.message}`, { cause: fault })),
    });
  });
}
