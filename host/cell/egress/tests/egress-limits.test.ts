import net from 'node:net';
import { expect, it } from 'vitest';
import { NETWORK_LIMITS } from '../../../base/network-limits.ts';
import { connect, egress, get, hello, open, site, tcp, useNetwork } from './network-fixture.ts';

useNetwork();

/** Expects one report in each second since `begun`, and at least one. */
function expectReports(faults: readonly string[], code: string, begun: number): void {
  expect(new Set(faults)).toEqual(new Set([code]));
  expect(faults.length).toBeLessThanOrEqual(1 + (performance.now() - begun) / 1000);
}

const resolve = async () => [{ address: '127.0.0.1', family: 4 }];

it('a browser has a number of connections, and further ones are closed and reported once a second', async () => {
  const faults: string[] = [];
  const proxy = await egress({
    network: { ...NETWORK_LIMITS, connections: 5 },
    onFault: (code) => void faults.push(code),
  });
  const begun = performance.now();
  const clients = Array.from({ length: 20 }, () => net.connect(proxy.port, '127.0.0.1').on('error', () => {}));
  open.push(...clients.map((client) => ({ close: () => client.destroy() })));
  await expect.poll(() => clients.filter(({ closed }) => closed)).toHaveLength(15);
  expectReports(faults, 'cell-refused-connections', begun);
});

it('a proxy has as many connections to sites: unused ones make room, then further ones are refused', async () => {
  const faults: string[] = [];
  const kept = await site(hello);
  let reached = 0;
  const ports = await Promise.all(Array.from({ length: 4 }, () => tcp(() => (reached += 1))));
  const proxy = await egress({
    allowPrivate: true,
    network: { ...NETWORK_LIMITS, connections: 3 },
    onFault: (code) => void faults.push(code),
  });
  expect((await get(proxy, `http://127.0.0.1:${kept}/`)).body).toBe('hello'); // and its connection is kept
  const [last = 0, ...ahead] = ports;
  for (const port of ahead) proxy.expect(`http://127.0.0.1:${port}/`);
  await expect.poll(() => reached).toBe(3);
  expect((await connect(proxy, `127.0.0.1:${last}`)).code).toBe('too-many-connections');
  expect(faults).toEqual(['cell-refused-connections']);
  // One that was opened in advance has been counted already.
  expect((await connect(proxy, `127.0.0.1:${ahead[0] ?? 0}`)).status).toBe(200);
  expect(reached).toBe(3);
});

it('names past their number wait, and are refused when they would wait for long', async () => {
  const faults: string[] = [];
  const names: string[] = [];
  const port = await site(hello);
  const proxy = await egress({
    allowPrivate: true,
    network: { ...NETWORK_LIMITS, names: 3 },
    resolve: (name) => {
      names.push(name);
      return resolve();
    },
    onFault: (code) => void faults.push(code),
  });
  const status = async (name: string): Promise<number> => (await get(proxy, `http://${name}.test:${port}/`)).status;
  for (const name of ['one', 'two', 'three', 'one']) expect(await status(name)).toBe(200);
  const begun = performance.now();
  // A turn comes every 20 s, which is longer than a browser waits.
  expect(await status('four')).toBe(503);
  expect((await connect(proxy, `five.test:${port}`)).code).toBe('too-many-names');
  expect(await status('two')).toBe(200);
  expect(names).toEqual(['one.test', 'two.test', 'three.test']);
  expectReports(faults, 'cell-refused-names', begun);
  expect(proxy.reasonFor(`http://four.test:${port}/`)).toMatchObject({ code: 'too-many-names' });
});

it('refusals are logged at a limited rate', async () => {
  const lines: string[] = [];
  const line = (message: string): void => void lines.push(message);
  const log = { debug: line, info: line, warn: line, error: line };
  const proxy = await egress({ log, decide: () => ({ allow: false, message: 'no' }) });
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => get(proxy, `http://n${at}.test/`)));
  const seconds = 2 + (performance.now() - begun) / 1000;
  expect(answers.every(({ status }) => status === 403)).toBe(true);
  expect(lines).toContain('egress refused');
  expect(lines.length).toBeLessThanOrEqual(Math.min(150, seconds * 21));
});
