import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { isBlockedPort } from '../blocked-ports.ts';
import type { Egress } from '../egress.ts';
import { SocketOwners } from '../socket-owners.ts';
import { connect, egress, get, hello, site, tcp, useNetwork } from './network-fixture.ts';

useNetwork();

const OWN = process.getuid?.();
const OTHER = (OWN ?? 0) + 1;

describe('ports of surrogates', () => {
  it('[L11] are those that browsers connect to: no tunnel and no request leads to the ports of other protocols', async () => {
    const asked: number[] = [];
    const decide = ({ port }: { readonly port: number }) => {
      asked.push(port);
      return { allow: false, message: 'no' } as const;
    };
    const proxy = await egress({ decide });
    for (const port of [1, 22, 25, 110, 143, 465, 587, 3659, 5060, 6000, 6667, 10080]) {
      const tunnel = await connect(proxy, `203.0.113.7:${port}`);
      expect([port, tunnel.status, tunnel.code]).toEqual([port, 403, 'blocked-port']);
      const plain = await get(proxy, `http://203.0.113.7:${port}/`);
      expect([port, plain.status, plain.headers['x-vitrine-egress']]).toEqual([port, 403, 'blocked-port']);
    }
    expect(asked).toEqual([]);
    const open = [80, 443, 3000, 6001, 8080, 8443, 9090, 65_535];
    for (const port of open) expect((await connect(proxy, `203.0.113.7:${port}`)).code).toBe('blocked-site');
    expect(asked).toEqual(open);
    expect(isBlockedPort(0)).toBe(true);
  });
});

describe('the browser of a proxy', () => {
  const fetches = async (proxy: Egress, port: number, localAddress?: string): Promise<string> =>
    get(proxy, `http://127.0.0.1:${port}/`, localAddress === undefined ? {} : { localAddress }).then(
      ({ body }) => body,
      () => 'cut off',
    );

  it('[L11] is taken alone: connections of another user are cut off before anything is read', async () => {
    const port = await site(hello);
    const allowNetworks = [`127.0.0.1:${port}`];
    const warned: string[] = [];
    const log = {
      debug: () => undefined,
      info: () => undefined,
      error: () => undefined,
      warn: (message: string) => void warned.push(message),
    };
    const own = await egress({ allowNetworks, user: Promise.resolve(OWN), log });
    expect(await fetches(own, port)).toBe('hello');
    expect((await connect(own, `127.0.0.1:${port}`)).status).toBe(200);
    expect(warned).toEqual([]);

    let reached = 0;
    const silent = await tcp(() => (reached += 1));
    const others = await egress({ allowNetworks: [`127.0.0.1:${silent}`], user: Promise.resolve(OTHER), log });
    expect(await fetches(others, silent)).toBe('cut off');
    await expect(connect(others, `127.0.0.1:${silent}`)).rejects.toThrow();
    expect(reached).toBe(0);
    expect(warned).toEqual(['egress: connections of another user are refused']);
  });

  it('[L11] is not another address of this machine, at the same port as the browser', async () => {
    const port = await site(hello);
    const proxy = await egress({ allowNetworks: [`127.0.0.1:${port}`], user: Promise.resolve(OWN) });
    const agent = new http.Agent({ keepAlive: true });
    const used = await new Promise<number>((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port: proxy.port, path: `http://127.0.0.1:${port}/`, agent }, (response) => {
          resolve(response.socket.localPort ?? 0);
          response.resume();
        })
        .once('error', reject);
    });
    const options = { localAddress: '127.0.0.2', localPort: used };
    await expect(get(proxy, `http://127.0.0.1:${port}/`, options)).rejects.toThrow();
    agent.destroy();
  });

  it('[L11] is waited for: who connects before its user is known is answered then', async () => {
    const port = await site(hello);
    const user = Promise.withResolvers<number | undefined>();
    const proxy = await egress({ allowNetworks: [`127.0.0.1:${port}`], user: user.promise });
    const answer = fetches(proxy, port);
    user.resolve(OWN);
    expect(await answer).toBe('hello');
    const never = await egress({ allowNetworks: [`127.0.0.1:${port}`], user: Promise.resolve(undefined) });
    expect(await fetches(never, port)).toBe('cut off');
  });
});

describe("the kernel's table of sockets", () => {
  const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 60578        0 1 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000 60578        0 2 1 0 20 4 30 10 -1
   2: 0100007F:C001 0100007F:1F90 01 00000000:00000000 02:000000A1 00000000 60579        0 3 2 0 20 4 30 10 -1
   3: 0200007F:C002 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 60600        0 4 1 0 20 4 30 10 -1
`;
  const end = (port: number, address = '127.0.0.1') => ({ address, port, to: 0x1f90 });

  it('[L11] tells the user of the end that has connected, at that address and port', async () => {
    const owners = new SocketOwners(async () => TABLE);
    expect(await owners.ownerOf(end(0xc001))).toBe(60_579);
    expect(await owners.ownerOf(end(0xc002))).toBeUndefined();
    expect(await owners.ownerOf(end(0xc001, '127.0.0.2'))).toBeUndefined();
    expect(await owners.ownerOf({ ...end(0xc001), to: 0x1f91 })).toBeUndefined();
    expect(await owners.ownerOf({ ...end(0xc001), port: undefined })).toBeUndefined();
  });

  it('[L11] is read once for all who ask meanwhile, and after they have connected', async () => {
    const reads: PromiseWithResolvers<string>[] = [];
    const owners = new SocketOwners(() => {
      const reading = Promise.withResolvers<string>();
      reads.push(reading);
      return reading.promise;
    });
    const first = owners.ownerOf(end(0xc001));
    const later = [owners.ownerOf(end(0xc001)), owners.ownerOf(end(0xc001))];
    expect(reads).toHaveLength(1);
    reads[0]?.resolve(TABLE);
    expect(await first).toBe(60_579);
    await expect.poll(() => reads.length).toBe(2);
    reads[1]?.resolve(TABLE);
    expect(await Promise.all(later)).toEqual([60_579, 60_579]);
    const last = owners.ownerOf(end(0xc001));
    reads[2]?.resolve(TABLE);
    expect(await last).toBe(60_579);
    expect(reads).toHaveLength(3);
  });

  it('[L11] is read again where a line is not in it: it changes while it is read', async () => {
    const tables = ['', TABLE.replaceAll('C001', 'C003'), TABLE];
    const owners = new SocketOwners(async () => tables.shift() ?? '');
    expect(await owners.ownerOf(end(0xc001))).toBe(60_579);
    expect(await owners.ownerOf(end(0xc001))).toBeUndefined();
  });

  it('[L11] that cannot be read keeps nobody out, which is told', async () => {
    const owners = new SocketOwners(() => Promise.reject(new Error('EACCES')));
    await expect(owners.ownerOf(end(1))).rejects.toThrow('EACCES');
    await expect(owners.ownerOf(end(1))).rejects.toThrow('EACCES');
  });
});
