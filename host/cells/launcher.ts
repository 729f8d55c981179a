import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { copyExtension } from '../surrogate/extension-copy.ts';
import { assertExtraFlags } from '../surrogate/extra-flags.ts';
import { surrogateFlags } from '../surrogate/flags.ts';
import { surrogateFolders, type SurrogateFolders } from '../surrogate/folders.ts';
import { sweepOrphans } from '../surrogate/orphans.ts';
import { environment, makeProfile } from '../surrogate/profile.ts';
import { recordSurrogate, removeTree, type SurrogateRecord } from '../surrogate/records.ts';
import { giveTo, isOpenTo } from '../surrogate/unprivileged.ts';
import {
  CONNECT_DEADLINE_MS,
  type Configured,
  type EndReason,
  type FromLauncher,
  type LauncherConfig,
  type Offered,
  type Request,
} from './control-messages.ts';
import { listenOnce } from './handover.ts';
import { LaunchedProcess, type LaunchEvents } from './launched-process.ts';
import { openLimits, type CellLimits, type Limits } from './limits/limits.ts';
import { MemoryWatch } from './limits/memory-watch.ts';
import { cellProgram, type CellProgram } from './programs.ts';
import { UidPool, type UidPair } from './uid-pool.ts';

interface Cell {
  readonly name: string;
  readonly users: UidPair | undefined;
  readonly limits: CellLimits;
  process?: LaunchedProcess;
  browser?: { readonly name: string; readonly process: LaunchedProcess; readonly over: Promise<void> };
  /** A browser is being prepared. */
  preparing: boolean;
  ending: boolean;
}

type StartBrowser = Extract<Request, { verb: 'start-browser' }>;

/** Starts cells and their browsers, limits them, and ends them. */
export class Launcher {
  readonly #config: LauncherConfig;
  readonly #notify: (notice: Extract<FromLauncher, { notice: string }>) => void;
  readonly #users: UidPool | undefined;
  readonly #folders: SurrogateFolders;
  readonly #limits: Limits;
  readonly #program: CellProgram;
  readonly #extensionDir: string | undefined;
  /** Folder of the sockets. */
  readonly #runDir: string;
  readonly #runRecord: SurrogateRecord;
  readonly #watch = new MemoryWatch();
  readonly #cells = new Map<string, Cell>();
  readonly #processes = new Map<string, LaunchedProcess>();
  readonly #endings = new Set<Promise<void>>();
  #closing: Promise<void> | undefined;

  /** Prepares everything that cells share. @throws AppError `launcher-failed` */
  static async open(
    config: LauncherConfig,
    notify: (notice: Extract<FromLauncher, { notice: string }>) => void,
  ): Promise<{ readonly launcher: Launcher; readonly configured: Configured }> {
    const isRoot = process.getuid?.() === 0;
    const someUser = isRoot ? { uid: config.uids.first, gid: config.uids.first } : undefined;
    const folders = surrogateFolders(config.dataDir, someUser);
    const shared = path.dirname(folders.profiles);
    const users = isRoot ? new UidPool({ range: config.uids, folders: [shared] }) : undefined;
    let swept = await sweepOrphans(config.dataDir, someUser);
    if (users) swept += await users.sweep();
    if (!isOpenTo(config.chromium, someUser, 'read'))
      throw new AppError('launcher-failed', `The users of browsers cannot read ${config.chromium}.`);
    const program = await cellProgram(config.cellEntry, path.join(shared, 'programs'), someUser);
    const extensionDir = config.extensionDir && (await copyExtension(config.extensionDir, folders.extensions));
    const limits = await openLimits(config.limits, isRoot);
    const runDir = await mkdtemp(path.join(os.tmpdir(), 'vitrine-'));
    const runRecord = await recordSurrogate(folders.records, { profileDir: runDir, throwAway: true });
    await chmod(runDir, 0o711);
    const parts = { users, folders, program, extensionDir, limits, runDir, runRecord };
    return { launcher: new Launcher(config, notify, parts), configured: { limits: limits.report, swept } };
  }

  private constructor(
    config: LauncherConfig,
    notify: (notice: Extract<FromLauncher, { notice: string }>) => void,
    parts: {
      readonly users: UidPool | undefined;
      readonly folders: SurrogateFolders;
      readonly program: CellProgram;
      readonly extensionDir: string | undefined;
      readonly limits: Limits;
      readonly runDir: string;
      readonly runRecord: SurrogateRecord;
    },
  ) {
    this.#config = config;
    this.#notify = notify;
    this.#users = parts.users;
    this.#folders = parts.folders;
    this.#program = parts.program;
    this.#extensionDir = parts.extensionDir;
    this.#limits = parts.limits;
    this.#runDir = parts.runDir;
    this.#runRecord = parts.runRecord;
  }

  /** Offers a socket; the cell is started with the connection to it. @throws AppError `bad-control`, `uids-exhausted` */
  async startCell(name: string): Promise<Offered> {
    this.#assertNew(name);
    const users = this.#users?.take();
    const limits = await this.#limits.forCell(name);
    const cell: Cell = { name, users, limits, preparing: false, ending: false };
    this.#cells.set(name, cell);
    const folder = path.join(path.dirname(this.#folders.profiles), 'cells', randomBytes(6).toString('hex'));
    const record = await recordSurrogate(this.#folders.records, { profileDir: folder, throwAway: true });
    const temporary = path.join(folder, 'tmp');
    await mkdir(path.dirname(folder), { recursive: true });
    await chmod(path.dirname(folder), 0o711);
    await mkdir(folder, { mode: 0o700 });
    await mkdir(temporary, { mode: 0o700 });
    for (const made of [temporary, folder]) giveTo(made, users?.cell);
    const { node, entry, openNode } = this.#program;
    const handover = await listenOnce(this.#runDir, undefined, CONNECT_DEADLINE_MS);
    const placement = await limits.place('cell', name);
    const { watched, events } = this.#events(name, record, users?.cell.uid, placement.watchedBytes);
    const launched = new LaunchedProcess(
      {
        wiring: 'cell',
        command: [node, ...this.#config.nodeArgs, entry, ...this.#config.cellArgs],
        env: { ...environment(folder, temporary), ...this.#config.cellEnv },
        cwd: folder,
        user: users?.cell,
        placement,
        handover,
        ...(openNode !== undefined && { openFile: openNode }),
      },
      events,
    );
    watched(launched);
    cell.process = launched;
    this.#processes.set(name, launched);
    this.#track(
      launched.ended.then(async () => {
        cell.ending = true;
        await cell.browser?.process.kill('cell-ended');
        await cell.browser?.over;
        this.#processes.delete(name);
        this.#cells.delete(name);
        await limits.close();
        await removeTree(folder);
        await record.remove();
        if (users) await this.#users?.release(users);
      }),
    );
    return { socketPath: handover.socketPath };
  }

  /** Offers a socket to the cell's user; a browser is started with the connection to it as its CDP pipe. @throws AppError */
  async startBrowser({ target, cell: of, proxyPort, hideScrollbars, extraArgs }: StartBrowser): Promise<Offered> {
    this.#assertNew(target);
    assertExtraFlags(extraArgs);
    const cell = this.#cells.get(of);
    if (!cell || cell.ending) throw new AppError('cell-gone', 'The cell of this browser has ended.');
    if (cell.browser || cell.preparing) throw new AppError('bad-control', 'The cell has a browser already.');
    cell.preparing = true;
    try {
      const profileDir = path.join(this.#folders.profiles, randomBytes(4).toString('hex'));
      const record = await recordSurrogate(this.#folders.records, { profileDir, throwAway: true });
      const env = await makeProfile(profileDir, cell.users?.browser);
      const flags = surrogateFlags({
        profileDir,
        proxyPort,
        hideScrollbars,
        extraArgs: [...this.#config.browserArgs, ...extraArgs],
        ...(this.#extensionDir !== undefined && { extensionDir: this.#extensionDir }),
      });
      const handover = await listenOnce(this.#runDir, cell.users?.cell, CONNECT_DEADLINE_MS);
      const placement = await cell.limits.place('browser', target);
      const { watched, events } = this.#events(target, record, cell.users?.browser.uid, placement.watchedBytes);
      const launched = new LaunchedProcess(
        {
          wiring: 'browser',
          command: [this.#config.chromium, ...flags],
          env,
          cwd: profileDir,
          user: cell.users?.browser,
          placement,
          handover,
        },
        events,
      );
      watched(launched);
      this.#processes.set(target, launched);
      const over = launched.ended.then(async () => {
        this.#processes.delete(target);
        delete cell.browser;
        await removeTree(profileDir);
        await record.remove();
      });
      cell.browser = { name: target, process: launched, over };
      this.#track(over);
      return { socketPath: handover.socketPath };
    } finally {
      cell.preparing = false;
    }
  }

  /** Ends a cell or a browser. One that is gone has been told of already. */
  kill(name: string, reason: EndReason): void {
    void this.#processes.get(name)?.kill(reason);
  }

  /** Ends everything, and removes what it has made. Idempotent. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    // Browsers before cells, so that each is told of with its own reason.
    for (const launched of [...this.#processes.values()].reverse()) void launched.kill('launcher-ended');
    while (this.#endings.size > 0) await Promise.allSettled(this.#endings);
    this.#watch.close();
    this.#users?.close();
    await this.#limits.close();
    await removeTree(this.#runDir);
    await this.#runRecord.remove();
  }

  #assertNew(name: string): void {
    if (this.#closing) throw new AppError('launcher-ended', 'The launcher is closing.');
    if (this.#cells.has(name) || this.#processes.has(name)) throw new AppError('bad-control', `${name} is used.`);
  }

  #track(ending: Promise<void>): void {
    this.#endings.add(ending);
    void ending
      .catch((thrown: unknown) => console.error('launcher: something of an ended process is left:', thrown))
      .finally(() => this.#endings.delete(ending));
  }

  #events(
    target: string,
    record: SurrogateRecord,
    uid: number | undefined,
    bytes: number | undefined,
  ): { readonly watched: (launched: LaunchedProcess) => void; readonly events: LaunchEvents } {
    let launched: LaunchedProcess | undefined;
    let unwatch: (() => void) | undefined;
    return {
      watched: (value) => (launched = value),
      events: {
        started: (pid) => {
          this.#notify({ notice: 'started', target, pid });
          void record.started(pid);
          if (bytes === undefined) return;
          const family = { pid, ...(uid !== undefined && { uid }) };
          unwatch = this.#watch.watch(family, bytes, () => void launched?.kill('memory'));
        },
        output: (lines) => this.#notify({ notice: 'output', target, lines }),
        exited: (exit, stderr) => {
          unwatch?.();
          this.#notify({ notice: 'exited', target, exit, stderr });
        },
      },
    };
  }
}
