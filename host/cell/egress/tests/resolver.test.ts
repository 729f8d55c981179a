import dgram from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hostsFile } from '../hosts-file.ts';
import { systemResolver } from '../resolver.ts';
import { Turns } from '../turns.ts';

/** A name server that answers A for `good.test` alone, says of `missing.test` that it does not exist, and is silent otherwise. */
async function nameServer(): Promise<string> {
  const server = dgram.createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const isGood = query.includes('\x04good');
    if (!isGood && !query.includes('\x07missing')) return;
    const end = query.indexOf(0, 12) + 5;
    const isA = query.readUInt16BE(end - 4) === 1;
    const head = Buffer.from(query.subarray(0, end));
    head.writeUInt16BE(isGood ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(isGood && isA ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
    server.send(isGood && isA ? Buffer.concat([head, answer]) : head, port, address);
  });
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${server.address().port}`;
}

const noHosts = async () => [];
const noSystem = async () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));

it('[H5] names whose server does not answer delay no other name', async () => {
  const resolve = systemResolver({ servers: [await nameServer()], hosts: noHosts, system: noSystem });
  let [silent, isOver] = [0, false];
  const pending = Array.from({ length: 40 }, (_, at) =>
    resolve(`silent${at}.test`).catch((thrown: unknown) => {
      silent++;
      expect(thrown).toMatchObject({ code: 'ETIMEOUT' });
    }),
  );
  void Promise.all(pending).then(() => (isOver = true));
  expect(await resolve('good.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  expect(isOver).toBe(false);
  await Promise.all(pending);
  expect(silent).toBe(40);
});

it('[H5] names that are not in DNS are left to the system, few at a time', async () => {
  let [running, most] = [0, 0];
  const go = Promise.withResolvers<undefined>();
  const system = async (name: string) => {
    most = Math.max(most, ++running);
    await go.promise;
    running--;
    return [{ address: name === 'intranet' ? '192.0.2.1' : '192.0.2.2', family: 4 }];
  };
  const resolve = systemResolver({ servers: [await nameServer()], hosts: noHosts, system });
  const found = Promise.all(['intranet', 'missing.test', 'a.localhost', 'printer.local'].map((name) => resolve(name)));
  expect(await resolve('good.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  go.resolve(undefined);
  expect((await found).map(([first]) => first?.address)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.2']);
  expect(most).toBeLessThanOrEqual(2);
});

it('the hosts file comes first, and is read again when it changes', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-hosts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'hosts');
  await writeFile(file, '# none\n192.0.2.9\tShop.test shop # two names\n::1 shop.test\nnonsense x\n');
  const resolve = systemResolver({ servers: [await nameServer()], hosts: hostsFile(file), system: noSystem });
  expect(await resolve('SHOP.test')).toEqual([
    { address: '192.0.2.9', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(await resolve('good.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
  expect(await hostsFile(path.join(folder, 'missing'))('shop')).toEqual([]);
});

it('[L12] lookups past the bound are refused, and those that wait too long', async () => {
  const turns = new Turns({ running: 1, waiting: 2, waitMs: 20 });
  const go = Promise.withResolvers<number>();
  const first = turns.run(() => go.promise);
  const waiting = [turns.run(async () => 1), turns.run(async () => 2)];
  const busy = expect.objectContaining({ code: 'busy', retryable: true });
  await expect(turns.run(async () => 3)).rejects.toEqual(busy);
  expect(turns.size).toBe(3);
  for (const each of await Promise.allSettled(waiting))
    expect(each).toMatchObject({ status: 'rejected', reason: busy });
  go.resolve(0);
  expect(await first).toBe(0);
  expect(await turns.run(async () => 4)).toBe(4);
});
