import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { validate } from '../../../core/protocol/message.ts';
import { exchangeParts } from '../../base/exchange.ts';
import { browserExitedSchema, browserSchema, NOTICE_TO_CELL, TO_GATEWAY } from '../../cells/protocol.ts';
import type { LinkPeer } from '../../link/api.ts';
import { closeBrowser, connectBrowser, greetBrowser } from '../../surrogate/browser-greeting.ts';
import { cdpFaults } from '../../surrogate/cdp-faults.ts';
import type { Exit, Surrogate } from '../../surrogate/launch.ts';
import type { LaunchBrowser } from './browser-supply.ts';

/** Time after a close request at which a browser that does not answer is killed, in ms. */
const START_DEADLINE_MS = 30_000;

interface Ended {
  readonly exit: Exit;
  readonly stderr: readonly string[];
}

/** Starts browsers through the launcher, which alone can give them a user of their own. */
export function remoteBrowsers(peer: LinkPeer): LaunchBrowser {
  const running = new Map<string, (ended: Ended) => void>();
  /** An end that was reported before the answer to the start was read. */
  let early: (Ended & { readonly id: string }) | undefined;
  peer.on(NOTICE_TO_CELL.browserExited, (params) => {
    const { id, code, signal, reason, stderr } = validate(browserExitedSchema, params, NOTICE_TO_CELL.browserExited);
    const exit: Exit = { code, signal: signal as NodeJS.Signals | null, ...(reason !== undefined && { reason }) }; // a name of the kernel
    const ended: Ended = { exit, stderr };
    const notify = running.get(id);
    running.delete(id);
    if (notify) notify(ended);
    else early = { id, ...ended };
  });
  return async ({ proxyPort, scale, onUser, log }) => {
    const startedAt = performance.now();
    const request = { proxyPort, scale };
    const { value } = await peer.call(TO_GATEWAY.startBrowser, request, { deadlineMs: START_DEADLINE_MS });
    const { id, socketPath, uid, exchange } = validate(browserSchema, value, TO_GATEWAY.startBrowser);
    onUser(uid ?? process.getuid?.()); // it has a user of its own only where the host is root
    const ended = Promise.withResolvers<Ended>();
    if (early?.id === id) ended.resolve(early);
    else running.set(id, ended.resolve);
    const stderr: string[] = [];
    const exited = ended.promise.then(({ exit, stderr: lines }) => {
      stderr.push(...lines);
      return exit;
    });
    const kill = async (): Promise<void> => {
      if (!running.has(id)) return;
      await peer.call(TO_GATEWAY.killBrowser, { id }).catch(() => undefined); // it has ended already, or the cell is ending
    };
    let connection: Awaited<ReturnType<typeof connectBrowser>> | undefined;
    try {
      connection = await connectBrowser(socketPath, { onFault: cdpFaults(log) });
      const { product, pid, extensionOrigin, userAgent } = await greetBrowser(connection, { pageHalf: true });
      const launchMs = performance.now() - startedAt;
      log.info('surrogate started', { surrogatePid: pid, product, launchMs: Math.round(launchMs) });
      const open = connection;
      let closing: Promise<void> | undefined;
      const close = async (): Promise<void> => {
        await closeBrowser(open);
        await kill();
        const exit = await exited;
        log.info('surrogate closed', { surrogatePid: pid, ...exit });
      };
      const surrogate: Surrogate = {
        connection,
        pid,
        ...(extensionOrigin !== undefined && { extensionOrigin }),
        ...(exchange && { exchange: { ...exchangeParts(exchange.folder), bytes: exchange.bytes } }),
        userAgent,
        launchMs,
        exited,
        stderr,
        close: () => (closing ??= close()),
      };
      return surrogate;
    } catch (thrown) {
      connection?.close();
      await kill();
      const failure = toAppError(thrown);
      if (['page-half-missing', 'surrogate-launch-failed'].includes(failure.code)) throw failure;
      throw new AppError('surrogate-launch-failed', `Chromium did not start: ${failure.message}`, {
        data: { stderr: stderr.join('\n') },
        cause: thrown,
      });
    }
  };
}
