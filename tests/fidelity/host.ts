import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromiumPath } from './browser.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const START_MS = 60_000;
const STOP_MS = 15_000;

export interface HostOptions {
  /** What surrogates may reach, as `HOST:PORT`. */
  readonly allow: readonly string[];
  /** Further options of `npm start`. */
  readonly options?: readonly string[];
  /** Where its output goes; nowhere when it is left out. */
  readonly log?: string;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A host of the product's own process. */
export interface RunningHost {
  /** Without a trailing slash. */
  readonly origin: string;
  /** Drains it, and kills it when that takes too long. */
  stop(): Promise<void>;
}

/** Starts the product with a data folder of its own. Throws with its last words when it does not become ready. */
export async function startHost({ allow, options = [], log, env: more }: HostOptions): Promise<RunningHost> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'vitrine-data-'));
  const network = allow.flatMap((host) => ['--allow-network', host]);
  const args = ['host/main.ts', '--port', '0', '--data', data, ...network, ...options];
  const env = { ...process.env, ...more, VITRINE_CHROMIUM: chromiumPath() };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = async (): Promise<void> => {
    await end(child);
    await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    return { origin: await ready(child, log), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function ready(child: ChildProcess, log: string | undefined): Promise<string> {
  const file = log === undefined ? undefined : createWriteStream(log);
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`The host ${why}: ${output.trim().slice(-1000)}`));
    const timer = setTimeout(() => fail(`was not ready within ${START_MS / 1000} s`), START_MS);
    const read = (chunk: Buffer): void => {
      file?.write(chunk);
      if (output.length > 100_000) return;
      output += chunk.toString();
      const origin = /Vitrine is ready: (\S+?)\/?\s/.exec(output)?.[1];
      if (origin === undefined) return;
      clearTimeout(timer);
      resolve(origin);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => fail(`did not start (${error.message})`));
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
      file?.end();
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
