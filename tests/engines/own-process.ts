import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

const START_MS = 60_000;
const STOP_MS = 5_000;

const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill();
    process.exit(1);
  });

/** A program that runs until it is stopped. */
interface OwnProcess {
  /** The first group of the pattern. */
  readonly said: string;
  stop(): Promise<void>;
}

/** Program to start. */
interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Output that marks it as ready, matched against all of its output so far; without one it is ready when it runs. */
  readonly ready?: RegExp;
  /** Debian packages that contain it. */
  readonly packages: string;
}

/**
 * Starts a program and waits until it is ready. On failure throws with its last output; if it is missing, with how to
 * install it.
 */
export function startProcess({ command, args, env = {}, ready, packages }: ProcessOptions): Promise<OwnProcess> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  return new Promise((resolve, reject) => {
    const succeed = (said: string): void => {
      clearTimeout(timer);
      resolve({ said, stop: () => stop(child) });
    };
    const fail = (why: string): void => {
      clearTimeout(timer);
      void stop(child);
      reject(new Error(why));
    };
    const timer = setTimeout(() => fail(`${command} was not ready in time: ${output.slice(-1000)}`), START_MS);
    const read = (chunk: Buffer): void => {
      if (output.length > 100_000) return;
      output += chunk.toString();
      const said = ready?.exec(output)?.[1];
      if (said !== undefined) succeed(said);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('spawn', () => !ready && succeed(''));
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      fail(isMissing ? missing(command, packages) : error.message);
    });
    child.once('exit', (code) => fail(`${command} ended with code ${code}: ${output.slice(-1000)}`));
  });
}

/** Message for a program that is not installed. */
export function missing(program: string, packages: string): string {
  return `${program} is missing. Install it: apt-get install ${packages}`;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
