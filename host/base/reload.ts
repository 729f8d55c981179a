import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { watch } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

/** Delay before a restart, in ms: an editor writes several files at a time. */
const SETTLE_MS = 200;
/** Paths whose changes are no changes of the plugin. */
const IGNORED = /(^|[\\/])(node_modules|\.git|dist|tests|test-results)([\\/]|$)|(^|[\\/])\.|~$/;

/** Program to run and restart. */
interface Reloaded {
  readonly entry: string;
  readonly args: readonly string[];
  /** Port of the host; 0 for a free port that stays the same over restarts. */
  readonly port: number;
  /** Folders to watch. */
  readonly folders: readonly string[];
  /** Called before each start; false: the change is faulty, and the next one is awaited. */
  readonly prepare?: () => Promise<boolean>;
}

/**
 * Runs a host as a process of its own and restarts it whenever a watched folder has changed: the new one has the
 * changed halves on all sides, and open tabs load again at the next key or click. While a plugin is faulty, the next
 * change is awaited. Resolves with the exit code, after a signal.
 */
export async function reloading({ entry, args, port, folders, prepare }: Reloaded): Promise<number> {
  const kept = port === 0 ? await freePort() : port;
  return new Promise((resolve) => {
    let host: ChildProcess | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isChanging = false;
    let isOver = false;
    let preparing: Promise<void> | undefined;
    const start = (): void => {
      if (!prepare) return run();
      // One at a time: changes in the meantime are prepared afterwards.
      preparing = (preparing ?? Promise.resolve()).then(prepare).then((isReady) => {
        if (isReady && host === undefined && !isOver) run();
      });
    };
    const run = (): void => {
      const child = fork(entry, [...args, '--port', String(kept)], { stdio: 'inherit' });
      host = child;
      child.once('exit', (code) => {
        host = undefined;
        if (isOver) resolve(code ?? 1);
        else if (isChanging) start();
        else console.error('The host has ended. It restarts at the next change.');
        isChanging = false;
      });
    };
    const again = (): void => {
      isChanging = host !== undefined;
      if (host) host.kill('SIGTERM');
      else start();
    };
    const watchers = folders.map((folder) =>
      watch(folder, { recursive: true }, (_event, name) => {
        if (name !== null && IGNORED.test(name)) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
          console.error(`${name ?? folder} has changed: restarting ...`);
          again();
        }, SETTLE_MS);
      }),
    );
    const stop = (signal: NodeJS.Signals): void => {
      isOver = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      if (host) host.kill(signal);
      else resolve(0);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    start();
  });
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}
