import { createHash } from 'node:crypto';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import type { PairAnswer, PairRequest, RepairRequest, UnpairRequest } from '../../core/protocol/pairing.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type {
  AskedShell,
  AttachedChannel,
  ChannelNames,
  PostedNames,
  RoutedAnswer,
  RoutedRequest,
  TransportEnd,
} from '../contracts/link.ts';
import { displayScale } from '../base/display-scale.ts';
import type { Person } from '../base/person.ts';
import type { Resource } from '../resources/resource.ts';
import type { LinkBody } from '../link/api.ts';
import type { SentRecords } from '../declared/records-sent.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { resourceHeaders } from '../resources/resource-headers.ts';
import { attachOver } from './attach-over.ts';
import { cellAnswer } from './cell-answer.ts';
import type { CellExit, StartedCell } from './cell-process.ts';
import { serveGateway } from './gateway-calls.ts';
import type { CellStores } from './gateway-calls.ts';
import { KeptBodies } from './kept-bodies.ts';
import { watchPings } from './ping-watch.ts';
import {
  asleepSchema,
  cellPortsSchema,
  countsSchema,
  jsonBody,
  nothingSchema,
  NOTICE_TO_CELL,
  NOTICE_TO_GATEWAY,
  resourceFactsSchema,
  routeHeadSchema,
  TO_CELL,
} from './protocol.ts';
import type { AsleepSession, AsleepTab, CellCounts } from './protocol.ts';

/** Pairing waits for a browser, and for the policy's flags. */
const PAIR_DEADLINE_MS = 60_000;
const RESOURCE_DEADLINE_MS = 60_000;
const ROUTE_DEADLINE_MS = 120_000;
const CLOSE_DEADLINE_MS = 8000;
/** A session that falls asleep asks its pages where they are scrolled, and keeps its cookies, before it ends. */
const SLEEP_DEADLINE_MS = 20_000;

const NO_COUNTS: CellCounts = {
  tabs: 0,
  attached: 0,
  hidden: 0,
  left: 0,
  frozen: 0,
  discarded: 0,
  surrogates: 0,
  isWarm: false,
  launches: 0,
  failedLaunches: 0,
  crashes: 0,
};

interface PersonCellOptions {
  readonly started: StartedCell;
  readonly policy: PolicyEngine;
  readonly stores: CellStores;
  readonly onFault: (from: string, code: string) => void;
  /** Whether a line of so many bytes may be logged for a person. */
  readonly mayLog: (subject: string | undefined, bytes: number) => boolean;
  /** Takes what plugins have recorded for its person. */
  readonly onRecords: (records: SentRecords, person: Person | undefined) => void;
  /** The ports of its egress proxies have changed. */
  readonly onPorts: () => void;
  /** Its session is over by itself; `kept` is for its person's return. */
  readonly onReleased: (kept: AsleepSession | null) => void;
  /** It has ended, for whatever reason; called once. */
  readonly onEnd: (why: string, exit: CellExit | undefined) => void;
  readonly log: Log;
}

/** The gateway's end of one cell: first warm, then a person's. A cell that freezes or says what it must not is ended. */
export class PersonCell {
  readonly #options: PersonCellOptions;
  readonly #kept = new KeptBodies();
  readonly #stopPings: () => void;
  #counts = NO_COUNTS;
  #ports: readonly number[] = [];
  #person: Person | undefined;
  #abandonedAt: number | undefined;
  #ended: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: PersonCellOptions) {
    this.#options = options;
    const { started, log } = options;
    const { peer } = started;
    serveGateway(peer, options.stores, {
      person: () => this.#person,
      policy: options.policy,
      kept: this.#kept,
      log,
      onFault: options.onFault,
      mayLog: (bytes) => options.mayLog(this.#person?.subject, bytes),
      onRecords: (records) => options.onRecords(records, this.#person),
    });
    this.#listen(NOTICE_TO_GATEWAY.counts, (params) => {
      this.#counts = validate(countsSchema, params, 'counts');
      if (this.#counts.attached > 0) this.#abandonedAt = undefined;
      else this.#abandonedAt ??= performance.now();
    });
    this.#listen(NOTICE_TO_GATEWAY.ports, (params) => {
      this.#ports = validate(cellPortsSchema, params, 'ports').ports;
      options.onPorts();
    });
    this.#listen(NOTICE_TO_GATEWAY.released, (params) =>
      options.onReleased(validate(asleepSchema, params, NOTICE_TO_GATEWAY.released)),
    );
    void started.exited.then((exit) => this.#end(exit.reason ?? 'exited', exit));
    this.#stopPings = watchPings(peer, () => this.#end('frozen'));
    onAbort(peer.closed, () => this.#end('link closed'));
  }

  get counts(): CellCounts {
    return this.#counts;
  }

  /** Subject of its person; undefined for a cell of nobody. */
  get subject(): string | undefined {
    return this.#person?.subject;
  }

  /** Time since which its person has no attached client, by `performance.now()`; undefined while there is one, and for a cell of nobody. */
  get abandonedAt(): number | undefined {
    return this.#person && this.#closing === undefined ? this.#abandonedAt : undefined;
  }

  /** Ports of its egress proxies. */
  get ports(): readonly number[] {
    return this.#ports;
  }

  get pid(): number | undefined {
    return this.#options.started.pid;
  }

  /** Gives it its person, before anything else. @throws AppError of the link */
  async begin(person: Person): Promise<void> {
    const { policy, started } = this.#options;
    this.#person = person;
    this.#abandonedAt = performance.now();
    const key = createHash('sha256').update(person.subject).digest('base64url');
    await started.peer.call(TO_CELL.begin, person, { key, body: jsonBody(policy.slice(person)) });
  }

  expect(shell: AskedShell): void {
    this.#options.started.peer.notify(NOTICE_TO_CELL.expect, shell);
  }

  /** The policy of its person may have changed. */
  policyChanged(): void {
    if (this.#person) this.#options.started.peer.notify(NOTICE_TO_CELL.policy, null);
  }

  /** Ports that its egress must refuse beside its own. */
  refusePorts(ports: readonly number[]): void {
    this.#options.started.peer.notify(NOTICE_TO_CELL.ports, { ports });
  }

  /** Pairs a tab. The same `attempt` gets the same tab, also when the call before is still under way or its answer came too late. */
  async pair({ body, ...request }: PairRequest): Promise<PairAnswer> {
    const { attempt: key, render_params } = request;
    const { started } = this.#options;
    started.learnScale?.(displayScale(render_params.device_metrics.device_scale_factor));
    const { value } = await started.peer.call(TO_CELL.pair, request, {
      deadlineMs: PAIR_DEADLINE_MS,
      ...(key !== undefined && { key }),
      ...(body !== undefined && { body: Buffer.from(body, 'utf8') }),
    });
    return cellAnswer(value, 'pair answer');
  }

  async repair(cid: string, { body: _body, ...request }: RepairRequest): Promise<PairAnswer> {
    const { value } = await this.#options.started.peer.call(TO_CELL.repair, { cid, request });
    return cellAnswer(value, 'repair answer');
  }

  /** Opens a tab again whose session has slept. */
  async restore(tab: AsleepTab, { body: _body, ...request }: RepairRequest): Promise<PairAnswer> {
    const options = { deadlineMs: PAIR_DEADLINE_MS };
    const { value } = await this.#options.started.peer.call(TO_CELL.restore, { tab, request }, options);
    return cellAnswer(value, 'restore answer');
  }

  /** Has its session end as one that its person may come back to. Answers with what is kept of it; never rejects. */
  async sleep(): Promise<AsleepSession | null> {
    try {
      const { value } = await this.#options.started.peer.call(TO_CELL.sleep, null, { deadlineMs: SLEEP_DEADLINE_MS });
      return validate(asleepSchema, value, 'sleep answer');
    } catch {
      return null; // it is ended all the same
    }
  }

  /** The machine is short of memory. */
  relieve(): void {
    this.#options.started.peer.notify(NOTICE_TO_CELL.relieve, null);
  }

  /** Whether its person has nobody at any tab, or it has no person. */
  get isUnattended(): boolean {
    return this.#counts.attached === 0;
  }

  /** Bytes of memory that its processes have for themselves. Never rejects. */
  async bytes(): Promise<number> {
    return (await this.#options.started.bytes?.()) ?? 0;
  }

  /** Person whom it serves. */
  get person(): Person | undefined {
    return this.#person;
  }

  async unpair(request: UnpairRequest): Promise<void> {
    const { value } = await this.#options.started.peer.call(TO_CELL.unpair, request, { key: request.safe_rid });
    validate(nothingSchema, value, 'unpair answer');
  }

  /** See `Link.receiveBodies`. */
  async receiveBodies(names: PostedNames, frame: Uint8Array): Promise<void> {
    const { value } = await this.#options.started.peer.call(TO_CELL.bodies, names, { body: frame });
    validate(nothingSchema, value, 'bodies answer');
  }

  async resource(kind: string, token: string): Promise<Resource> {
    const asked = { kind, token };
    const { value, body } = await this.#call(TO_CELL.resource, asked, RESOURCE_DEADLINE_MS);
    const { size, ...facts } = validate(resourceFactsSchema, value, 'resource');
    return { headers: resourceHeaders(facts), size, body };
  }

  /** See `Link.request`. */
  async request(
    request: RoutedRequest,
    { signal, body }: { readonly signal: AbortSignal; readonly body?: AsyncIterable<Uint8Array> },
  ): Promise<RoutedAnswer> {
    const { value, body: answer } = await this.#options.started.peer.call(TO_CELL.request, request, {
      deadlineMs: ROUTE_DEADLINE_MS,
      signal,
      ...(body && { body }),
    });
    const head = validate(routeHeadSchema, value, 'answer of a route');
    if ('code' in head) return head;
    const { kept, ...facts } = head;
    if (kept === undefined) return { ...facts, ...(answer && { body: answer }) };
    const taken = this.#kept.take(kept);
    onAbort(signal, () => taken.abort(signal.reason)); // the call to the cell is over: it ends nothing any more
    return { ...facts, body: taken };
  }

  /** See `Link.attach`. */
  attach(names: ChannelNames, transport: TransportEnd): Promise<AttachedChannel | undefined> {
    return attachOver(this.#options.started.peer, names, transport);
  }

  /** Ends its session in order, then the cell. Idempotent. */
  close(reason: string, reconnect = false): Promise<void> {
    this.#closing ??= (async () => {
      const { started } = this.#options;
      const { peer } = started;
      this.#stopPings();
      if (this.#ended === undefined)
        await peer.call(TO_CELL.close, { reason, reconnect }, { deadlineMs: CLOSE_DEADLINE_MS }).catch(() => undefined); // it is killed below
      this.#ended ??= reason;
      peer.close(reason);
      await started.kill();
      await started.exited;
    })();
    return this.#closing;
  }

  async #call(
    method: string,
    params: unknown,
    deadlineMs: number,
  ): Promise<{ readonly value: unknown; readonly body: LinkBody }> {
    const { value, body } = await this.#options.started.peer.call(method, params, { deadlineMs });
    if (!body) throw new AppError('bad-message', `${method}: an answer without a body`);
    return { value, body };
  }

  /** A notice that is not in shape ends the cell: it is not ours any more. */
  #listen(notice: string, listener: (params: unknown) => void): void {
    this.#options.started.peer.on(notice, (params) => {
      try {
        listener(params);
      } catch (thrown) {
        this.#end(toAppError(thrown).message);
      }
    });
  }

  #end(why: string, exit?: CellExit): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#stopPings();
    this.#options.started.peer.close(why);
    void this.#options.started.kill();
    const { launches, failedLaunches, crashes } = this.#counts;
    this.#counts = { ...NO_COUNTS, launches, failedLaunches, crashes: crashes + 1 };
    this.#options.onEnd(why, exit);
  }
}

/** The cell that has been without a client for the longest time, if that began before a time. */
export function longestAbandoned(cells: readonly PersonCell[], before: number): PersonCell | undefined {
  const left = cells.flatMap((cell) => {
    const at = cell.abandonedAt;
    return at !== undefined && at < before ? [{ cell, at }] : [];
  });
  return left.sort((one, other) => one.at - other.at)[0]?.cell;
}
