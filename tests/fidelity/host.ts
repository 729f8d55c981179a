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

interface HostOptions {
  /** What surrogates may reach, as `HOST:PORT`. */
  readonly allow: readonly string[];
  /** Further options of `npm start`. */
  readonly options?: readonly string[];
  /** Where its output goes; nowhere when it is left out. */
  readonly log?: string;
  /** Further variables of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** A port, to come back at after a kill; any unless given. */
  readonly port?: number;
  /** A data folder that outlives it; one of its own unless given. */
  readonly data?: string;
  /** The checkout that it runs from; this one unless given. */
  readonly root?: string;
}

/** A host of the product's own process. */
export interface RunningHost {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly pid: number;
  /** Drains it, and kills it when that takes too long. */
  stop(): Promise<void>;
  /** Ends it as a crash would, and leaves everything lying. */
  kill(): Promise<void>;
}

/** Starts the product with a data folder of its own. Throws with its last words when it does not become ready. */
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
  const args = ['host/main.ts', '--port', String(port), '--data', data, ...network, ...options];
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
