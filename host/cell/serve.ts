/** A cell as the gateway sees it: answers its calls over a link, with one person's session behind them. */
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { MAX_POSTED_BYTES } from '../../core/protocol/bodies/posting.ts';
import { validate } from '../../core/protocol/message.ts';
import type { Schema } from '../../core/protocol/message.ts';
import { pairRequestSchema, repairRequestSchema, unpairRequestSchema } from '../../core/protocol/pairing.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import {
  CHANNEL_STREAM,
  closeSchema,
  NOTICE_TO_CELL,
  NOTICE_TO_GATEWAY,
  personSchema,
  postedSchema,
  refusedPortsSchema,
  readBody,
  readJson,
  repairSchema,
  restoreSchema,
  resourceRequestSchema,
  routeRequestSchema,
  shellSchema,
  TO_CELL,
  TO_GATEWAY,
} from '../cells/protocol.ts';
import type { CellCounts, RouteHead } from '../cells/protocol.ts';
import type { Person } from '../base/person.ts';
import type { LinkAnswer, LinkBody, LinkPeer } from '../link/api.ts';
import type { RouteOutcome } from './answer-route.ts';
import { personPolicyData } from '../policy/person-policy-data.ts';
import type { PersonPolicyData } from '../policy/person-policy-data.ts';
import type { SettingsTable } from '../policy/settings-table.ts';
import { personPolicy } from '../policy/person-policy.ts';
import type { PersonPolicy } from '../policy/person-policy.ts';
import { serveChannel } from './channel/serve-channel.ts';
import { Cell } from './cell.ts';
import type { CellLimits } from './cell-limits.ts';
import type { CellParts } from './cell.ts';
import { SentBodies } from './resources/sent-bodies.ts';
import { remoteCookies, remoteGrants, RemoteFonts, remotePictures, remoteRecords } from './gateway-services.ts';
import { BrowserSupply } from './session/browser-supply.ts';
import type { BrowserSupplyOptions } from './session/browser-supply.ts';
import { KeptBody } from '../plugins/kept-body.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';
import { remoteAccess } from '../plugins/host-access.ts';
import type { OptionsByPlugin } from '../declared/options.ts';
import { RecordBuffer } from '../plugins/record-buffer.ts';

/** Largest policy of one person, and largest POST body of a pair request, in bytes. */
const MAX_POLICY_BYTES = 32 * 1024 * 1024;
const MAX_POST_BYTES = 16 * 1024 * 1024;
const COUNTS_MS = 1000;
const NO_TABS = { tabs: 0, attached: 0, hidden: 0, left: 0, frozen: 0, discarded: 0, crashes: 0 };

/** Parts of a cell that do not come over its link. */
interface ServedCell extends Pick<BrowserSupplyOptions, 'launch' | 'egress' | 'denied'> {
  readonly extensionDir: string;
  readonly plugins: readonly RegisteredPlugin[];
  readonly limits: CellLimits;
  /** Values of the options of plugins. */
  readonly options: OptionsByPlugin;
  /** Settings of the policy that this build knows. */
  readonly settings: SettingsTable;
  /** Scale of the display of the first browser; default: 1. */
  readonly scale?: number | undefined;
  readonly log: Log;
}

/** Serves one cell over a link until that ends. Answers with what closes it; idempotent. */
export function serveCell(peer: LinkPeer, options: ServedCell): { close(): Promise<void> } {
  return new CellServer(peer, options);
}

/** Fields of a request that its link leaves out where they are absent. */
const NO_HEADERS = { rest: '', contentType: undefined, range: undefined, ifRange: undefined };

async function* nothing(): AsyncGenerator<Uint8Array> {
  // no body
}

/** The outcome of a request to a route, as the link carries it. */
function routed(outcome: RouteOutcome): LinkAnswer {
  if ('error' in outcome) {
    const { code, message, retryable } = outcome.error;
    const { status } = outcome;
    const head: RouteHead = {
      code: code.slice(0, 100),
      message: message.slice(0, 2000),
      retryable,
      ...(status !== undefined && { status }),
    };
    return { value: head };
  }
  const { status = 200, body, ...facts } = outcome.answer;
  const head: RouteHead = { ...facts, status };
  if (body instanceof KeptBody) return { value: { ...head, kept: body.name } satisfies RouteHead };
  return { value: head, body };
}

class CellServer {
  readonly #peer: LinkPeer;
  readonly #options: ServedCell;
  readonly #browsers: BrowserSupply;
  readonly #fonts: RemoteFonts;
  readonly #records: RecordBuffer;
  readonly #policyData: Schema<PersonPolicyData>;
  /** Ports of the host and of other cells, which the egress refuses. */
  readonly #foreignPorts: number[] = [];
  readonly #counting: NodeJS.Timeout;
  readonly #sent = new SentBodies();
  #cell: Cell | undefined;
  #policy: PersonPolicy | undefined;
  #closing: Promise<void> | undefined;
  /** Counts as the gateway has them. */
  #reported = '';
  /** Whether the policy is being asked for, and has changed again since; or that it has changed before there was one here. */
  #renewing: 'no' | 'yes' | 'again' = 'no';

  constructor(peer: LinkPeer, options: ServedCell) {
    this.#peer = peer;
    this.#options = options;
    this.#policyData = personPolicyData(options.settings);
    this.#fonts = new RemoteFonts(peer);
    const manifests = options.plugins.map(({ manifest }) => manifest);
    this.#records = new RecordBuffer(manifests, remoteRecords(peer));
    this.#browsers = new BrowserSupply({
      launch: options.launch,
      egress: {
        ...options.egress,
        ownPorts: this.#foreignPorts,
        onFault: (code) => peer.notify(NOTICE_TO_GATEWAY.fault, { from: 'page', code }),
      },
      denied: options.denied,
      scale: options.scale ?? 1,
      onPorts: (ports) => peer.notify(NOTICE_TO_GATEWAY.ports, { ports }),
      log: options.log,
    });
    this.#counting = setInterval(() => this.#reportCounts(), COUNTS_MS);
    this.#counting.unref();
    this.#answerCalls();
    this.#listen();
    peer.accept(CHANNEL_STREAM, (params, stream) => {
      serveChannel(
        (names, transport) => this.#cell?.attach(names, transport),
        params,
        stream,
        () => this.#reportCounts(),
      );
    });
    onAbort(peer.closed, () => void this.close('link closed', true));
  }

  close(reason = 'closed', reconnect = false): Promise<void> {
    this.#closing ??= (async () => {
      clearInterval(this.#counting);
      await this.#cell?.close(reason, reconnect);
      this.#records.close();
      await this.#browsers.close();
      this.#reportCounts();
    })();
    return this.#closing;
  }

  #answerCalls(): void {
    this.#handle(TO_CELL.begin, async (params, body) => {
      if (this.#cell) throw new AppError('cell-taken', 'The cell has its person already.');
      const person = validate(personSchema, params, TO_CELL.begin);
      const policy = await readJson(body, this.#policyData, 'policy', MAX_POLICY_BYTES);
      this.#begin(person, personPolicy(policy, this.#options.settings));
      if (!this.#isStale()) return;
      this.#renewing = 'no';
      void this.#renewPolicy(); // it has changed on its way
    });
    this.#handle(
      TO_CELL.pair,
      async (params, body) => {
        const post = body && (await readBody(body, MAX_POST_BYTES)).toString('utf8');
        const request = { ...(params as object), ...(post !== undefined && { body: post }) };
        return this.#served.pair(validate(pairRequestSchema, request, TO_CELL.pair));
      },
      ({ error }) => error === undefined, // without a tab, the same attempt goes on
    );
    this.#handle(TO_CELL.repair, (params) => {
      const { cid, request } = validate(repairSchema, params, TO_CELL.repair);
      return this.#served.repair(cid, validate(repairRequestSchema, request, TO_CELL.repair));
    });
    this.#handle(TO_CELL.restore, (params) => {
      const { tab, request } = validate(restoreSchema, params, TO_CELL.restore);
      return this.#served.restore(tab, validate(repairRequestSchema, request, TO_CELL.restore));
    });
    this.#handle(TO_CELL.sleep, () => this.#served.sleep());
    this.#handle(TO_CELL.unpair, (params) =>
      this.#served.unpair(validate(unpairRequestSchema, params, TO_CELL.unpair)),
    );
    this.#handle(TO_CELL.bodies, async (params, body) => {
      const names = validate(postedSchema, params, TO_CELL.bodies);
      this.#served.receiveBodies(names, await readBody(body, 2 * MAX_POSTED_BYTES));
    });
    this.#handle(TO_CELL.close, (params) => {
      const { reason, reconnect } = validate(closeSchema, params, TO_CELL.close);
      return this.close(reason, reconnect);
    });
    this.#peer.handle(TO_CELL.resource, async ({ params }) => {
      const { kind, token } = validate(resourceRequestSchema, params, TO_CELL.resource);
      const room = this.#sent.expect();
      try {
        const { headers, body } = await this.#served.resource(kind, token);
        const [type, etag, cacheControl] = [headers['content-type'], headers['etag'], headers['cache-control']];
        return { value: { type, etag, cacheControl, size: body.length }, body: room.body(body) };
      } catch (thrown) {
        room.release();
        throw thrown;
      }
    });
    this.#peer.handle(TO_CELL.request, async ({ params, body = nothing(), signal }) => {
      const request = validate(routeRequestSchema, params, TO_CELL.request);
      return routed(await this.#served.request({ ...NO_HEADERS, ...request, body, signal }));
    });
  }

  #listen(): void {
    this.#peer.on(NOTICE_TO_CELL.expect, (params) =>
      this.#cell?.expect(validate(shellSchema, params, NOTICE_TO_CELL.expect)),
    );
    this.#peer.on(NOTICE_TO_CELL.ports, (params) => {
      this.#foreignPorts.splice(0, Infinity, ...validate(refusedPortsSchema, params, NOTICE_TO_CELL.ports).ports);
    });
    this.#peer.on(NOTICE_TO_CELL.relieve, () => this.#cell?.relieve());
    this.#peer.on(NOTICE_TO_CELL.policy, () => void this.#renewPolicy());
  }

  get #served(): Cell {
    if (!this.#cell) throw new AppError('cell-unused', 'The cell has no person yet.');
    return this.#cell;
  }

  /** Answers a call; the gateway has the counts that it leads to before the answer. */
  #handle<T>(
    method: string,
    answer: (params: unknown, body: LinkBody | undefined) => Promise<T> | T,
    isFinal: (value: Awaited<T>) => boolean = () => true,
  ): void {
    this.#peer.handle(method, async ({ params, body }) => {
      try {
        const value = await answer(params, body);
        return { value: value ?? null, isFinal: isFinal(value) };
      } finally {
        this.#reportCounts();
      }
    });
  }

  #begin(person: Person, policy: PersonPolicy): void {
    const peer = this.#peer;
    const { extensionDir, plugins, limits, options, log } = this.#options;
    const parts: CellParts = {
      browsers: this.#browsers,
      extensionDir,
      plugins,
      fonts: this.#fonts,
      convertPicture: remotePictures(peer),
      accessOf: remoteAccess(peer.call.bind(peer), options, this.#records),
      limits,
      onFault: (from, code) => peer.notify(NOTICE_TO_GATEWAY.fault, { from, code: code.slice(0, 100) }),
      log,
    };
    this.#policy = policy;
    const own = { person, policy, grants: remoteGrants(peer), kept: remoteCookies(peer) };
    this.#cell = new Cell(parts, own, {
      onTabs: () => this.#reportCounts(),
      onReleased: (kept) => {
        this.#reportCounts();
        peer.notify(NOTICE_TO_GATEWAY.released, kept);
      },
    });
  }

  /** The policy has changed: asks for it, since it may be too large for a notice. Any number of changes costs one question at a time. */
  async #renewPolicy(): Promise<void> {
    if (this.#renewing !== 'no' || !this.#policy) {
      this.#renewing = 'again';
      return;
    }
    try {
      do {
        this.#renewing = 'yes';
        const { body } = await this.#peer.call(TO_GATEWAY.policy, null);
        this.#policy.replace(await readJson(body, this.#policyData, 'policy', MAX_POLICY_BYTES));
      } while (this.#isStale());
      this.#renewing = 'no';
    } catch (thrown) {
      // Decisions must not be made by a policy that may have been tightened.
      this.#options.log.error('cannot get the changed policy: the session ends', { error: toAppError(thrown).message });
      await this.close('policy', true);
      this.#peer.close('no policy');
    }
  }

  /** Asked after waiting. */
  #isStale(): boolean {
    return this.#renewing === 'again';
  }

  #reportCounts(): void {
    const { running, isWarm, launched, failed } = this.#browsers.counts;
    const counts: CellCounts = {
      ...(this.#cell?.counts() ?? NO_TABS),
      surrogates: running,
      isWarm,
      launches: launched,
      failedLaunches: failed,
    };
    const text = JSON.stringify(counts);
    if (text !== this.#reported) this.#peer.notify(NOTICE_TO_GATEWAY.counts, counts);
    this.#reported = text;
  }
}
