import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { startThread } from '../base/start-thread.ts';
import type { DeclaredSettings } from './declared-settings.ts';
import type { KnownCapabilities } from './idle-switches.ts';
import { PolicyError } from './policy-error.ts';
import { MAX_LENGTH, parsePolicy, tooLong } from './policy.ts';
import type { PlacedPolicy, Policy } from './policy.ts';
import type { Gaps, SettingsTable } from './settings-table.ts';

const THREAD = path.join(import.meta.dirname, 'policy-thread.ts');
/** Memory limits of the reading thread, in MiB: aliases can expand a small file. */
const MEMORY = { maxOldGenerationSizeMb: 2048 };

/** A policy, and the warnings of {@link idleSwitches}. */
interface ReadPolicy {
  readonly policy: Policy;
  readonly warnings: readonly string[];
}

/** Answer of the reading thread. */
export type ReadAnswer = ReadPolicy | { readonly fault: { readonly code: string; readonly message: string } };

/** Task of the reading thread. */
export interface ReadTask {
  readonly file: string;
  readonly declared: readonly DeclaredSettings[];
  readonly gaps: Gaps;
  readonly capabilities: readonly string[];
}

/** Reads a policy file. @throws PolicyError; AppError `no-policy` when it cannot be read. */
export async function readPolicy(file: string, settings: SettingsTable): Promise<PlacedPolicy> {
  const name = path.relative(process.cwd(), file) || file;
  return parsePolicy(await readFileText(file, name), name, settings);
}

/**
 * Reads a policy file in a thread of its own: a large file takes seconds, in which sessions go on.
 *
 * @throws AppError with the code and the message that {@link readPolicy} would have thrown.
 */
export async function readPolicyAside(
  file: string,
  { settings: { declared, gaps }, capabilities }: KnownCapabilities,
): Promise<ReadPolicy> {
  const task: ReadTask = { file, declared, gaps, capabilities };
  const thread = startThread(THREAD, { workerData: task, execArgv: [], resourceLimits: MEMORY });
  thread.unref();
  try {
    const answer = await new Promise<ReadAnswer>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('the reading thread has ended')));
    });
    if ('fault' in answer) throw new AppError(answer.fault.code, answer.fault.message);
    return answer;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('no-policy', `the policy file ${file} cannot be read: ${String(cause)}`, { cause });
  } finally {
    await thread.terminate();
  }
}

/** A character of a text takes at most three bytes. */
const MAX_BYTES = 3 * MAX_LENGTH;

/**
 * Reads at most as much as a policy may hold, whatever the file is: the size of a growing file or a device is not known
 * beforehand.
 */
async function readFileText(file: string, name: string): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw tooLong(name);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of handle.createReadStream({ end: MAX_BYTES, autoClose: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk); // a stream without an encoding yields bytes
      length += chunk.length;
    }
    if (length > MAX_BYTES) throw tooLong(name);
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    if (cause instanceof PolicyError) throw cause;
    throw new AppError('no-policy', `the policy file ${file} cannot be read: ${toAppError(cause).message}`, { cause });
  }
}
