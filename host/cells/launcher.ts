import { AppError } from '../../core/protocol/errors.ts';
import { CellFamily, type FamilyKind } from './cell-family.ts';
import type { Configured, LauncherConfig, Offered, Request } from './control-messages.ts';
import { openContext, type LaunchContext, type Notice } from './launch-context.ts';
import { Undo } from './undo.ts';

type StartBrowser = Extract<Request, { verb: 'start-browser' }>;

/** Starts cells and their browsers, limits them, and ends them. */
export class Launcher {
  readonly #context: LaunchContext;
  readonly #undo: Undo;
  readonly #families = new Map<string, CellFamily>();
  /** Functions that end each process. */
  readonly #kills = new Map<string, () => void>();
  /** Starts in progress. */
  readonly #starts = new Set<Promise<unknown>>();
  readonly #names = new Set<string>();
  #closing: Promise<void> | undefined;

  /** Prepares the state that cells share. @throws AppError `launcher-failed`, after cleaning up. */
  static async open(config: LauncherConfig, notify: (notice: Notice) => void): Promise<Launcher> {
    const undo = new Undo();
    try {
      return new Launcher(await openContext(config, notify, undo), undo);
    } catch (thrown) {
      await undo.run();
      throw thrown;
    }
  }

  private constructor(context: LaunchContext, undo: Undo) {
    this.#context = context;
    this.#undo = undo;
  }

  /** Answer to the configuration. */
  get configured(): Configured {
    const { limits, swept, extensionDir, network, decoderModules } = this.#context;
    const optional = extensionDir !== undefined && { extensionDir };
    return { limits: limits.report, swept, network, decoderModules, ...optional };
  }

  /**
   * Opens a socket; the cell or decoder is started with the connection to it. @throws AppError `bad-control`,
   * `uids-exhausted`
   */
  async startFamily(kind: FamilyKind, name: string, storage?: string): Promise<Offered> {
    this.#claimName(name);
    const { family, offered } = await this.#start(CellFamily.open(this.#context, kind, name, storage), name);
    this.#families.set(name, family);
    this.#kills.set(name, () => family.kill('killed'));
    void family.gone.then(() => {
      this.#families.delete(name);
      this.#forget(name);
    });
    return offered;
  }

  /**
   * Opens a socket for the cell's user; a browser is started with the connection to it as its CDP pipe. @throws
   * AppError
   */
  async startBrowser(request: StartBrowser): Promise<Offered> {
    const { target, cell } = request;
    const family = this.#families.get(cell);
    if (!family) throw new AppError('cell-gone', 'The cell of this browser has ended.');
    this.#claimName(target);
    const { browser, offered } = await this.#start(family.startBrowser(request), target);
    this.#kills.set(target, () => void browser.process.kill('killed'));
    void browser.gone.then(() => this.#forget(target));
    return offered;
  }

  /** Ends a cell or a browser. The end of one that no longer exists was already reported. */
  kill(name: string): void {
    this.#kills.get(name)?.();
  }

  /**
   * Ends all processes and removes all files. Idempotent.
   *
   * @param hurry leaves the search for files of the cells' users to the next launcher.
   */
  close(hurry = false): Promise<void> {
    return (this.#closing ??= this.#close(hurry));
  }

  async #close(hurry: boolean): Promise<void> {
    if (hurry) this.#context.users?.close();
    await Promise.allSettled(this.#starts);
    for (const family of this.#families.values()) family.kill('launcher-ended');
    await Promise.allSettled([...this.#families.values()].map(({ gone }) => gone));
    await this.#undo.run();
  }

  #claimName(name: string): void {
    if (this.#closing) throw new AppError('launcher-ended', 'The launcher is closing.');
    if (this.#names.has(name)) throw new AppError('bad-control', `The name ${name} is already in use.`);
    this.#names.add(name);
  }

  async #start<T>(starting: Promise<T>, name: string): Promise<T> {
    this.#starts.add(starting);
    try {
      return await starting;
    } catch (thrown) {
      this.#forget(name);
      throw thrown;
    } finally {
      this.#starts.delete(starting);
    }
  }

  #forget(name: string): void {
    this.#kills.delete(name);
    this.#names.delete(name);
  }
}
