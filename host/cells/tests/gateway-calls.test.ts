import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { toAppError } from '../../../core/protocol/errors.ts';
import { keptCookies } from '../../base/kept-cookies.ts';
import { MachineFonts } from '../../fonts/system-fonts.ts';
import type { LinkPeer } from '../../link/api.ts';
import { linkPair } from '../../link/tests/memory.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { MAX_COLLECTED_BYTES, serveGateway } from '../gateway-calls.ts';
import { jsonBody, TO_GATEWAY } from '../protocol.ts';
import { createServices } from '../services.ts';

const MIB = 1024 * 1024;
const CALLS = 20;
const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const ANNA = { subject: 'anna', tenant: 'default', groups: [], origin: 'http://localhost:7700' };

let gateway: LinkPeer;
let cell: LinkPeer;
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'vitrine-gateway-calls-'));
beforeEach(async () => {
  [gateway, cell] = linkPair();
  const reports = { onFault: ignore, onRecords: ignore, log };
  serveGateway(
    gateway,
    {
      fonts: new MachineFonts(path.join(dataDir, 'fonts'), log),
      cookies: keptCookies(dataDir),
      services: createServices({ starters: new Map(), plugins: [], ...reports }),
    },
    {
      person: () => ANNA,
      policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log }),
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
const keep = (body: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string> =>
  codeOf(cell.call(TO_GATEWAY.keepCookies, null, { body, ...(signal && { signal }) }));
const cookie = (length: number) => ({ name: 'a', value: 'x'.repeat(length) });

it('holds a bounded number of bytes of one cell, whose bodies never end, and then takes bodies again', async () => {
  let given = 0;
  async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < 15; at++) {
      given += MIB;
      yield new Uint8Array(MIB).fill(0x20);
    }
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  const over = new AbortController();
  let refused = 0;
  const outcomes = Array.from({ length: CALLS }, async () => {
    const code = await keep(endless(over.signal), over.signal);
    if (code === 'link-busy') refused += 1;
    return code;
  });
  const most = Math.floor(MAX_COLLECTED_BYTES / (15 * MIB));
  await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThanOrEqual(CALLS - most - 1);
  await expect.poll(() => gateway.load.receivedBytes).toBe(0);
  // Those that were refused had been given bytes too, which are gone.
  expect(gateway.load.handling).toBeLessThanOrEqual(most + 1);
  expect(given).toBeLessThan(CALLS * 15 * MIB);
  over.abort();
  await Promise.all(outcomes);
  await expect.poll(() => keep(jsonBody([cookie(15 * MIB)]))).toBe('answered');
}, 60_000);

it('holds a bounded number of bytes of answers that a cell does not read', async () => {
  const kept = jsonBody([cookie(3 * MIB)]);
  expect(await keep(kept)).toBe('answered');
  const over = new AbortController();
  const options = { signal: over.signal };
  const codes = await Promise.all(
    Array.from({ length: 2 * CALLS }, () => codeOf(cell.call(TO_GATEWAY.findCookies, null, options))),
  );
  const most = Math.floor(MAX_COLLECTED_BYTES / kept.length);
  expect(codes.filter((code) => code === 'answered')).toHaveLength(most);
  expect(codes.filter((code) => code === 'link-busy')).toHaveLength(2 * CALLS - most);
  over.abort();
  await cell.ping(5000); // the gateway has given them up
  const { body } = await cell.call(TO_GATEWAY.findCookies, null);
  let length = 0;
  for await (const chunk of body ?? []) length += chunk.length;
  expect(length).toBe(kept.length);
}, 60_000);
