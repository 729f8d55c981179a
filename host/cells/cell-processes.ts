import { once } from 'node:events';
import os from 'node:os';
import type { Duplex } from 'node:stream';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError } from '../../core/protocol/errors.ts';
import type { ChosenLimits } from '../base/chosen-limits.ts';
import { linkSocket } from '../link/link-socket.ts';
import type { NetworkWall } from './confined-command.ts';
import type {
  BrowserRequest,
  Configured,
  DecoderPackages,
  LaunchedExit,
  LauncherConfig,
  Offered,
} from './control-messages.ts';
import { startLauncher, type LauncherClient } from './launcher-client.ts';
import { chosenLimits, defaultLimits, freeDisk, type LimitValues } from './limits/limit-values.ts';
import type { LimitsReport } from './limits/limits.ts';
import { DEFAULT_UIDS, type UidRange } from './uid-range.ts';

/** Everything that cells and browsers are started with. No request can change it. */
export interface CellProcessesOptions {
  /** The host's data folder. */
  readonly dataDir: string;
  /**
   * Absolute path of the program of each cell: one built file, or TypeScript where the cells' users can read the
   * checkout.
   */
  readonly cellEntry: string;
  readonly cellArgs?: readonly string[];
  /** Flags for the cells' Node. Default: a heap of three quarters of the cell's memory. */
  readonly nodeArgs?: readonly string[];
  /** Packages that decoders load; without them they decode nothing. */
  readonly decoderPackages?: DecoderPackages;
  /** Environment of cells, in addition to PATH, LANG, HOME and TMPDIR. */
  readonly cellEnv?: Readonly<Record<string, string>>;
  /** Absolute path of a Chromium. */
  readonly chromium: string;
  /** Built extension with the page halves. */
  readonly extensionDir?: string;
  /** Flags of every browser; those that weaken the sandbox are refused. */
  readonly browserArgs?: readonly string[];
  /** User ids for cells and browsers where the host is root. Default: {@link DEFAULT_UIDS}. */
  readonly uids?: UidRange;
  /** Default: those of the machine, with `chosen` in their place. */
  readonly limits?: LimitValues;
  /** @throws AppError `limit-not-enforced` in `open`, where this machine does not enforce one. */
  readonly chosen?: ChosenLimits;
  /** Program of the launcher. Default: its source beside this file. */
  readonly launcherEntry?: string;
  readonly log: Log;
}

/** A running cell. */
export interface CellProcess {
  readonly id: string;
  readonly pid: number;
  /** The link to it: a stream socket. The caller closes it; the cell then ends. */
  readonly socket: Duplex;
  /** Resolves when it has ended. Its browser then ends, too. */
  readonly exited: Promise<LaunchedExit>;
  /** The last lines of its output. */
  readonly stderr: readonly string[];
  /** Kills it and its browser. Resolves when it has ended. */
  kill(): Promise<void>;
}

/** A browser that is started once its cell connects to `socketPath`. */
export interface BrowserProcess {
  readonly id: string;
  /** Socket to which its cell connects, once, to speak CDP: `connectBrowser(socketPath)`. */
  readonly socketPath: string;
  /** Id of its user, where it has one of its own. */
  readonly uid?: number;
  /** See `Offered.exchange`. */
  readonly exchange?: Offered['exchange'];
  /** Process id, once it is started. Stays pending if the start fails: see `exited`. */
  readonly started: Promise<number>;
  readonly exited: Promise<LaunchedExit>;
  /** The last lines of its output. */
  readonly stderr: readonly string[];
}

/** Cells, their browsers, and the launcher that starts and ends them. The caller closes it. */
export class CellProcesses {
  /** The mechanism that enforces each limit on this machine. */
  readonly limits: LimitsReport;
  /** Limits of each cell and browser. */
  readonly limitValues: LimitValues;
  /** Wall between decoders and the network. */
  readonly network: NetworkWall;
  /** Modules of the packages of decoders, by name, where those can read them. */
  readonly decoderModules: Readonly<Record<string, string>>;
  /** Copy of the extension that cells can read. */
  readonly extensionDir: string | undefined;
  /** Processes and folders of earlier runs that were removed at the start. */
  readonly swept: number;
  /** Resolves when the launcher and every cell have ended: nothing can be started any more. */
  readonly ended: Promise<LaunchedExit>;
  /** Process id of the launcher. */
  readonly launcherPid: number;
  readonly #launcher: LauncherClient;
  #last = 0;

  /** Starts the launcher. @throws AppError `launcher-failed` with its output. */
  static async open(options: CellProcessesOptions): Promise<CellProcesses> {
    const defaults = defaultLimits(os.totalmem(), freeDisk(options.dataDir));
    const limits = options.limits ?? chosenLimits(options.chosen ?? {}, defaults);
    const heapMiB = Math.floor((limits.cell.memoryBytes / 1024 / 1024) * 0.75);
    const config: LauncherConfig = {
      dataDir: options.dataDir,
      cellEntry: options.cellEntry,
      cellArgs: options.cellArgs ?? [],
      nodeArgs: options.nodeArgs ?? [`--max-old-space-size=${heapMiB}`],
      cellEnv: options.cellEnv ?? {},
      chromium: options.chromium,
      browserArgs: options.browserArgs ?? [],
      uids: options.uids ?? DEFAULT_UIDS,
      limits,
      ...(options.extensionDir !== undefined && { extensionDir: options.extensionDir }),
      ...(options.decoderPackages && { decoderPackages: options.decoderPackages }),
    };
    const { client, configured } = await startLauncher(config, options.log, options.launcherEntry);
    try {
      assertEnforced(options.chosen ?? {}, configured.limits);
    } catch (thrown) {
      await client.close();
      throw thrown;
    }
    return new CellProcesses(client, configured, limits);
  }

  private constructor(launcher: LauncherClient, configured: Configured, values: LimitValues) {
    const { limits, network, decoderModules, swept, extensionDir } = configured;
    this.#launcher = launcher;
    this.limits = limits;
    this.network = network;
    this.decoderModules = decoderModules;
    this.limitValues = values;
    this.extensionDir = extensionDir;
    this.swept = swept;
    this.ended = launcher.ended;
    this.launcherPid = launcher.pid;
  }

  /**
   * Starts a cell. With `storage`, a word in kebab case, it works in the folder of that name, which is kept. @throws AppError `cell-launch-failed` (data: its last lines), `uids-exhausted`, `launcher-ended`.
   */
  startCell({ storage }: { readonly storage?: string } = {}): Promise<CellProcess> {
    return this.#startProcess('cell', storage);
  }

  /** Starts the program of cells without a network, under the limits of decoders. @throws AppError as {@link startCell} */
  startDecoder(): Promise<CellProcess> {
    return this.#startProcess('decoder');
  }

  async #startProcess(kind: 'cell' | 'decoder', storage?: string): Promise<CellProcess> {
    const target = this.#launcher.target(`${kind}-${++this.#last}`);
    const { socketPath } = (await this.#launcher.request(`start-${kind}`, {
      target: target.id,
      ...(storage !== undefined && { storage }),
    })) as Offered; // its answer
    const socket = linkSocket({ path: socketPath });
    try {
      await once(socket, 'connect');
    } catch (cause) {
      this.#launcher.kill(target.id);
      throw new AppError('cell-launch-failed', `Could not connect to the socket of the ${kind}.`, { cause });
    }
    socket.on('error', () => socket.destroy()); // its exit reports the error
    const outcome = await Promise.race([target.started, target.exited]);
    if (typeof outcome !== 'number') {
      socket.destroy();
      const data = { ...outcome, stderr: target.stderr.join('\n') };
      throw new AppError('cell-launch-failed', `The ${kind} failed to start.`, { data });
    }
    return {
      id: target.id,
      pid: outcome,
      socket,
      exited: target.exited,
      stderr: target.stderr,
      kill: async () => {
        this.#launcher.kill(target.id);
        await target.exited;
      },
    };
  }

  /**
   * Prepares a browser for a cell, which must have none. @throws AppError `surrogate-launch-failed`, `cell-gone`,
   * `launcher-ended`.
   */
  async startBrowser(cell: Pick<CellProcess, 'id'>, request: BrowserRequest): Promise<BrowserProcess> {
    const { proxyPort, hideScrollbars = false, extraArgs = [] } = request;
    const target = this.#launcher.target(`browser-${++this.#last}`);
    const fields = { target: target.id, cell: cell.id, proxyPort, hideScrollbars, extraArgs };
    const offered = (await this.#launcher.request('start-browser', fields)) as Offered; // its answer
    const { id, started, exited, stderr } = target;
    return { ...offered, id, started, exited, stderr };
  }

  /** Kills a browser. Resolves when it has ended; its cell may then have another. */
  async killBrowser(browser: BrowserProcess): Promise<void> {
    this.#launcher.kill(browser.id);
    await browser.exited;
  }

  /** Ends all cells and browsers, removes their files, ends the launcher. Idempotent. */
  close(): Promise<void> {
    return this.#launcher.close();
  }
}

/** A limit that an administrator has chosen and that nothing enforces would be worse than none. @throws AppError `limit-not-enforced` */
function assertEnforced({ cpuPercent, browserTasks }: ChosenLimits, { cpu, processes }: LimitsReport): void {
  const refused = (option: string, needs: string): AppError =>
    new AppError('limit-not-enforced', `--${option} cannot be enforced on this machine: it needs ${needs}.`);
  if (cpuPercent !== undefined && cpu === 'nice') throw refused('cell-cpu', 'cgroups that can be written');
  if (browserTasks !== undefined && processes === 'none')
    throw refused('browser-processes', 'cgroups that can be written, or root');
}
