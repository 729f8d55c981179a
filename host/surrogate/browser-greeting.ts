import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../core/protocol/errors.ts';
import { connectPipe, type CdpConnection, type CdpOptions } from './cdp.ts';
import { assertSandboxFlags } from './flags.ts';
import { assertPageHalf } from './page-half-check.ts';
import { windowedUserAgent, type UserAgent } from './user-agent.ts';

/** Deadline for a Chromium's first answer. */
const START_DEADLINE_MS = 30_000;
/** Deadline for a Chromium to close on request. */
export const CLOSE_DEADLINE_MS = 3000;

/** First answers of a browser. */
interface BrowserGreeting {
  /** Such as `Chrome/156.0.8078.79`. */
  readonly product: string;
  /** Process id of the browser process. */
  readonly pid: number;
  /** Origin of the page halves' extension, where there is one. */
  readonly extensionOrigin?: string;
  /** User agent of the same browser with a window; without an override it says HeadlessChrome. */
  readonly userAgent: UserAgent;
}

/**
 * Connects to a browser whose CDP is offered on a unix socket: the first connection becomes the browser's pipe.
 *
 * @throws AppError `cdp-closed` when nothing listens there.
 */
export async function connectBrowser(socketPath: string, options?: CdpOptions): Promise<CdpConnection> {
  const socket = net.connect(socketPath);
  try {
    await once(socket, 'connect');
  } catch (cause) {
    throw new AppError('cdp-closed', 'Could not connect to the browser.', { cause });
  }
  return connectPipe(socket, socket, options);
}

/**
 * Waits until a browser answers, and checks that its sandbox is on and that its page half is loaded.
 *
 * @param options `pid` of the browser process where it is known; `pageHalf` whether an extension with page halves was
 * loaded.
 * @throws AppError `surrogate-launch-failed` for a command line that weakens the sandbox, `page-half-missing`, or as
 * `CdpSession.send`.
 */
export async function greetBrowser(
  connection: CdpConnection,
  options: { readonly pid?: number; readonly pageHalf: boolean },
): Promise<BrowserGreeting> {
  const version = await connection.root.send('Browser.getVersion', {}, { deadlineMs: START_DEADLINE_MS });
  const pid = options.pid ?? (await browserProcess(connection));
  assertSandboxed(pid);
  const extensionOrigin = options.pageHalf ? await assertPageHalf(connection) : undefined;
  return {
    product: version.product,
    pid,
    ...(extensionOrigin !== undefined && { extensionOrigin }),
    userAgent: windowedUserAgent(version),
  };
}

/**
 * Asks a browser to close and waits until it has, for a bounded time; then closes the connection, which ends it too.
 */
export async function closeBrowser(connection: CdpConnection): Promise<void> {
  const { closed } = connection.root;
  // A browser that hangs, or has exited, does not answer.
  connection.root.send('Browser.close').catch(() => {});
  const over = new AbortController();
  const gone = closed.aborted ? Promise.resolve() : once(closed, 'abort', { signal: over.signal });
  await Promise.race(
    [gone, delay(CLOSE_DEADLINE_MS, undefined, { signal: over.signal })].map((each) => each.catch(() => {})),
  );
  over.abort();
  connection.close();
}

async function browserProcess(connection: CdpConnection): Promise<number> {
  const { processInfo } = await connection.root.send('SystemInfo.getProcessInfo');
  const browser = processInfo.find(({ type }) => type === 'browser');
  if (!browser) throw new AppError('surrogate-launch-failed', 'The browser does not report its process id.');
  return browser.id;
}

/** A wrapper script or a file in /etc may add flags of its own. */
function assertSandboxed(pid: number): void {
  let commandLine: string;
  try {
    commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return; // no /proc on this system
  }
  assertSandboxFlags(commandLine.split(/[\0 ]/));
}
