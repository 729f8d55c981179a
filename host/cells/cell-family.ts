import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { assertExtraFlags } from '../surrogate/extra-flags.ts';
import { surrogateFlags } from '../surrogate/flags.ts';
import { environment, makeProfile } from '../surrogate/profile.ts';
import { giveTo } from '../surrogate/unprivileged.ts';
import { CONNECT_DEADLINE_MS, type EndReason, type Offered, type Request } from './control-messages.ts';
import { makeExchange } from './exchange-folder.ts';
import { listenOnce } from './handover.ts';
import { launchEvents, randomName, recordFolder, type LaunchContext } from './launch-context.ts';
import { LaunchedProcess } from './launched-process.ts';
import type { CellLimits } from './limits/limits.ts';
import { Undo } from './undo.ts';
import type { UidPair } from './uid-pool.ts';

type StartBrowser = Extract<Request, { verb: 'start-browser' }>;

/** The first process of a family: a cell, which may have browsers, or a decoder, which has neither those nor a network. */
export type FamilyKind = 'cell' | 'decoder';

/**
 * Size of the downloads of a browser that its cell has not taken yet, and of the files that its pages were given, in sizes of its profile: past
 * it the browser is ended.
 */
const FILES_SHARE = 4;
/** The same for what its cell lets either of them have: far enough below for what the browser writes until a download is stopped. */
const SOFT_FILES_SHARE = 3;
/** Heap of a decoder: files and decoded pictures lie outside of it. */
const DECODER_NODE_ARGS = ['--max-old-space-size=128'];

/** A cell and its browsers, for the life of the cell; or a decoder. */
export class CellFamily {
  /** Resolves when the cell and its browser have ended and all their processes and files are removed. */
  readonly gone: Promise<void>;
  readonly #context: LaunchContext;
  readonly #kind: FamilyKind;
  readonly #users: UidPair | undefined;
  readonly #limits: CellLimits;
  readonly #cell: LaunchedProcess;
  /** The last browser; it may have ended. */
  #browser: Browser | undefined;
  #opening: Promise<unknown> | undefined;
  #isEnding = false;

  /**
   * Opens a socket; the process is started with the connection to it. @throws AppError `uids-exhausted`, after cleaning
   * up.
   */
  static async open(
    context: LaunchContext,
    kind: FamilyKind,
    name: string,
    storage?: string,
  ): Promise<{ family: CellFamily; offered: Offered }> {
    const undo = new Undo();
    try {
      const users = context.users?.take();
      if (users) undo.add(() => context.users?.release(users));
      const folder = path.join(context.cells, randomName());
      const record = await recordFolder(context.records, folder, undo);
      const temporary = path.join(folder, 'tmp');
      await mkdir(folder, { mode: 0o700 });
      await mkdir(temporary, { mode: 0o700 });
      for (const made of [temporary, folder]) giveTo(made, users?.cell);
      const kept = storage === undefined ? undefined : await context.storage.open(storage, users?.cell);
      if (kept) undo.add(() => kept.close());
      const limits = context.limits.forCell(name);
      undo.add(() => limits.close());
      const placement = limits.place(kind, name);
      const handover = await listenOnce(context.sockets, undefined, CONNECT_DEADLINE_MS);
      const { node, entry, openNode } = context.program;
      const { nodeArgs, cellArgs, cellEnv } = context.config;
      const plan = {
        wiring: 'cell' as const,
        command: [node, ...(kind === 'cell' ? nodeArgs : DECODER_NODE_ARGS), entry, ...cellArgs],
        env: { ...environment(folder, temporary), ...cellEnv },
        cwd: kept?.folder ?? folder,
        user: users?.cell,
        placement,
        handover,
        ...(kind === 'decoder' && { network: context.network }),
        ...(openNode !== undefined && { openFile: openNode }),
      };
      const { watchedBytes } = placement;
      const events = launchEvents(context, name, { record, user: users?.cell, watchedBytes, process: () => cell });
      const cell = new LaunchedProcess(plan, events);
      const family = new CellFamily(context, { kind, users, limits, cell, undo });
      return { family, offered: { socketPath: handover.socketPath } };
    } catch (thrown) {
      await undo.run();
      throw thrown;
    }
  }

  private constructor(
    context: LaunchContext,
    parts: {
      readonly kind: FamilyKind;
      readonly users: UidPair | undefined;
      readonly limits: CellLimits;
      readonly cell: LaunchedProcess;
      readonly undo: Undo;
    },
  ) {
    this.#context = context;
    this.#kind = parts.kind;
    this.#users = parts.users;
    this.#limits = parts.limits;
    this.#cell = parts.cell;
    this.gone = this.#cell.ended.then(async () => {
      this.#isEnding = true;
      await this.#opening?.catch(() => undefined);
      await this.#browser?.process.kill('cell-ended');
      await this.#browser?.gone;
      await parts.undo.run();
    });
  }

  /** Ends the cell, then its browser. */
  kill(reason: EndReason): void {
    void this.#cell.kill(reason);
  }

  /** Opens a socket for the cell; its browser is started with the connection as its CDP pipe. @throws AppError */
  async startBrowser(request: StartBrowser): Promise<{ browser: Browser; offered: Offered }> {
    if (this.#kind !== 'cell') throw new AppError('bad-control', 'Only cells have browsers.');
    assertExtraFlags(request.extraArgs);
    if (this.#isEnding) throw new AppError('cell-gone', 'The cell of this browser has ended.');
    if (this.#opening || this.#browser?.process.isOver === false)
      throw new AppError('bad-control', 'The cell already has a browser.');
    // The previous browser has ended; its user and its files must be cleaned up first.
    const opening = Promise.resolve(this.#browser?.gone).then(() => this.#openBrowser(request));
    this.#opening = opening;
    try {
      const opened = await opening;
      this.#browser = opened.browser;
      return opened;
    } finally {
      this.#opening = undefined;
    }
  }

  async #openBrowser({ target, proxyPort, hideScrollbars, extraArgs }: StartBrowser): Promise<{
    browser: Browser;
    offered: Offered;
  }> {
    const undo = new Undo();
    const { records, profiles, extensionDir, config, sockets } = this.#context;
    const user = this.#users?.browser;
    try {
      const profileDir = path.join(profiles, randomName());
      const record = await recordFolder(records, profileDir, undo);
      const env = await makeProfile(profileDir, user);
      const exchangeDir = path.join(this.#context.exchanges, randomName());
      await recordFolder(records, exchangeDir, undo);
      const { down, up } = await makeExchange(exchangeDir, this.#users);
      const flags = surrogateFlags({
        profileDir,
        proxyPort,
        hideScrollbars,
        profileBytes: config.limits.profileBytes,
        extraArgs: [...config.browserArgs, ...extraArgs],
        ...(extensionDir !== undefined && { extensionDir }),
      });
      const placement = this.#limits.place('browser', target);
      undo.add(() => placement.close());
      const handover = await listenOnce(sockets, this.#users?.cell, CONNECT_DEADLINE_MS);
      const plan = {
        wiring: 'browser' as const,
        command: [config.chromium, ...flags],
        env,
        cwd: profileDir,
        user,
        placement,
        handover,
      };
      const { watchedBytes } = placement;
      const events = launchEvents(this.#context, target, {
        record,
        user,
        watchedBytes,
        folders: [
          { folder: profileDir, bytes: config.limits.profileBytes },
          { folder: down, bytes: config.limits.profileBytes * FILES_SHARE },
          { folder: up, bytes: config.limits.profileBytes * FILES_SHARE },
        ],
        process: () => launched,
      });
      const launched = new LaunchedProcess(plan, events);
      const browser = { process: launched, gone: launched.ended.then(() => undo.run()) };
      const exchange = { folder: exchangeDir, bytes: config.limits.profileBytes * SOFT_FILES_SHARE };
      const offered = { socketPath: handover.socketPath, exchange, ...(user && { uid: user.uid }) };
      return { browser, offered };
    } catch (thrown) {
      await undo.run();
      throw thrown;
    }
  }
}

/** The browser of a cell. */
interface Browser {
  readonly process: LaunchedProcess;
  /** Resolves when its processes and files are removed. */
  readonly gone: Promise<void>;
}
