import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connect, egress, get, hello, site, tcp, useNetwork } from './network-fixture.ts';

useNetwork();
afterEach(() => void vi.useRealTimers());

/** A server that answers every request with the number of its connection, and can end its connections. */
async function counting(onConnection: (socket: Socket) => void = () => undefined) {
  const sockets: Socket[] = [];
  const port = await tcp((socket) => {
    const number = sockets.push(socket);
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${number}`));
    onConnection(socket);
  });
  return { port, sockets, url: `http://127.0.0.1:${port}/` };
}

describe('a connection that is expected', () => {
  const allowNetworks = ['127.0.0.1'];

  it('is ready for one plain request or tunnel', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the connection is not closed as unused
    const { port, sockets, url } = await counting();
    const proxy = await egress({ allowNetworks });
    proxy.expect(url);
    proxy.expect(url);
    await expect.poll(() => sockets.length).toBe(1);
    expect((await get(proxy, url)).body).toBe('1');
    expect(sockets.length).toBe(1);

    proxy.expect(url);
    await expect.poll(() => sockets.length).toBe(2);
    const tunnel = await connect(proxy, `127.0.0.1:${port}`);
    tunnel.socket.write('GET / HTTP/1.1\r\n\r\n');
    const [answer] = await new Promise<Buffer[]>((resolve) =>
      tunnel.socket.once('data', (data: Buffer) => resolve([data])),
    );
    expect(String(answer).at(-1)).toBe('2');
    expect(proxy.bytesOut).toBeGreaterThan(0);
  });

  it('is opened only to hosts that the rules permit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the connection is not closed as unused
    const { sockets, url } = await counting();
    (await egress()).expect(url);
    const ruled = await egress({ allowNetworks });
    ruled.decideBy(() => ({ allow: false, message: 'no' }));
    ruled.expect(url);
    ruled.expect('no address');
    // The connections of the two would be the first.
    const permitted = await egress({ allowNetworks });
    permitted.expect(url);
    await expect.poll(() => sockets.length).toBeGreaterThan(0);
    expect((await get(permitted, url)).body).toBe('1');
    expect(sockets).toHaveLength(1);
  });

  it('is closed when unused, and replaced when the site has ended it or sent bytes first', async () => {
    const kept = await counting();
    const proxy = await egress({ allowNetworks });
    proxy.expect(kept.url);
    await expect.poll(() => kept.sockets.length).toBe(1);
    await expect.poll(() => kept.sockets[0]?.readableEnded ?? kept.sockets[0]?.destroyed).toBe(true);

    for (const spoil of [(socket: Socket) => socket.end(), (socket: Socket) => socket.write('HELLO\r\n')]) {
      const spoilt = await counting((socket) => {
        if (spoilt.sockets.length === 1) spoil(socket);
      });
      proxy.expect(spoilt.url);
      await expect.poll(() => spoilt.sockets.length).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((await get(proxy, spoilt.url)).body).toBe('2');
    }
  });

  it('that fails is retried by the next request', async () => {
    let names = 0;
    const port = await site(hello);
    const proxy = await egress({
      allowNetworks: [`site.example:${port}`],
      resolve: async () => {
        if ((names += 1) === 1) throw new Error('not now');
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    proxy.expect(`http://site.example:${port}/`);
    await expect.poll(() => names).toBe(1);
    expect(proxy.reasonFor(`http://site.example:${port}/`)).toBeUndefined();
    expect((await get(proxy, `http://site.example:${port}/`)).body).toBe('hello');
  });
});
