/** The gateway's way to people's sessions on this machine: a cell each, some of them started ahead of need. */
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import type { PairAnswer, PairRequest, RepairRequest, UnpairRequest } from '../../core/protocol/pairing.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import { hostRefusal } from '../policy/host-refusal.ts';
import { isOpenable } from '../base/addresses.ts';
import { systemFont } from '../fonts/system-font.ts';
import type { MachineFonts } from '../fonts/system-fonts.ts';
import type {
  AskedShell,
  AttachedChannel,
  ChannelNames,
  Link,
  PostedNames,
  RoutedAnswer,
  RoutedRequest,
  TransportEnd,
} from '../contracts/link.ts';
import type { Person } from '../base/person.ts';
import type { Resource } from '../resources/resource.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { CellPool } from './cell-pool.ts';
import type { StartCell } from './cell-process.ts';
import { PersonCell } from './person-cell.ts';
import type { CellStores } from './gateway-calls.ts';
import { lineShares } from './reports.ts';

/** The stores are of whoever made them, who closes them. */
interface CellsOptions extends CellStores {
  readonly start: StartCell;
  readonly policy: PolicyEngine;
  readonly fonts: MachineFonts;
  /** Cells that are kept warm ahead of need. */
  readonly poolSize: number;
  /** Cells that may run at once. */
  readonly maxCells: number;
  /** A person without any attached client for so long, in ms, may have to make room for another; {@link GONE_MS} unless given. */
  readonly goneMs?: number;
  /** Ports on which the host itself listens: no surrogate reaches them. */
  readonly ownPorts?: readonly number[];
  /** Called with every fault of a client, page or plugin: whose, and its code. */
  readonly onFault: (from: string, code: string) => void;
  /** Takes what plugins have recorded for a person. */
  readonly onRecords: (records: SentRecords, person: Person | undefined) => void;
  readonly log: Log;
}

/** Counts of all cells, for metrics. */
interface WorkerCounts {
  /** People with a cell. */
  readonly sessions: number;
  readonly tabs: number;
  readonly attached: number;
  /** Running browsers. */
  readonly surrogates: number;
  readonly cells: number;
  /** Cells that wait for a person, with a running browser. */
  readonly warm: number;
  readonly launches: number;
  readonly failedLaunches: number;
  readonly crashes: number;
}

/** The cells of this machine. Whoever made them drains them. */
export interface Worker extends Link {
  counts(): WorkerCounts;
  /** The host listens on another port: no surrogate reaches it from now on. */
  addOwnPort(port: number): void;
}

/** Changes of ports wait so long for others, in ms: a cell that reports new ones all the time costs the others little. */
const PORTS_AFTER_MS = 10;
/** A person without any attached client for so long counts as gone, in ms: a reload is back sooner. */
const GONE_MS = 10_000;
/** Time after which a person whose network address has used its share may try again, in seconds. */
const SHARE_RETRY_S = 10;
/** Share of all cells that people of one network address may have. */
const ADDRESS_SHARE = 0.5;
/** Maximum number of attempts to pair; another cell is tried when the session has ended in the same moment. */
const PAIR_TRIES = 3;

/** Makes the cells; the first warm ones are started at once, in the background. */
export function createCells(options: CellsOptions): Worker {
  return new Cells(options);
}

function shareUsed(): AppError {
  const message = 'Too many sessions run for this network address. Close one, or come again later.';
  return new AppError('address-share', message, { retryable: true, data: { retryAfterS: SHARE_RETRY_S } });
}

/** A person's cell: `ready` once it has begun to serve them. */
interface Assigned {
  /** Network address of the person who began it, where cells are shared out by it. */
  readonly address: string | undefined;
  readonly ready: Promise<PersonCell>;
  cell?: PersonCell;
}

class Cells implements Worker {
  readonly #options: CellsOptions;
  readonly #mayLog = lineShares();
  readonly #pool: CellPool<PersonCell>;
  /** By subject. */
  readonly #people = new Map<string, Assigned>();
  readonly #running = new Set<PersonCell>();
  readonly #ownPorts: number[];
  readonly #size: number;
  readonly #max: number;
  readonly #unwatch: () => void;
  /** Sums over cells that have ended. */
  readonly #past = { launches: 0, failedLaunches: 0, crashes: 0 };
  #portsTimer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;

  constructor(options: CellsOptions) {
    this.#options = options;
    this.#ownPorts = [...(options.ownPorts ?? [])];
    this.#size = options.poolSize;
    this.#max = options.maxCells;
    this.#pool = new CellPool({
      start: () => this.#start(),
      size: this.#size,
      hasRoom: (starting) => this.#running.size + starting < this.#max,
      makeRoom: () => this.#endAbandoned(),
      log: options.log,
    });
    this.#unwatch = options.policy.onChange((person) => {
      for (const cell of this.#running) if (!person || person.subject === cell.subject) cell.policyChanged();
    });
  }

  expect(person: Person, shell: AskedShell): void {
    if (this.#draining || this.#refusal(person, shell.url)) return;
    if (!this.#people.has(person.subject) && this.#warm === 0) return;
    this.#cellOf(person).then(
      (cell) => cell.expect(shell),
      () => undefined, // pairing will meet the same, and report it
    );
  }

  async pair(person: Person, request: PairRequest): Promise<PairAnswer> {
    if (this.#isDraining()) return { error: 'pairing_retry' };
    const refused = this.#refusal(person, request.url);
    if (refused) return refused;
    for (let tries = 1; ; tries += 1) {
      let cell: PersonCell;
      try {
        cell = await this.#cellOf(person);
      } catch (thrown) {
        const fault = toAppError(thrown);
        if (fault.code === 'address-share') throw fault;
        this.#options.log.error('not paired', { code: fault.code, error: fault.message });
        return { error: this.#isDraining() ? 'pairing_retry' : 'global_pool_depleted' };
      }
      try {
        return await cell.pair(request);
      } catch (thrown) {
        const fault = toAppError(thrown);
        if (fault.code === 'cell-over') this.#forget(cell);
        if (fault.code === 'cell-over' && tries < PAIR_TRIES) continue;
        this.#options.log.error('not paired', { code: fault.code, error: fault.message });
        // A browser that is being ended refuses commands with any error.
        if (fault.retryable || fault.code.startsWith('link-') || this.#isDraining()) return { error: 'pairing_retry' };
        throw fault;
      }
    }
  }

  async repair(person: Person, cid: string, request: RepairRequest): Promise<PairAnswer> {
    return (await this.#known(person)).repair(cid, request);
  }

  async unpair(person: Person, request: UnpairRequest): Promise<void> {
    await (await this.#known(person)).unpair(request);
  }

  async attach(person: Person, names: ChannelNames, transport: TransportEnd): Promise<AttachedChannel | undefined> {
    const cell = await this.#people.get(person.subject)?.ready.catch(() => undefined);
    return cell?.attach(names, transport);
  }

  async receiveBodies(person: Person, names: PostedNames, frame: Uint8Array): Promise<void> {
    const cell = await this.#people.get(person.subject)?.ready.catch(() => undefined);
    if (!cell) throw new AppError('session-not-found', 'There is no such session.');
    await cell.receiveBodies(names, frame);
  }

  async resource(person: Person, kind: string, token: string): Promise<Resource> {
    const font = systemFont(this.#options.fonts, kind, token);
    if (font) return font;
    const cell = await this.#people.get(person.subject)?.ready.catch(() => undefined);
    if (!cell) throw new AppError('resource-not-found', 'There is no such resource.');
    return cell.resource(kind, token);
  }

  async request(
    person: Person,
    request: RoutedRequest,
    options: Parameters<Link['request']>[2],
  ): Promise<RoutedAnswer> {
    return (await this.#known(person)).request(request, options);
  }

  async ready(): Promise<boolean> {
    if (this.#draining) return false;
    return this.#warm > 0 || (this.#size === 0 && this.#running.size < this.#max) || this.#people.size > 0;
  }

  drain(reason: string): Promise<void> {
    this.#draining ??= (async () => {
      this.#unwatch();
      this.#pool.close();
      await this.#pool.settled();
      await Promise.allSettled([...this.#people.values()].map(({ ready }) => ready));
      await Promise.all([...this.#running].map((cell) => this.#close(cell, reason, true)));
      this.#people.clear();
    })();
    return this.#draining;
  }

  addOwnPort(port: number): void {
    this.#ownPorts.push(port);
    this.#tellPorts();
  }

  counts(): WorkerCounts {
    const sum = (key: 'tabs' | 'attached' | 'surrogates' | 'launches' | 'failedLaunches' | 'crashes'): number =>
      [...this.#running].reduce((total, { counts }) => total + counts[key], 0);
    return {
      sessions: this.#people.size,
      tabs: sum('tabs'),
      attached: sum('attached'),
      surrogates: sum('surrogates'),
      cells: this.#running.size,
      warm: this.#warm,
      launches: this.#past.launches + sum('launches'),
      failedLaunches: this.#past.failedLaunches + sum('failedLaunches'),
      crashes: this.#past.crashes + sum('crashes'),
    };
  }

  #isDraining(): boolean {
    return this.#draining !== undefined;
  }

  get #warm(): number {
    return this.#pool.waiting.filter(({ counts }) => counts.isWarm).length;
  }

  #refusal(person: Person, url: string): PairAnswer | undefined {
    if (!isOpenable(url)) {
      const message = 'Only http and https addresses can be opened.';
      return { error: 'bad-url', error_page: { title: 'This address cannot be opened', message } };
    }
    const policy = { mayReach: (to: { host: string; port: number }) => this.#options.policy.mayReach(person, to) };
    const refused = hostRefusal(policy, url);
    return refused === undefined
      ? undefined
      : { error: 'access_denied', error_page: { title: 'This page is not allowed', message: refused } };
  }

  /** @throws AppError `session-not-found` */
  async #known(person: Person): Promise<PersonCell> {
    const cell = await this.#people.get(person.subject)?.ready.catch(() => undefined);
    if (!cell) throw new AppError('session-not-found', 'There is no such session.');
    return cell;
  }

  /**
   * The person's cell; they get one now if they have none. Rejects with AppError `address-share`, `pool-depleted`, or of the
   * link.
   */
  #cellOf(person: Person): Promise<PersonCell> {
    const known = this.#people.get(person.subject);
    if (known) return known.ready;
    const { address } = person;
    if (address !== undefined && !this.#hasShare(address)) {
      this.#endAbandoned(address);
      if (!this.#hasShare(address)) return Promise.reject(shareUsed());
    }
    const begin = async (): Promise<PersonCell> => {
      const cell = (assigned.cell = await this.#pool.take());
      try {
        await cell.begin(person);
      } catch (thrown) {
        void this.#close(cell, 'not begun');
        throw thrown;
      }
      return cell;
    };
    const assigned: Assigned = { address, ready: Promise.resolve().then(begin) };
    this.#people.set(person.subject, assigned);
    assigned.ready.catch(() => {
      if (this.#people.get(person.subject) === assigned) this.#people.delete(person.subject);
    });
    return assigned.ready;
  }

  async #start(): Promise<PersonCell> {
    const { start, policy, fonts, cookies, services, decoders, onFault, onRecords, log } = this.#options;
    const started = await start();
    started.peer.closed.throwIfAborted(); // its end could not be reported
    const cell: PersonCell = new PersonCell({
      started,
      policy,
      stores: { fonts, cookies, services, decoders },
      onFault,
      mayLog: this.#mayLog,
      onRecords,
      onPorts: () => this.#tellPorts(),
      onReleased: () => void this.#close(cell, 'released'),
      onEnd: (why, exit) => {
        log.error('cell lost', { cellPid: started.pid, why, ...exit, stderr: started.stderr?.slice(-5) });
        this.#remove(cell);
        void cell.close(why);
      },
      log,
    });
    this.#running.add(cell);
    try {
      await started.setUp();
    } catch (thrown) {
      await this.#close(cell, 'not set up');
      throw thrown;
    }
    cell.refusePorts(this.#refusedPorts());
    return cell;
  }

  /** Ends a cell in order. */
  async #close(cell: PersonCell, reason: string, reconnect = false): Promise<void> {
    this.#forget(cell);
    await cell.close(reason, reconnect);
    this.#remove(cell);
    await this.#forgetCookies(cell);
  }

  /** A session that has ended leaves no cookies on disk; a cell that was too slow to delete them has been killed. */
  async #forgetCookies({ subject }: PersonCell): Promise<void> {
    if (subject === undefined || this.#people.has(subject)) return; // the next session has them by now
    try {
      await this.#options.cookies.forget(subject);
    } catch (thrown) {
      this.#options.log.error('cookies could not be deleted from disk', { error: toAppError(thrown).message });
    }
  }

  #remove(cell: PersonCell): void {
    this.#forget(cell);
    if (!this.#running.delete(cell)) return;
    const { launches, failedLaunches, crashes } = cell.counts;
    this.#past.launches += launches;
    this.#past.failedLaunches += failedLaunches;
    this.#past.crashes += crashes;
    this.#pool.left(cell);
    this.#tellPorts();
  }

  /** Whether another person of a network address may have a cell: one address never has them all. */
  #hasShare(address: string): boolean {
    const own = [...this.#people.values()].filter((assigned) => assigned.address === address);
    return own.length < Math.max(1, Math.floor(this.#max * ADDRESS_SHARE));
  }

  /** Ends the session, of an address if one is given, that has been without a client for the longest time, to make room for another person. */
  #endAbandoned(address?: string): void {
    const before = performance.now() - (this.#options.goneMs ?? GONE_MS);
    const [oldest] = [...this.#people.values()]
      .flatMap(({ cell, address: own }) => {
        const at = address === undefined || own === address ? cell?.abandonedAt : undefined;
        return cell && at !== undefined && at < before ? { cell, at } : [];
      })
      .sort((one, other) => one.at - other.at);
    if (!oldest || this.#isDraining()) return;
    this.#options.log.info('session ended to make room', { cellPid: oldest.cell.pid });
    void this.#close(oldest.cell, 'room for another person');
  }

  /** Its person gets another cell. */
  #forget(cell: PersonCell): void {
    for (const [subject, assigned] of this.#people) if (assigned.cell === cell) this.#people.delete(subject);
  }

  #refusedPorts(): number[] {
    return [...new Set([...this.#ownPorts, ...[...this.#running].flatMap(({ ports }) => ports)])];
  }

  /** Sends all cells the ports that they refuse, once for all changes within {@link PORTS_AFTER_MS}. */
  #tellPorts(): void {
    this.#portsTimer ??= setTimeout(() => {
      this.#portsTimer = undefined;
      const all = this.#refusedPorts();
      for (const cell of this.#running) cell.refusePorts(all);
    }, PORTS_AFTER_MS).unref();
  }
}
