import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromiumPath } from './browser.ts';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const START_MS = PATIENCE_MS;
const STOP_MS = PATIENCE_MS / 2;

interface HostOptions {
  /** Addresses that surrogates may reach, as `HOST:PORT`. */
  readonly allow: readonly string[];
  /** Further options of `npm start`; no cell is kept warm unless they say so. */
  readonly options?: readonly string[];
  /** File for its output; default: none. */
  readonly log?: string;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A fixed port, for restarts after a kill; default: any. */
  readonly port?: number;
  /** A data folder that outlives it; default: one of its own. */
  readonly data?: string;
  /** The checkout that it runs from; default: this one. */
  readonly root?: string;
}

/** A host in a process of its own. */
export interface RunningHost {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly pid: number;
  /** Drains it, and kills it at a timeout. */
  stop(): Promise<void>;
  /** Kills it like a crash, and leaves its files. */
  kill(): Promise<void>;
}

/** Starts the product with a data folder of its own. On failure throws with its last output. */
export async function startHost({
  allow,
  options = [],
  log,
  env: more,
  port = 0,
  data: given,
  root = ROOT,
}: HostOptions): Promise<RunningHost> {
  const data = given ?? (await mkdtemp(path.join(os.tmpdir(), 'vitrine-data-')));
  const network = allow.flatMap((host) => ['--allow-network', host]);
  // A browser for a person who does not come takes a second of processor time.
  const args = ['host/main.ts', '--port', String(port), '--data', data, '--warm-cells', '0', ...network, ...options];
  const env = { ...process.env, ...more, VITRINE_CHROMIUM: chromiumPath() };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = async (): Promise<void> => {
    await end(child, 'SIGTERM');
    if (given === undefined) await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const origin = await ready(child, log);
    return { origin, pid: child.pid ?? 0, stop, kill: () => end(child, 'SIGKILL') }; // it has been spawned
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

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
