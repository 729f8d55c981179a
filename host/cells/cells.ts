/** The gateway's way to people's sessions on this machine: a cell each, some of them started ahead of need. */
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import type { PairAnswer, PairRequest, RepairRequest, UnpairRequest } from '../../core/protocol/pairing.ts';
import { systemFont } from '../fonts/system-font.ts';
import type {
  AskedShell,
  AttachedChannel,
  ChannelNames,
  Link,
  PostedNames,
  RoutedAnswer,
  RoutedRequest,
  TransportEnd,
  WaitingPerson,
} from '../contracts/link.ts';
import type { Person } from '../base/person.ts';
import type { Resource } from '../resources/resource.ts';
import { AsleepPeople } from './asleep-people.ts';
import { countsOf } from './cell-counts.ts';
import type { WorkerCounts } from './cell-counts.ts';
import { CellPool } from './cell-pool.ts';
import { longestAbandoned, PersonCell } from './person-cell.ts';
import type { AsleepSession } from './protocol.ts';
import { noneFree, shareUsed } from './no-room.ts';
import { PortNews } from './port-news.ts';
import { refusal } from './refusal.ts';
import { relieveCells } from './relief.ts';
import { WaitingPeople } from './waiting-people.ts';
import type { CellsOptions } from './cells-options.ts';
import { lineShares } from './reports.ts';

/** The cells of this machine. Whoever made them drains them. */
export interface Worker extends Link {
  counts(): WorkerCounts;
  /** Bytes of memory of the cells that nobody is at, warm ones included. Never rejects. */
  unattendedBytes(): Promise<number>;
  /** The machine is short of memory: of people with the largest browsers, or urgently of all, a hidden page each is discarded. */
  relieve(isUrgent: boolean): void;
  /** The host listens on another port: no surrogate reaches it from now on. */
  addOwnPort(port: number): void;
}

/** Share of all cells that people of one network address may have. */
const ADDRESS_SHARE = 0.5;
/** Maximum number of attempts to pair; another cell is tried when the session has ended in the same moment. */
const PAIR_TRIES = 3;

/** Makes the cells; the first warm ones are started at once, in the background. */
export function createCells(options: CellsOptions): Worker {
  return new Cells(options);
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
  readonly #ports: PortNews<PersonCell>;
  readonly #size: number;
  readonly #max: number;
  readonly #unwatch: () => void;
  /** Sums over cells that have ended. */
  readonly #past = { launches: 0, failedLaunches: 0, crashes: 0 };
  readonly #waiting = new WaitingPeople();
  readonly #asleep: AsleepPeople;
  /** Ends of the sessions of people who have to make room, by subject. */
  readonly #fallingAsleep = new Map<string, Promise<void>>();
  /** Cells that are being ended. */
  readonly #ending = new Set<PersonCell>();
  #draining: Promise<void> | undefined;

  constructor(options: CellsOptions) {
    this.#options = options;
    this.#ports = new PortNews(this.#running, options.ownPorts ?? []);
    this.#size = options.poolSize;
    this.#max = options.maxCells;
    this.#pool = new CellPool({
      start: () => this.#start(),
      size: this.#size,
      room: (starting) => this.#max - this.#running.size - starting,
      makeRoom: () => this.#endAbandoned(),
      log: options.log,
    });
    this.#asleep = new AsleepPeople((subject) => {
      if (!this.#people.has(subject)) void this.#forgetCookies(subject);
    });
    this.#unwatch = options.policy.onChange((person) => {
      for (const cell of this.#running) if (!person || person.subject === cell.subject) cell.policyChanged();
    });
  }

  expect(person: Person, shell: AskedShell): void {
    if (this.#draining || refusal(this.#options.policy, person, shell.url)) return;
    if (!this.#people.has(person.subject) && this.#warm === 0) return;
    this.#cellOf(person).then(
      (cell) => cell.expect(shell),
      () => undefined, // pairing will meet the same, and report it
    );
  }

  async pair(person: Person, request: PairRequest): Promise<PairAnswer> {
    if (this.#isDraining()) return { error: 'pairing_retry' };
    const refused = refusal(this.#options.policy, person, request.url);
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
    await this.#fallingAsleep.get(person.subject);
    const tab = this.#isDraining() ? undefined : this.#asleep.take(person.subject, cid, request.safe_rid);
    const refused = tab && refusal(this.#options.policy, person, tab.url);
    if (refused) return refused;
    if (tab) return (await this.#cellOf(person)).restore(tab, request);
    const cell = await this.#known(person);
    try {
      return await cell.repair(cid, request);
    } catch (thrown) {
      if (toAppError(thrown).code !== 'cell-over') throw thrown;
      this.#forget(cell); // it has said before what is kept of its tabs
      return this.repair(person, cid, request);
    }
  }

  async waiting(person: Person): Promise<WaitingPerson | undefined> {
    const { subject, address } = person;
    if (this.#isDraining() || this.#people.has(subject)) return undefined;
    const reason = this.#reasonToWait(subject, address);
    return reason && { reason, place: this.#waiting.ahead(subject) + 1 };
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
      this.#asleep.clear();
      await this.#pool.settled();
      await Promise.allSettled([...this.#people.values()].map(({ ready }) => ready));
      await Promise.all([...this.#running].map((cell) => this.#close(cell, reason, true)));
      this.#people.clear();
    })();
    return this.#draining;
  }

  addOwnPort(port: number): void {
    this.#ports.addOwn(port);
  }

  counts(): WorkerCounts {
    const own = {
      sessions: this.#people.size,
      warm: this.#warm,
      waiting: this.#waiting.size,
      asleep: this.#asleep.size,
    };
    return { ...own, ...countsOf([...this.#running], this.#past) };
  }

  async unattendedBytes(): Promise<number> {
    const bytes = await Promise.all([...this.#running].filter((cell) => cell.isUnattended).map((cell) => cell.bytes()));
    return bytes.reduce((sum, each) => sum + each, 0);
  }

  relieve(isUrgent: boolean): void {
    void relieveCells(this.#running, isUrgent);
  }

  #isDraining(): boolean {
    return this.#draining !== undefined;
  }

  get #warm(): number {
    return this.#pool.waiting.filter(({ counts }) => counts.isWarm).length;
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
    const { subject, address } = person;
    const reason = this.#reasonToWait(subject, address);
    if (reason !== undefined) return Promise.reject(reason === 'address' ? shareUsed() : noneFree());
    this.#waiting.leave(subject);
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

  /** Why a person has to wait for a cell, and keeps their place; undefined: there is one. Others who have left are asked to make room. */
  #reasonToWait(subject: string, address: string | undefined): WaitingPerson['reason'] | undefined {
    if (address !== undefined && !this.#hasShare(address)) {
      this.#endAbandoned(address);
      if (!this.#hasShare(address)) return 'address';
    }
    if (this.#waiting.ahead(subject) < this.#pool.free) return undefined;
    this.#waiting.join(subject, address);
    this.#endAbandoned();
    return 'full';
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
      onPorts: () => this.#ports.changed(),
      onReleased: (kept) => {
        this.#keep(cell, kept);
        void this.#close(cell, 'released');
      },
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
      started.peer.closed.throwIfAborted(); // nobody gets one that has ended already
    } catch (thrown) {
      await this.#close(cell, 'not set up');
      throw thrown;
    }
    cell.refusePorts(this.#ports.all);
    return cell;
  }

  /** Ends a cell in order. */
  async #close(cell: PersonCell, reason: string, reconnect = false): Promise<void> {
    this.#forget(cell);
    this.#ending.add(cell);
    await cell.close(reason, reconnect);
    this.#ending.delete(cell);
    this.#remove(cell);
    if (cell.subject !== undefined) await this.#forgetCookies(cell.subject);
  }

  /** The record of a session whose person may come back. */
  #keep({ person }: PersonCell, kept: AsleepSession | null): void {
    if (!person || !kept || this.#isDraining()) return;
    const { idle_seconds = Infinity } = this.#options.policy.decide(person, '').settings.limits;
    this.#asleep.keep(person.subject, kept, Math.min(this.#options.keepMs, idle_seconds * 1000));
  }

  /** A session that has ended leaves no cookies on disk; a cell that was too slow to delete them has been killed. */
  async #forgetCookies(subject: string): Promise<void> {
    if (this.#people.has(subject) || this.#asleep.has(subject)) return; // they are for the next session
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
    this.#ports.changed();
  }

  /** Whether another person of a network address may have a cell: one address never has them all. */
  #hasShare(address: string): boolean {
    const own = [...this.#people.values()].filter((assigned) => assigned.address === address);
    return own.length < Math.max(1, Math.floor(this.#max * ADDRESS_SHARE));
  }

  /**
   * Puts the session to sleep, of an address if one is given, that has been without a client for the longest time, to make room for another
   * person; not more of them at once than people wait.
   */
  #endAbandoned(address?: string): void {
    if (this.#isDraining() || this.#ending.size >= Math.max(1, this.#waiting.size)) return;
    const before = performance.now() - this.#options.goneMs;
    const own = [...this.#people.values()].filter((each) => address === undefined || each.address === address);
    const cell = longestAbandoned(
      own.flatMap((each) => each.cell ?? []),
      before,
    );
    if (!cell) return;
    this.#options.log.info('session ended to make room', { cellPid: cell.pid });
    const { subject = '' } = cell;
    this.#forget(cell);
    this.#ending.add(cell);
    const asleep = cell.sleep().then((kept) => {
      this.#keep(cell, kept);
      this.#fallingAsleep.delete(subject);
      void this.#close(cell, 'room for another person');
    });
    this.#fallingAsleep.set(subject, asleep);
  }

  /** Its person gets another cell. */
  #forget(cell: PersonCell): void {
    for (const [subject, assigned] of this.#people) if (assigned.cell === cell) this.#people.delete(subject);
  }
}
