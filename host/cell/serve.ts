/** A cell as the gateway sees it: answers its calls over a link, with one person's session behind them. */
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { pairRequestSchema, repairRequestSchema, unpairRequestSchema } from '../../core/protocol/pairing.ts';
import {
  CHANNEL_STREAM,
  closeSchema,
  NOTICE_TO_CELL,
  NOTICE_TO_GATEWAY,
  personSchema,
  portsSchema,
  readBody,
  readJson,
  repairSchema,
  resourceRequestSchema,
  routeRequestSchema,
  shellSchema,
  TO_CELL,
  TO_GATEWAY,
} from '../cells/protocol.ts';
import type { CellCounts, RouteHead } from '../cells/protocol.ts';
import type { LinkAnswer, LinkPeer } from '../link/api.ts';
import type { RouteOutcome } from './answer-route.ts';
import { personPolicyData } from '../policy/person-policy-data.ts';
import type { SettingsTable } from '../policy/settings-table.ts';
import { personPolicy } from '../policy/person-policy.ts';
import type { PersonPolicy } from '../policy/person-policy.ts';
import { serveChannel } from './channel/serve-channel.ts';
import { Cell } from './cell.ts';
import type { CellLimits } from './cell.ts';
import { remoteCookies, remoteGrants, RemoteFonts } from './gateway-services.ts';
import { BrowserSupply } from './session/browser-supply.ts';
import type { BrowserSupplyOptions } from './session/browser-supply.ts';
import type { RegisteredPlugin } from '../plugins/registry.ts';

/** Largest policy of one person, and largest POST body of a pair request, in bytes. */
const MAX_POLICY_BYTES = 32 * 1024 * 1024;
const MAX_POST_BYTES = 16 * 1024 * 1024;
const COUNTS_MS = 1000;

/** Parts of a cell that do not come over its link. */
export interface ServedCell extends Pick<BrowserSupplyOptions, 'launch' | 'egress'> {
  readonly extensionDir: string;
  readonly plugins: readonly RegisteredPlugin[];
  readonly limits: CellLimits;
  /** Settings of the policy that this build knows. */
  readonly settings: SettingsTable;
  readonly log: Log;
}

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
  const { status = 200, type, filename, body } = outcome.answer;
  const head: RouteHead = { status, type, ...(filename !== undefined && { filename }) };
  return { value: head, body };
}

/** Serves one cell over a link until that ends. Answers with what closes it; idempotent. */
export function serveCell(peer: LinkPeer, options: ServedCell): { close(): Promise<void> } {
  const { log, plugins, extensionDir, limits } = options;
  const policyData = personPolicyData(options.settings);
  const foreignPorts: number[] = [];
  const browsers = new BrowserSupply({
    launch: options.launch,
    egress: { ...options.egress, ownPorts: foreignPorts },
    onPorts: (ports) => peer.notify(NOTICE_TO_GATEWAY.ports, { ports }),
    log,
  });
  const fonts = new RemoteFonts(peer);
  let cell: Cell | undefined;
  let policy: PersonPolicy | undefined;
  let closing: Promise<void> | undefined;
  let told = '';

  const tellCounts = (): void => {
    const { running, isWarm, launched, failed } = browsers.counts;
    const counts: CellCounts = {
      ...(cell?.counts() ?? { tabs: 0, attached: 0, crashes: 0 }),
      surrogates: running,
      isWarm,
      launches: launched,
      failedLaunches: failed,
    };
    const text = JSON.stringify(counts);
    if (text !== told) peer.notify(NOTICE_TO_GATEWAY.counts, counts);
    told = text;
  };
  const counting = setInterval(tellCounts, COUNTS_MS);
  counting.unref();
  const close = (reason = 'closed', reconnect = false): Promise<void> =>
    (closing ??= (async () => {
      clearInterval(counting);
      await cell?.close(reason, reconnect);
      await browsers.close();
      tellCounts();
    })());
  const begun = (): Cell => {
    if (!cell) throw new AppError('cell-unused', 'The cell has no person yet.');
    return cell;
  };
  /** Answers a call; counts are up to date when the answer is there. */
  const handle = (method: string, answer: (params: unknown, body: AsyncIterable<Uint8Array> | undefined) => unknown) =>
    peer.handle(method, async ({ params, body }) => {
      try {
        return { value: (await answer(params, body)) ?? null };
      } finally {
        tellCounts();
      }
    });

  handle(TO_CELL.begin, async (params, body) => {
    if (cell) throw new AppError('cell-taken', 'The cell has its person already.');
    const person = validate(personSchema, params, TO_CELL.begin);
    policy = personPolicy(await readJson(body, policyData, 'policy', MAX_POLICY_BYTES), options.settings);
    const parts = {
      browsers,
      extensionDir,
      plugins,
      fonts,
      limits,
      onFault: (from: string, code: string) => peer.notify(NOTICE_TO_GATEWAY.fault, { from, code: code.slice(0, 100) }),
      log,
    };
    const own = { person, policy, grants: remoteGrants(peer), kept: remoteCookies(peer) };
    cell = new Cell(parts, own, () => {
      tellCounts();
      peer.notify(NOTICE_TO_GATEWAY.released, null);
    });
  });
  handle(TO_CELL.pair, async (params, body) => {
    const post = body && (await readBody(body, MAX_POST_BYTES)).toString('utf8');
    const request = { ...(params as object), ...(post !== undefined && { body: post }) };
    return begun().pair(validate(pairRequestSchema, request, TO_CELL.pair));
  });
  handle(TO_CELL.repair, (params) => {
    const { cid, request } = validate(repairSchema, params, TO_CELL.repair);
    return begun().repair(cid, validate(repairRequestSchema, request, TO_CELL.repair));
  });
  handle(TO_CELL.unpair, (params) => begun().unpair(validate(unpairRequestSchema, params, TO_CELL.unpair)));
  peer.handle(TO_CELL.resource, async ({ params }) => {
    const { kind, token } = validate(resourceRequestSchema, params, TO_CELL.resource);
    const { headers, body } = await begun().resource(kind, token);
    const [type, etag, cacheControl] = [headers['content-type'], headers['etag'], headers['cache-control']];
    return { value: { type, etag, cacheControl, size: body.length }, body };
  });
  peer.handle(TO_CELL.request, async ({ params, body = nothing(), signal }) => {
    const request = validate(routeRequestSchema, params, TO_CELL.request);
    return routed(await begun().request({ contentType: undefined, ...request, body, signal }));
  });
  handle(TO_CELL.close, (params) => {
    const { reason, reconnect } = validate(closeSchema, params, TO_CELL.close);
    return close(reason, reconnect);
  });
  peer.on(NOTICE_TO_CELL.expect, (params) => cell?.expect(validate(shellSchema, params, NOTICE_TO_CELL.expect)));
  peer.on(NOTICE_TO_CELL.ports, (params) => {
    foreignPorts.splice(0, Infinity, ...validate(portsSchema, params, NOTICE_TO_CELL.ports).ports);
  });
  peer.on(NOTICE_TO_CELL.policy, () => void renewPolicy());
  /** The policy has changed: asks for it, since it may be too large for a notice. */
  const renewPolicy = async (): Promise<void> => {
    try {
      const { body } = await peer.call(TO_GATEWAY.policy, null);
      policy?.replace(await readJson(body, policyData, 'policy', MAX_POLICY_BYTES));
    } catch (thrown) {
      // Decisions must not be made by a policy that may have been tightened.
      log.error('the changed policy is not to be had: the session ends', { error: toAppError(thrown).message });
      await close('policy', true);
      peer.close('no policy');
    }
  };
  peer.accept(CHANNEL_STREAM, (params, stream) => {
    serveChannel((names, transport) => cell?.attach(names, transport), params, stream, tellCounts);
  });
  peer.closed.addEventListener('abort', () => void close('link closed', true), { once: true });
  return { close };
}
