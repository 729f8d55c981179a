import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import { CLOSE_DEADLINE_MS, greetBrowser } from './browser-greeting.ts';
import { cdpFaults } from './cdp-faults.ts';
import { connectPipe, type CdpConnection } from './cdp.ts';
import { copyExtension } from './extension-copy.ts';
import { surrogateFlags } from './flags.ts';
import { surrogateFolders } from './folders.ts';
import { OutputTail } from './output-tail.ts';
import { killGroup } from './process-identity.ts';
import { makeProfile } from './profile.ts';
import { recordSurrogate, removeTree } from './records.ts';
import { isOpenTo, runAs, unprivileged, type RunAs } from './unprivileged.ts';
import type { UserAgent } from './user-agent.ts';

export interface LaunchOptions {
  /** Absolute path of a Chromium. */
  readonly executable: string;
  /** The host's data folder: records, and profiles where they are not given. */
  readonly dataDir: string;
  /** Profile to use and keep. Without one the surrogate gets a new one that is removed with it. */
  readonly profileDir?: string;
  /** Built extension with the page halves. Without one there is no page half and no check for it. */
  readonly extensionDir?: string;
  /** Port of the surrogate's egress proxy on 127.0.0.1. */
  readonly proxyPort: number;
  readonly hideScrollbars?: boolean;
  /** Additional flags; those that weaken the sandbox are refused. */
  readonly extraArgs?: readonly string[];
  readonly log: Log;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was ended, where the launcher has ended it. */
  readonly reason?: string;
}

/** A running Chromium of one person. The caller closes it, also after it has exited: `close` removes its profile. */
export interface Surrogate {
  readonly connection: CdpConnection;
  readonly pid: number;
  /** Origin of the page halves' extension, where there is one. */
  readonly extensionOrigin?: string;
  /**
   * Folders for files that it and its cell hand to each other, and the bytes that each may have; absent: it has no downloads and takes no
   * files.
   */
  readonly exchange?: { readonly down: string; readonly up: string; readonly bytes: number };
  /** User agent that it would have with a window; without an override it says HeadlessChrome. */
  readonly userAgent: UserAgent;
  /** Time from the call until the page half's world was seen, in ms. */
  readonly launchMs: number;
  /** Resolves when the browser process has ended, for whatever reason. */
  readonly exited: Promise<Exit>;
  /** The last lines of its output. */
  readonly stderr: readonly string[];
  /** Closes it over CDP, kills the rest of its process group, removes a temporary profile. Idempotent. */
  close(): Promise<void>;
}

/** A Chromium that was launched by this process. */
export interface LocalSurrogate extends Surrogate {
  readonly profileDir: string;
}

/**
 * Starts a Chromium and waits until it answers and its page half is loaded. Its sandbox is always on; where the host is
 * root it runs as `nobody` with every privilege dropped.
 *
 * @throws AppError `surrogate-launch-failed` (data: the end of its stderr) or `page-half-missing`, after cleaning up.
 */
export async function launchChromium(options: LaunchOptions): Promise<LocalSurrogate> {
  const startedAt = performance.now();
  const { executable, log } = options;
  const user = runAs();
  if (!isOpenTo(executable, user, 'read')) {
    throw new AppError('surrogate-launch-failed', `The user of surrogates cannot read ${executable}.`);
  }
  const folders = surrogateFolders(options.dataDir, user);
  const throwAway = options.profileDir === undefined;
  const profileDir = options.profileDir ?? path.join(folders.profiles, randomUUID().slice(0, 8));
  const extensionDir = options.extensionDir && (await copyExtension(options.extensionDir, folders.extensions));
  const { extraArgs, hideScrollbars, proxyPort } = options;
  const flags = surrogateFlags({
    profileDir,
    proxyPort,
    ...(extensionDir === undefined ? {} : { extensionDir }),
    ...(hideScrollbars === undefined ? {} : { hideScrollbars }),
    ...(extraArgs === undefined ? {} : { extraArgs }),
  });

  const record = await recordSurrogate(folders.records, { profileDir, throwAway });
  let browser: Browser | undefined;
  const dispose = async (): Promise<void> => {
    browser?.connection.close();
    await browser?.kill();
    if (throwAway) await removeTree(profileDir);
    await record.remove();
  };
  try {
    const env = await makeProfile(profileDir, user);
    browser = await start([executable, ...flags], env, user, log);
    const { connection, pid, exited, stderr } = browser;
    await record.started(pid);
    const greeting = await greetBrowser(connection, { pid, pageHalf: extensionDir !== undefined });
    const { extensionOrigin, product, userAgent } = greeting;
    const launchMs = performance.now() - startedAt;
    log.info('surrogate started', { surrogatePid: pid, product, launchMs: Math.round(launchMs) });

    let closing: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      // A browser that hangs, or has exited, does not answer: it is killed below.
      connection.root.send('Browser.close').catch(() => {});
      const late = new AbortController();
      await Promise.race([exited, delay(CLOSE_DEADLINE_MS, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
      await dispose();
      const exit = await exited;
      log.info('surrogate closed', { surrogatePid: pid, ...exit });
    };
    return {
      connection,
      pid,
      profileDir,
      ...(extensionOrigin !== undefined && { extensionOrigin }),
      userAgent,
      launchMs,
      exited,
      stderr,
      close: () => (closing ??= close()),
    };
  } catch (error) {
    await dispose();
    const stderr = browser?.stderr.join('\n');
    const failure = toAppError(error);
    if (['page-half-missing', 'surrogate-launch-failed'].includes(failure.code)) throw failure;
    throw new AppError('surrogate-launch-failed', `Chromium did not start: ${failure.message}`, {
      data: { stderr },
      cause: error,
    });
  }
}

interface Browser {
  readonly pid: number;
  readonly connection: CdpConnection;
  readonly exited: Promise<Exit>;
  /** Kills its process group and waits until it has ended. */
  kill(): Promise<void>;
  /** The last lines of its output. */
  readonly stderr: readonly string[];
}

async function start(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  user: RunAs | undefined,
  log: Log,
): Promise<Browser> {
  const [program = '', ...args] = unprivileged(command, user);
  const child = spawn(program, args, {
    // Its own process group, so that it can be killed as a whole.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env,
  });
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await once(child, 'spawn'); // rejects with the error of a program that cannot be run
  const pid = child.pid ?? 0; // there is one, as it was spawned
  // Helpers of a browser that died are killed at once: later its process id may belong to another process.
  const gone = exited.then(() => killGroup(pid));
  const kill = (): Promise<void> =>
    child.exitCode === null && child.signalCode === null ? killGroup(pid).then(() => gone) : gone;
  const tail = new OutputTail(child.stderr, (lines) => {
    for (const line of lines) log.debug('surrogate stderr', { surrogatePid: pid, line });
  });
  // Both are pipes by the stdio above; Node makes them sockets.
  const [write, read] = [child.stdio[3] as Duplex, child.stdio[4] as Duplex];
  const connection = connectPipe(read, write, { onFault: cdpFaults(log) });
  // A browser without a connection is useless; one that is exiting gets time for it.
  onAbort(connection.root.closed, () => {
    const late = setTimeout(() => void kill(), CLOSE_DEADLINE_MS);
    void exited.then(() => clearTimeout(late));
  });
  return { pid, connection, exited, kill, stderr: tail.lines };
}
