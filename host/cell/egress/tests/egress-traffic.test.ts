import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { connect, egress, get, site, tcp, useNetwork } from './network-fixture.ts';

useNetwork();

describe('plain http', () => {
  it('forwards requests and responses without hop-by-hop headers', async () => {
    const seen: { method: string | undefined; url: string | undefined; rawHeaders: string[]; body: string }[] = [];
    const port = await site((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        seen.push({ method: request.method, url: request.url, rawHeaders: request.rawHeaders, body });
        response.writeHead(207, 'Some Words', [
          ...['Set-Cookie', 'a=1', 'X-Case', 'Kept', 'Set-Cookie', 'b=2'],
          ...['Connection', 'x-hop', 'X-Hop', '1', 'X-Vitrine-Egress', 'forged', 'Proxy-Authenticate', 'Basic'],
        ]);
        response.end('answer');
      });
    });
    const proxy = await egress({ allowPrivate: true });
    const headers = {
      Host: 'forged.example',
      'X-Own': 'kept',
      'Proxy-Authorization': 'secret',
      Connection: 'X-Gone',
      'X-Gone': '1',
    };
    const answer = await get(proxy, `http://127.0.0.1:${port}/a%20b?q=%C3%A9|x`, { method: 'POST', headers }, 'body');
    expect(seen).toMatchObject([{ method: 'POST', url: '/a%20b?q=%C3%A9|x', body: 'body' }]);
    const sent = seen[0]?.rawHeaders.join('\n') ?? '';
    expect(sent).toContain(`Host\n127.0.0.1:${port}`);
    expect(sent).toContain('X-Own\nkept');
    expect(sent).not.toMatch(/forged|secret|X-Gone/i);
    expect(answer).toMatchObject({ status: 207, body: 'answer', headers: { 'set-cookie': ['a=1', 'b=2'] } });
    expect(answer.rawHeaders).toContain('X-Case');
    expect(answer.headers['x-hop']).toBeUndefined();
    expect(answer.headers['x-vitrine-egress']).toBeUndefined();
    expect(answer.headers['proxy-authenticate']).toBeUndefined();
  });

  it('counts bytes in both directions', async () => {
    const port = await site((request, response) => {
      request.resume().on('end', () => response.end('x'.repeat(50_000)));
    });
    const proxy = await egress({ allowPrivate: true });
    await get(proxy, `http://127.0.0.1:${port}/`, { method: 'POST' }, 'y'.repeat(20_000));
    expect(proxy.bytesIn).toBeGreaterThan(50_000);
    expect(proxy.bytesIn).toBeLessThan(51_000);
    expect(proxy.bytesOut).toBeGreaterThan(20_000);
    expect(proxy.bytesOut).toBeLessThan(21_000);
  });

  it('retries when the site has closed the kept-alive connection, unless bytes were received', async () => {
    let connections = 0;
    const port = await tcp((socket) => {
      connections++;
      let requests = 0;
      // Answers the first request of a connection and closes it on the second.
      socket.on('data', () => {
        if (++requests > 1) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    const proxy = await egress({ allowPrivate: true });
    for (let number = 0; number < 3; number++) expect((await get(proxy, `http://127.0.0.1:${port}/`)).body).toBe('ok');
    expect(connections).toBe(3);
  });

  it('sends no POST a second time, though it has no body', async () => {
    const seen: string[] = [];
    const port = await tcp((socket) => {
      socket.on('data', (bytes) => {
        const method = bytes.toString('latin1').split(' ', 1)[0] ?? '';
        seen.push(method);
        if (method === 'GET') socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.resetAndDestroy();
      });
    });
    const proxy = await egress({ allowPrivate: true });
    const address = `http://127.0.0.1:${port}/`;
    expect((await get(proxy, address)).body).toBe('ok'); // its connection is kept
    expect((await get(proxy, address, { method: 'POST' })).headers['x-vitrine-egress']).toBe('connection-reset');
    expect(seen).toEqual(['GET', 'POST']);
  });

  it('truncates the response where the site does', async () => {
    const port = await tcp((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => socket.resetAndDestroy()),
      );
    });
    const proxy = await egress({ allowPrivate: true });
    await expect(get(proxy, `http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('answers 502 to invalid responses and to a site that acts as a proxy', async () => {
    const nonsense = await tcp((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n')));
    const posing = await site((_request, response) =>
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm=x' }).end(),
    );
    const proxy = await egress({ allowPrivate: true });
    for (const port of [nonsense, posing]) {
      const answer = await get(proxy, `http://127.0.0.1:${port}/`);
      expect([answer.status, answer.headers['x-vitrine-egress']]).toEqual([502, 'bad-response']);
    }
  });

  it('sends nothing for a browser that has gone away while its request was being admitted', async () => {
    const seen: string[] = [];
    const port = await site((request, response) => {
      seen.push(request.url ?? '');
      response.end('answer');
    });
    const admitting = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const proxy = await egress({
      allowPrivate: true,
      decide: async ({ url = '' }) => {
        if (url.endsWith('/left')) {
          asked.resolve();
          await admitting.promise;
        }
        return { allow: true };
      },
    });
    const client = net.connect(proxy.port, '127.0.0.1');
    client.write(`GET http://127.0.0.1:${port}/left HTTP/1.1\r\nHost: x\r\n\r\n`);
    await asked.promise;
    client.destroy();
    await once(client, 'close');
    await get(proxy, `http://127.0.0.1:${port}/after`); // the proxy has heard of the end by then
    admitting.resolve();
    await get(proxy, `http://127.0.0.1:${port}/last`);
    expect(seen).toEqual(['/after', '/last']);
  });

  it('ends the request to the site when the browser goes away', async () => {
    let gone: () => void;
    const wentAway = new Promise<void>((resolve) => (gone = resolve));
    const port = await site((_request, response) => {
      response.write('first');
      response.on('close', gone);
    });
    const proxy = await egress({ allowPrivate: true });
    const request = http.request({ host: '127.0.0.1', port: proxy.port, path: `http://127.0.0.1:${port}/` });
    request.on('error', () => {});
    request.on('response', () => request.destroy());
    request.end();
    await wentAway;
  });
});

describe('tunnels', () => {
  it('pass bytes in both directions, and each direction ends separately', async () => {
    const port = await tcp((socket) => {
      let received = '';
      socket.allowHalfOpen = true;
      socket.on('data', (part) => (received += String(part)));
      socket.on('end', () => socket.end(`got ${received}`));
    });
    const proxy = await egress({ allowPrivate: true });
    const { status, socket } = await connect(proxy, `127.0.0.1:${port}`);
    expect(status).toBe(200);
    let answer = '';
    socket.allowHalfOpen = true;
    socket.on('data', (part) => (answer += String(part)));
    const ended = new Promise((resolve) => socket.once('end', resolve));
    socket.end('all of it');
    await ended;
    expect(answer).toBe('got all of it');
    expect(proxy.bytesOut).toBe('all of it'.length);
    expect(proxy.bytesIn).toBe('got all of it'.length);
  });

  it('end when idle', async () => {
    const port = await tcp(() => {});
    const proxy = await egress({ allowPrivate: true, idleTimeoutMs: 50 });
    const { socket } = await connect(proxy, `127.0.0.1:${port}`);
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(proxy.reasonFor(`https://127.0.0.1:${port}/`)?.code).toBe('timeout');
  });

  it('end with the proxy', async () => {
    let gone: () => void;
    const wentAway = new Promise<void>((resolve) => (gone = resolve));
    const port = await tcp((socket) => socket.resume().once('close', gone));
    const proxy = await egress({ allowPrivate: true });
    const { socket } = await connect(proxy, `127.0.0.1:${port}`);
    const closed = new Promise((resolve) => socket.resume().once('close', resolve));
    await proxy.close();
    await Promise.all([closed, wentAway]);
    await expect(connect(proxy, `127.0.0.1:${port}`)).rejects.toThrow();
  });
});
