import http from 'node:http';
import { describe, expect, it } from 'vitest';
import type { EgressOptions } from '../egress.ts';
import { connect, deaf, egress, get, hello, open, site, tcp, useNetwork } from './network-fixture.ts';

useNetwork();

describe('destinations of a surrogate', () => {
  it('refuses private addresses by literal, in any spelling, before a byte is sent', async () => {
    let connections = 0;
    const port = await tcp(() => connections++);
    const proxy = await egress();
    for (const host of [
      '127.0.0.1',
      '0x7f.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '[::]',
      '[64:ff9b::7f00:1]',
      'localhost',
    ]) {
      const plain = await get(proxy, `http://${host}:${port}/`);
      expect([host, plain.status, plain.headers['x-vitrine-egress']]).toEqual([host, 403, 'blocked-address']);
      const tunnelled = await connect(proxy, `${host}:${port}`);
      expect([host, tunnelled.status, tunnelled.code]).toEqual([host, 403, 'blocked-address']);
    }
    expect(connections).toBe(0);
  });

  it('checks the resolved address, and connects to the checked one', async () => {
    const reached: (string | undefined)[] = [];
    const port = await tcp((socket) => reached.push(socket.localAddress), '0.0.0.0');
    // A name that resolves to another address each time.
    const asked: string[] = [];
    const resolve = async (name: string) => [{ address: `127.0.0.${asked.push(name)}`, family: 4 }];
    const first = await egress({ resolve, allowNetworks: ['127.0.0.1'] });
    expect((await connect(first, `rebind.example:${port}`)).status).toBe(200);
    expect(asked).toHaveLength(1);
    await expect.poll(() => reached).toEqual(['127.0.0.1']);

    const second = await egress({ resolve, allowNetworks: ['127.0.0.1'] });
    const refused = await get(second, `http://rebind.example:${port}/`);
    expect([refused.status, refused.headers['x-vitrine-egress']]).toEqual([403, 'blocked-address']);
    expect(refused.body).toBe('');
    expect(reached).toHaveLength(1);
  });

  it("uses the permitted ones of a name's addresses", async () => {
    const port = await site(hello);
    const resolve = async () => [
      { address: '10.255.255.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const proxy = await egress({ resolve, allowNetworks: [`127.0.0.1:${port}`] });
    expect((await get(proxy, `http://two.example:${port}/`)).body).toBe('hello');
  });

  it('permits exactly the allowed networks', async () => {
    const [one, other] = [await site(hello), await site(hello)];
    const proxy = await egress({ allowNetworks: [`127.0.0.1:${one}`] });
    expect((await get(proxy, `http://127.0.0.1:${one}/`)).body).toBe('hello');
    expect((await get(proxy, `http://127.0.0.1:${other}/`)).status).toBe(403);
    expect((await connect(proxy, `127.0.0.1:${one}`)).status).toBe(200);
    expect((await connect(proxy, `127.0.0.1:${other}`)).status).toBe(403);
    const byName = await egress({
      allowNetworks: ['localhost'],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    expect((await get(byName, `http://LOCALHOST:${one}/`)).body).toBe('hello');
    expect((await get(byName, `http://127.0.0.1:${one}/`)).status).toBe(403);
    const everywhere = await egress({ allowPrivate: true });
    expect((await get(everywhere, `http://127.0.0.1:${other}/`)).body).toBe('hello');
  });

  it("never reaches the host, another surrogate's proxy or a metadata service, whatever networks are allowed", async () => {
    const own = await site(hello);
    const other = await egress();
    const allowNetworks = ['127.0.0.0/8', '::/0', 'localhost', '0.0.0.0', `127.0.0.1:${own}`];
    const proxy = await egress({ allowPrivate: true, allowNetworks, ownPorts: [own] });
    for (const host of ['127.0.0.1', '127.0.0.2', 'localhost', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', '[::]']) {
      for (const port of [own, other.port, proxy.port]) {
        expect([host, (await connect(proxy, `${host}:${port}`)).code]).toEqual([host, 'own-service']);
      }
    }
    expect((await get(proxy, 'http://169.254.169.254/latest/')).headers['x-vitrine-egress']).toBe('blocked-address');
  });

  it("[L6] refuses the host's public origins by name, in any spelling, whatever they resolve to", async () => {
    const port = await site(hello);
    const proxy = await egress({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      allowPrivate: true,
      ownOrigins: ['https://vitrine.example', `http://inspect.example:${port}`, 'https://[2001:db8::1]:8443'],
    });
    for (const own of ['vitrine.example:443', 'VITRINE.example.:443', '[2001:DB8:0::1]:8443'])
      expect([own, (await connect(proxy, own)).code]).toEqual([own, 'own-service']);
    const plain = await get(proxy, `http://Inspect.example:${port}/`);
    expect([plain.status, plain.headers['x-vitrine-egress']]).toEqual([403, 'own-service']);
    // Another service of that machine, and another machine of that domain.
    expect((await get(proxy, `http://vitrine.example:${port}/`)).body).toBe('hello');
    expect((await get(proxy, `http://www.inspect.example:${port}/`)).body).toBe('hello');
  });

  it('asks no resolver for a name with empty labels, which may mean a host that rules name without them', async () => {
    const port = await site(hello);
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const proxy = await egress({ resolve, allowNetworks: ['127.0.0.0/8'], ownOrigins: [`http://own.example:${port}`] });
    for (const host of ['evil.example..', 'evil.example...', 'own.example..', 'evil..example']) {
      expect([host, (await get(proxy, `http://${host}:${port}/`)).status]).toEqual([host, 400]);
      expect([host, (await connect(proxy, `${host}:${port}`)).code]).toEqual([host, 'bad-request']);
    }
    expect(asked).toEqual([]);
    expect((await get(proxy, `http://evil.example.:${port}/`)).body).toBe('hello');
    expect(asked).toEqual(['evil.example']);
  });

  it('blocks the services of Chromium itself', async () => {
    const resolve = () => Promise.reject(new Error('asked'));
    const proxy = await egress({ resolve });
    expect((await connect(proxy, 'update.googleapis.com:443')).code).toBe('blocked-service');
    expect((await connect(proxy, 'R1---sn.GVT1.com:443')).code).toBe('blocked-service');
    expect((await connect(proxy, 'notgvt1.com:443')).code).toBe('name-not-resolved');
  });

  it('checks the site rules before it resolves, and denies when they throw', async () => {
    const asked: unknown[] = [];
    const names: string[] = [];
    const resolve = async (name: string) => {
      names.push(name);
      return [];
    };
    const decide: NonNullable<EgressOptions['decide']> = async (destination) => {
      asked.push(destination);
      if (destination.host === 'broken.example') throw new Error('rules');
      return { allow: false, code: 'category-games', message: 'No games.' };
    };
    const proxy = await egress({ decide, resolve });
    const plain = await get(proxy, 'http://Games.example/play?x=1');
    expect(plain).toMatchObject({ status: 403, body: '', headers: { 'x-vitrine-egress': 'category-games' } });
    expect((await connect(proxy, 'games.example:443')).code).toBe('category-games');
    expect((await connect(proxy, 'broken.example:443')).code).toBe('blocked-site');
    expect(names).toEqual([]);
    expect(asked).toEqual([
      { host: 'games.example', port: 80, url: 'http://Games.example/play?x=1' },
      { host: 'games.example', port: 443 },
      { host: 'broken.example', port: 443 },
    ]);
  });

  it.each(['/', 'https://a.example/', 'ftp://a.example/', 'http:///'])(
    'serves nothing but http addresses: %s',
    async (url) => {
      expect((await get(await egress(), url)).status).toBe(400);
    },
  );

  it.each(['a.example', 'a.example:0', 'a.example:99999', ':80', 'a/b:80'])(
    'tunnels to HOST:PORT only: %s',
    async (authority) => {
      expect((await connect(await egress(), authority)).status).toBe(400);
    },
  );
});

describe('reasons of failures', () => {
  it('reports the reason until a connection to the host succeeds', async () => {
    const closed = await tcp(() => {});
    await open.pop()?.close();
    const reset = await tcp((socket) => socket.resetAndDestroy());
    const silentPort = await tcp((socket) => socket.end());
    const resolve = async (name: string) => {
      if (name === 'missing.example') throw new Error('ENOTFOUND');
      return [{ address: name === 'slow.example' ? '10.255.255.1' : '127.0.0.1', family: 4 }];
    };
    const proxy = await egress({ allowPrivate: true, resolve });
    expect((await get(proxy, `http://site.example:${closed}/`)).status).toBe(502);
    expect(proxy.reasonFor(`http://site.example:${closed}/other`)).toMatchObject({
      code: 'connection-refused',
      host: 'site.example',
      port: closed,
      url: `http://site.example:${closed}/`,
    });
    expect((await get(proxy, `http://site.example:${reset}/`)).headers['x-vitrine-egress']).toBe('connection-reset');
    const tunnelled = await connect(proxy, `site.example:${silentPort}`);
    await new Promise((resolve) => tunnelled.socket.resume().once('close', resolve));
    expect(proxy.reasonFor(`https://site.example:${silentPort}/`)?.code).toBe('connection-closed');
    await connect(proxy, 'missing.example:443');
    expect(proxy.reasonFor('https://missing.example/path')?.code).toBe('name-not-resolved');
    expect(proxy.reasonFor('wss://missing.example')?.code).toBe('name-not-resolved');
    expect(proxy.reasonFor('http://missing.example/')).toBeUndefined();
    expect(proxy.reasonFor('not an address')).toBeUndefined();

    const back = http.createServer(hello);
    await new Promise<void>((resolve) => back.listen(closed, '127.0.0.1', resolve));
    open.push({ close: () => back.close().closeAllConnections() });
    expect((await get(proxy, `http://site.example:${closed}/`)).body).toBe('hello');
    expect(proxy.reasonFor(`http://site.example:${closed}/`)).toBeUndefined();
  });

  it('times out on an address that does not respond', async () => {
    const port = await deaf();
    const proxy = await egress({ allowPrivate: true, connectTimeoutMs: 100 });
    const answer = await get(proxy, `http://127.0.0.1:${port}/`);
    expect([answer.status, answer.headers['x-vitrine-egress']]).toEqual([504, 'timeout']);
    expect((await connect(proxy, `127.0.0.1:${port}`)).code).toBe('timeout');
  });

  it('keeps a bounded number of reasons', async () => {
    const proxy = await egress({ decide: () => ({ allow: false, message: 'no' }) });
    for (let number = 0; number < 300; number++) await get(proxy, `http://host${number}.example/`);
    expect(proxy.reasonFor('http://host0.example/')).toBeUndefined();
    expect(proxy.reasonFor('http://host299.example/')?.code).toBe('blocked-site');
  });
});
