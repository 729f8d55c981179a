import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '../../../core/contracts/scope.ts';
import { OpcodeTable } from '../../../core/plugins/opcodes.ts';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { CORE_MESSAGES } from '../../../core/protocol/core-messages.ts';
import { Endpoint, parsePacket } from '../../../core/protocol/endpoint.ts';
import { decodeFrame, KIND, Reassembly } from '../../../core/protocol/frames.ts';
import type { Message } from '../../../core/protocol/message.ts';
import type { PairAnswer, PairRequest } from '../../../core/protocol/pairing.ts';
import { Inbox } from '../../../core/protocol/sequence.ts';
import {
  decodeJson,
  decodeSequenced,
  encodeUpstream,
  parseControl,
  PROTOCOL_VERSION,
} from '../../../core/protocol/wire.ts';
import { jsonBody } from '../../cells/protocol.ts';
import { CLIENT_LEFT } from '../../contracts/link.ts';
import type { AttachedChannel, TransportEnd } from '../../contracts/link.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import type { ReplaceablePolicyEngine } from '../../policy/engine.ts';
import { OWN, parsed } from '../../policy/tests/own-settings.ts';
import { deniedBy } from '../../plugins/launch.ts';
import { loadPlugins } from '../../plugins/registry.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { serviceStarters } from '../../cells/tests/service-starters.ts';
import { createServices } from '../../cells/services.ts';
import { createCells } from '../../cells/cells.ts';
import type { Worker } from '../../cells/cells.ts';
import type { StartedCell } from '../../cells/cell-process.ts';
import { decodersHere } from '../../decoder/tests/in-process.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import { keptCookies, sweepOrphanedCookies } from '../../base/kept-cookies.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import type { Person } from '../../base/person.ts';
import type { SentRecords } from '../../declared/records-sent.ts';
import type { EgressOptions } from '../egress/egress.ts';
import { launchChromium } from '../../surrogate/launch.ts';
import { runAs } from '../../surrogate/unprivileged.ts';
import { CELL_LIMITS } from '../cell-limits.ts';
import type { CellLimits } from '../cell-limits.ts';
import { serveCell } from '../serve.ts';
import { fromClient, toClient } from './fixture/echo/protocol.ts';
import { manifest } from './fixture/echo/manifest.ts';
import { writePageHalf } from './page-half.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const here = import.meta.dirname;
const CHROMIUM = process.env['VITRINE_CHROMIUM'] ?? '/usr/bin/chromium';

export const ANNA: Person = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost:7700' };
export const BEN: Person = { ...ANNA, subject: 'ben' };

/** Logs nothing; `lines` has what was said. */
function recordingLog(): Log & { readonly lines: [string, string, unknown][] } {
  const lines: [string, string, unknown][] = [];
  const at = (level: string) => (message: string, data?: unknown) => {
    lines.push([level, message, data]);
    const file = process.env['VITRINE_TEST_LOG'];
    if (file) appendFileSync(file, `${new Date().toISOString()} ${level} ${message} ${JSON.stringify(data)}\n`);
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Serves pages by host and path on a port of loopback. */
export async function serveSite(pages: (host: string, path: string) => string | undefined) {
  const posts: { readonly path: string; readonly type: string; readonly body: string }[] = [];
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { url = '', headers } = request;
        posts.push({ path: url, type: headers['content-type'] ?? '', body: Buffer.concat(chunks).toString() });
      });
    }
    const body = pages((request.headers.host ?? '').replace(/:\d+$/, ''), request.url ?? '/');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(body ?? 'nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    posts,
    url: (host: string, path = '/') => `http://${host}:${port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A policy engine that decides by the text of a policy file, or by nothing. */
export function policyOf(
  source: string | undefined,
  plugins: readonly RegisteredPlugin[] = [],
  log = recordingLog(),
): Promise<ReplaceablePolicyEngine> {
  return createPolicyEngine({
    ...(source !== undefined && { policy: parsed(source, 'test.policy.yaml') }),
    settings: OWN,
    capabilities: plugins.flatMap(({ manifest }) => manifest.capability ?? []),
    log,
  });
}

interface WorkerOptions {
  readonly dataDir: string;
  readonly chromium: string;
  readonly extensionDir: string;
  readonly egress: Omit<EgressOptions, 'log'>;
  readonly plugins: readonly RegisteredPlugin[];
  readonly policy: ReplaceablePolicyEngine;
  readonly limits: Partial<CellLimits> & {
    readonly poolSize?: number;
    readonly maxSurrogates?: number;
    readonly goneMs?: number;
    /** As long as the idle time unless given. */
    readonly keepMs?: number;
  };
  readonly onFault: (from: string, code: string) => void;
  readonly onRecords: (records: SentRecords, person?: Person) => void;
  /** The gateway's and the cell's end of a link for each cell; in memory unless given. */
  readonly link: () => Promise<readonly [LinkPeer, LinkPeer]>;
  readonly log: ReturnType<typeof recordingLog>;
}

/** Cells in this process, each behind a link that carries bytes alone; with the least page half and a plugin that reports. Names under `.test` lead to loopback. */
export async function startWorker(
  options: Partial<WorkerOptions> = {},
): Promise<{ worker: Worker; log: ReturnType<typeof recordingLog>; dataDir: string; stop(): Promise<void> }> {
  const dataDir = options.dataDir ?? mkdtempSync(path.join(os.tmpdir(), 'vitrine-worker-'));
  chmodSync(dataDir, 0o755); // surrogates run as somebody else, and keep their profiles here
  const log = options.log ?? recordingLog();
  const plugins = options.plugins ?? (await loadPlugins(here, { folders: [path.join(here, 'fixture/echo')] }));
  const extensionDir = options.extensionDir ?? writePageHalf(dataDir);
  const {
    poolSize,
    maxSurrogates,
    goneMs,
    keepMs = options.limits?.idleMs ?? CELL_LIMITS.idleMs,
    ...limits
  } = options.limits ?? {};
  const egress = options.egress ?? {
    allowPrivate: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
  };
  const start = async (): Promise<StartedCell> => {
    const [gateway, own] = options.link ? await options.link() : linkPair();
    let cell: ReturnType<typeof serveCell> | undefined;
    const setUp = async (): Promise<void> => {
      cell = serveCell(own, {
        launch: ({ onUser, ...asked }) => {
          onUser(runAs()?.uid ?? process.getuid?.());
          return launchChromium({ executable: options.chromium ?? CHROMIUM, dataDir, extensionDir, ...asked });
        },
        egress,
        denied: deniedBy(plugins.map(({ manifest }) => manifest)),
        extensionDir,
        plugins,
        limits: { ...CELL_LIMITS, ...limits },
        options: {},
        settings: OWN,
        log,
      });
    };
    const exit = Promise.withResolvers<{ code: number; signal: null }>();
    const kill = async (): Promise<void> => {
      await cell?.close();
      own.close('killed');
      exit.resolve({ code: 0, signal: null });
    };
    return { peer: gateway, exited: exit.promise, setUp, kill };
  };
  const onFault = options.onFault ?? (() => undefined);
  const onRecords = options.onRecords ?? (() => undefined);
  const services = createServices({ starters: serviceStarters(plugins, log), plugins, onFault, onRecords, log });
  const decoders = decodersHere();
  const cookies = keptCookies(dataDir);
  sweepOrphanedCookies(cookies, keepMs, log);
  const worker = createCells({
    start,
    policy: options.policy ?? (await policyOf(undefined, plugins, log)),
    fonts: new MachineFonts(path.join(dataDir, 'fonts'), decoders.cutFont, log),
    cookies,
    services,
    decoders,
    onFault,
    onRecords,
    log,
    poolSize: poolSize ?? 0, // most tests have one person
    maxCells: maxSurrogates ?? 50,
    goneMs: goneMs ?? 120_000,
    keepMs,
  });
  const stop = async (): Promise<void> => {
    await worker.drain('test over');
    await services.close();
    await decoders.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { worker, log, dataDir, stop };
}

export function pairRequest(url: string, changes: Partial<PairRequest> = {}): PairRequest {
  return {
    url,
    timezone: 'Europe/Vienna',
    build_id: 'test',
    language: 'de-AT',
    languages: ['de-AT', 'en'],
    platform: 'Win32',
    host: 'localhost:7700',
    tc_api: PROTOCOL_VERSION,
    render_params: {
      view_size: { width: 900, height: 700 },
      device_metrics: {
        screen_size: { width: 1600, height: 900 },
        screen_orientation_type: 'landscape',
        screen_orientation_angle: 0,
        device_scale_factor: 1,
        scrollbar_thickness: 15,
        enable_touch_events: false,
        max_touch_points: 2,
        mobile: false,
      },
      media_features: ['prefers-color-scheme: dark', 'prefers-reduced-motion: reduce'],
      user_agent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    },
    ...changes,
  };
}

/** Whatever came: each test looks for what it expects. */
export type Data = Readonly<Record<string, unknown>>;

/** Stands in for a person's browser: receives, acknowledges, sends requests. */
export class TestClient {
  readonly told: { what: string; data: Data }[] = [];
  readonly core: [name: string, params: Data][] = [];
  readonly controls: unknown[] = [];
  readonly endpoint: Endpoint;
  closed: string | undefined;
  readonly #table = new OpcodeTable(CORE_MESSAGES);
  readonly #waiting = new Set<() => void>();
  readonly #worker: Worker;
  readonly #person: Person;
  readonly answer: PairAnswer;
  #inbox = new Inbox();
  #seq = 0;
  #attached: AttachedChannel | undefined;

  /** `plugins`: whose messages it knows. */
  constructor(worker: Worker, person: Person, answer: PairAnswer, plugins: readonly AnyManifest[] = [manifest]) {
    this.#worker = worker;
    this.#person = person;
    this.answer = answer;
    for (const grant of answer.plugins ?? [])
      for (const known of plugins) if (grant.id === known.id) this.#table.add(known, grant);
    this.endpoint = new Endpoint({
      table: this.#table,
      transmit: (lane, body) =>
        this.#attached?.receive(jsonBody(encodeUpstream({ seq: (this.#seq += 1), lane, body }))),
      onFault: (fault) => this.core.push(['fault', { message: fault.message }]),
      onUnhandled: ([, params], message) => {
        this.core.push([message?.name ?? '?', params as Data]);
        return true;
      },
    });
    this.endpoint.handle(toClient, (event) => void this.told.push(event as never)); // the fixture's own shape
  }

  async attach(chid = 'first'): Promise<boolean> {
    const reassembly = new Reassembly();
    const transport: TransportEnd = {
      send: async (frame) => {
        for (const part of decodeFrame(frame)) {
          const entry = reassembly.take(part);
          if (!entry) continue;
          if (entry.kind === KIND.control) {
            const control = parseControl(decodeJson(entry.body));
            this.controls.push(control);
            if (control.skip !== undefined) this.#inbox.skip(control.skip);
          } else {
            const { seq, body } = decodeSequenced(entry.body);
            if (this.#inbox.accept(seq)) this.endpoint.receive(parsePacket(decodeJson(body)));
            this.#attached?.receive(jsonBody({ ack: this.#inbox.acknowledged }));
          }
        }
        for (const wake of this.#waiting) wake();
      },
      close: (reason) => {
        this.closed = reason;
        for (const wake of this.#waiting) wake();
      },
    };
    const names = {
      cid: this.answer.cid ?? '',
      tabId: this.answer.tab_id ?? '',
      chid,
      received: this.#inbox.acknowledged,
    };
    this.#attached = await this.#worker.attach(this.#person, names, transport);
    return this.#attached !== undefined;
  }

  detach(): void {
    this.#attached?.detach('test');
    this.#attached = undefined;
  }

  /** Its document is unloaded: its browser says so. */
  leave(): void {
    this.#attached?.detach(CLIENT_LEFT);
    this.#attached = undefined;
  }

  /** Sends a message of the core that has no parameters. */
  sendCore(name: 'hide-tab' | 'show-tab' | 'acquire-focus' | 'client-detach'): void {
    const message = CORE_MESSAGES.find((each) => each.name === name) as Message<object, undefined>; // all are alike
    this.endpoint.send(message, {});
  }

  /** Asks the fixture's host half. */
  async ask(text: string, more: { readonly frame?: number; readonly hostile?: string } = {}): Promise<string> {
    return (await this.endpoint.call(fromClient, { text, ...more }, { deadlineMs: PATIENCE_MS })).text;
  }

  /** Resolves once `look` finds something. */
  async until<T>(look: () => T | undefined | false, what = 'something', ms = PATIENCE_MS): Promise<T> {
    const deadline = performance.now() + ms;
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      const left = deadline - performance.now();
      if (left <= 0)
        throw new Error(
          `never came: ${what}; told ${JSON.stringify(this.told).slice(0, 2000)} ${JSON.stringify(this.core)}`,
        );
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.min(left, 100));
        this.#waiting.add(wake);
      });
    }
  }

  /** Resolves with what the fixture's host half tells. */
  tellsOf(what: string, fits: (data: Data) => boolean = () => true, ms?: number): Promise<Data> {
    return this.until(() => this.told.find((event) => event.what === what && fits(event.data)), what, ms).then(
      ({ data }) => data,
    );
  }

  /** Resolves with a message of the core. */
  async hears(name: string, fits: (params: Data) => boolean = () => true): Promise<Data> {
    return (await this.until(() => this.core.find(([each, params]) => each === name && fits(params)), name))[1];
  }
}

const FOR_NOW = new Set(['pairing_retry', 'global_pool_depleted']);

/** Pairs, and attaches a client. @throws Error the pairing is refused, or the tab ends before its client is there */
export async function browse(
  worker: Worker,
  url: string,
  person = ANNA,
  changes: Partial<PairRequest> = {},
): Promise<TestClient> {
  const request = pairRequest(url, changes);
  let answer = await worker.pair(person, request);
  // As a client does: a browser on a slow machine opens no page in time, and a cell takes up room until it has ended.
  const deadline = performance.now() + PATIENCE_MS;
  while (FOR_NOW.has(answer.error ?? '') && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer = await worker.pair(person, request);
  }
  if (answer.error !== undefined) throw new Error(`not paired: ${answer.error}`);
  const client = new TestClient(worker, person, answer);
  if (!(await client.attach())) throw new Error('the tab is gone before its client has come');
  return client;
}
