import type { Log } from '../../core/contracts/scope.ts';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import type { LinkPeer } from '../link/api.ts';
import { linkPeer } from '../link/peer.ts';
import type { CellPlugin } from '../plugins/cell-plugins.ts';
import type { BrowserProcess, CellProcess, CellProcesses } from './cell-processes.ts';
import type { StartCell } from './cell-process.ts';
import { jsonBody, killBrowserSchema, NOTICE_TO_CELL, startBrowserSchema, TO_CELL, TO_GATEWAY } from './protocol.ts';
import type { CellSettings } from './protocol.ts';

/** Time for a started cell to be set up. */
const SET_UP_DEADLINE_MS = 30_000;
/** Lines of a browser that are passed on when it has ended. */
const STDERR_LINES = 30;

interface StartCellOptions {
  readonly processes: CellProcesses;
  readonly settings: CellSettings;
  /** Plugins from outside the build. */
  readonly plugins: readonly CellPlugin[];
  readonly log: Log;
}

/** Starts cells as processes of their own, and their browsers for them. */
export function cellStarter({ processes, settings, plugins, log }: StartCellOptions): StartCell {
  const external = jsonBody(plugins);
  return async () => {
    const cell = await processes.startCell();
    const peer = linkPeer(cell.socket, {
      onFault: (fault, where) =>
        log.warn('cell link', { cellPid: cell.pid, where, code: fault.code, error: fault.message }),
    });
    serveBrowsers(peer, cell, processes);
    return {
      peer,
      pid: cell.pid,
      exited: cell.exited,
      kill: () => cell.kill(),
      setUp: async () => {
        await peer.call(TO_CELL.setUp, settings, { body: external, deadlineMs: SET_UP_DEADLINE_MS });
      },
      stderr: cell.stderr,
    };
  };
}

/** Lets a cell have one browser at a time. */
function serveBrowsers(peer: LinkPeer, cell: CellProcess, processes: CellProcesses): void {
  const running = new Map<string, BrowserProcess>();
  peer.handle(TO_GATEWAY.startBrowser, async ({ params }) => {
    const browser = await processes.startBrowser(cell, validate(startBrowserSchema, params, TO_GATEWAY.startBrowser));
    const { id, socketPath, stderr } = browser;
    running.set(id, browser);
    void browser.exited.then((exit) => {
      running.delete(id);
      peer.notify(NOTICE_TO_CELL.browserExited, { id, ...exit, stderr: stderr.slice(-STDERR_LINES) });
    });
    return { value: { id, socketPath } };
  });
  peer.handle(TO_GATEWAY.killBrowser, async ({ params }) => {
    const { id } = validate(killBrowserSchema, params, TO_GATEWAY.killBrowser);
    const browser = running.get(id);
    if (!browser) throw new AppError('browser-gone', 'There is no such browser.');
    await processes.killBrowser(browser);
    return {};
  });
}
