import * as v from 'valibot';
import { BYTES_MAX } from '../../../core/protocol/bodies/carrier.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { LANES } from '../../../core/protocol/lanes.ts';
import type { Lane } from '../../../core/protocol/lanes.ts';
import type { AnyMessage } from '../../../core/protocol/message.ts';
import { parseManifest } from '../../../core/contracts/manifest.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { checkNames } from '../checks.ts';
import { PluginThread } from './plugin-thread.ts';
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

/** What a thread tells of a plugin: its manifest without the schemas of its messages, which stay in the thread. */
export type ReadPlugin = v.InferInput<typeof readSchema>;
/** The same, checked. */
export type CheckedPlugin = v.InferOutput<typeof readSchema>;

/** What messages carry is looked at where it is read: in the client, in the page, in the thread of the host half. */
const anything = v.unknown();

/**
 * Reads a manifest in a thread, so that nothing of a third party runs beside the sessions of others. Of its messages the host knows
 * names and ways only.
 *
 * @throws AppError `bad-plugin`, `api-version`, and what ends threads.
 */
export async function readPlugin(folder: string, file: string): Promise<CheckedPlugin> {
  const outcome = v.safeParse(readSchema, await once(folder, [], { kind: 'read', file }));
  if (!outcome.success) throw new AppError('bad-plugin', `${file}: tells nothing of use`);
  return outcome.output;
}

/** The manifest of a plugin that was read from `file`. @throws AppError `bad-plugin`, `api-version` */
export function manifestFrom({ facts, messages }: CheckedPlugin, file: string): AnyManifest {
  const protocol = Object.fromEntries((messages ?? []).map((each) => [each.name, opaque(each)]));
  const twice = messages?.find((each, index) => messages.findIndex((other) => other.name === each.name) !== index);
  const manifest = { ...parseManifest(facts), ...(messages && { protocol }) };
  try {
    if (twice) throw new AppError('bad-manifest', `manifest: protocol: two messages are named ${twice.name}`);
    checkNames(manifest);
    return manifest;
  } catch (thrown) {
    throw new AppError('bad-plugin', `${file}: ${toAppError(thrown).message}`, { cause: thrown });
  }
}

/** Sees whether a half can be loaded and exports a function of that name, within what its manifest permits. @throws AppError as {@link readPlugin}. */
export async function checkHalf(folder: string, file: string, manifest: AnyManifest, exported: string): Promise<void> {
  await once(folder, manifest.permissions?.node ?? [], { kind: 'check', file, exported });
}

/** Runs a thread for one answer. */
function once(folder: string, node: readonly string[], task: Task): Promise<unknown> {
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

/** Bodies pass through the host as streams, so that it keeps none of them whole; the bounds of their kinds stay. */
function opaque({ answers, errors, body, resultBody, ...facts }: v.InferOutput<typeof messageSchema>): AnyMessage {
  const { maxBytes = body === 'bytes' || resultBody === 'bytes' ? BYTES_MAX : undefined, ...names } = facts;
  return {
    ...names,
    params: anything,
    body: body === 'json' ? body : 'stream',
    resultBody: resultBody === 'json' ? resultBody : 'stream',
    ...(answers && { result: anything }),
    ...(errors && { errors }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
}
