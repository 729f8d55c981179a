import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { toAppError } from '../../../core/protocol/errors.ts';
import { keptCookies, MAX_KEPT_COOKIES_BYTES } from '../../base/kept-cookies.ts';
import { decodersHere } from '../../decoder/tests/in-process.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import type { Grant } from '../../policy/person-grants.ts';
import { CALL_SERVICE } from '../../plugins/service-protocol.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { serveGateway } from '../gateway-calls.ts';
import { KeptBodies } from '../kept-bodies.ts';
import { TO_GATEWAY } from '../protocol.ts';
import { createServices } from '../services.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const MIB = 1024 * 1024;
/** Bound of all bodies of a cell's calls (host/cells/README.md). */
const MAX_COLLECTED_BYTES = 64 * MIB;
const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const ANNA = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost:7700' };

let gateway: LinkPeer;
let cell: LinkPeer;
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-gateway-calls-'));
/** Parts of the gateway that cells call. */
const parts = () => {
  const decoders = decodersHere();
  const fonts = new MachineFonts(path.join(dataDir, 'fonts'), decoders.cutFont, log);
  return { fonts, decoders, cookies: keptCookies(dataDir) };
};
beforeEach(async () => {
  [gateway, cell] = linkPair();
  const reports = { onFault: ignore, onRecords: ignore, log };
  serveGateway(
    gateway,
    { ...parts(), services: createServices({ starters: new Map(), plugins: [], ...reports }) },
    {
      person: () => ANNA,
      policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log }),
      kept: new KeptBodies(),
      ...reports,
    },
  );
});
afterEach(() => cell.close('test over'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (thrown: unknown) => toAppError(thrown).code,
  );
const keep = (body: Uint8Array): Promise<string> => codeOf(cell.call(TO_GATEWAY.keepCookies, null, { body }));

async function lengthOf(body: AsyncIterable<Uint8Array> | undefined): Promise<number> {
  let length = 0;
  for await (const chunk of body ?? []) length += chunk.length;
  return length;
}

it('lets a cell call no service by capabilities that the policy took back while it was asked', async () => {
  const [near, far] = linkPair();
  const granted = [Promise.withResolvers<Grant>(), Promise.withResolvers<Grant>()];
  const changed: (() => void)[] = [];
  let asked = 0;
  const policy = await createPolicyEngine({ settings: coreSettings, capabilities: [], log });
  serveGateway(
    near,
    {
      ...parts(),
      services: {
        call: async () => ({ value: 'called' }),
        sessionOver: ignore,
        namesFor: ({ scan }) => new Set(scan === true ? ['scan'] : []),
        running: 0,
        close: () => Promise.resolve(),
      },
    },
    {
      person: () => ANNA,
      policy: Object.assign(policy, {
        grant: () => granted[asked++]!.promise, // it is asked twice
        onChange: (listener: () => void) => (changed.push(listener), ignore),
      }),
      kept: new KeptBodies(),
      onFault: ignore,
      onRecords: ignore,
      log,
    },
  );
  const answer = far.call(TO_GATEWAY.grant, { url: 'https://site.test/', userAgent: 'agent' });
  await expect.poll(() => asked).toBe(1);
  for (const listener of changed) listener();
  granted[0]!.resolve({ capabilities: { scan: true }, flags: [] });
  await answer;
  granted[1]!.resolve({ capabilities: {}, flags: [] });
  const params = { service: 'scan', method: 'm', params: null, deadlineMs: 1000 };
  expect(await codeOf(far.call(CALL_SERVICE, params))).toBe('policy-refused');
  far.close('test over');
});

it('holds a bounded number of bytes for one cell, whether it collects them or the cell does not read them', async () => {
  const kept = new Uint8Array(3 * MIB);
  expect(await keep(kept)).toBe('answered');
  const over = new AbortController();
  const find = (): Promise<string> =>
    codeOf(cell.call(TO_GATEWAY.findCookies, null, { signal: over.signal, deadlineMs: 600_000 }));
  const codes = await Promise.all(Array.from({ length: 200 }, find));
  let more = codes.filter((code) => code === 'answered').length;
  expect(codes.filter((code) => code === 'link-busy')).toHaveLength(codes.length - more);
  while ((await find()) === 'answered') more += 1;
  expect(more * kept.length).toBeGreaterThan(MAX_COLLECTED_BYTES - MAX_KEPT_COOKIES_BYTES - kept.length);
  expect(more * kept.length).toBeLessThan(MAX_COLLECTED_BYTES);
  while ((await keep(new Uint8Array(MIB))) === 'answered') await keep(kept); // what is left is less than either
  over.abort();
  await cell.ping(PATIENCE_MS); // the gateway has given them up
  expect(await keep(kept)).toBe('answered');
  expect(await lengthOf((await cell.call(TO_GATEWAY.findCookies, null)).body)).toBe(kept.length);
});
