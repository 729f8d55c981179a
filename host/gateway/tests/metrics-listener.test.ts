import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { metricsListener } from '../metrics-listener.ts';
import { createMetrics } from '../metrics.ts';
import { playedGateway } from './played-gateway.ts';

let gateway: FastifyInstance | undefined;
let server: Server | undefined;
afterEach(async () => {
  server?.close();
  await gateway?.close();
});

it('[L8] has the metrics at an address of their own, and nothing else', async () => {
  const metrics = createMetrics();
  metrics.gauge('vitrine_probe', 'A probe', () => 7);
  server = metricsListener(metrics).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const answer = await get('/metrics');
  expect(answer.headers.get('content-type')).toContain('text/plain');
  expect(await answer.text()).toContain('vitrine_probe 7');
  expect((await get('/metrics?x=1')).status).toBe(200);
  for (const path of ['/', '/healthz', '/metrics/x', '//metrics']) expect((await get(path)).status).toBe(404);
  expect((await get('/metrics', 'POST')).status).toBe(404);
});

it("[L8] are among the people's routes only where the host is this machine's own", async () => {
  for (const [isExposed, status] of [
    [false, 200],
    [true, 404],
  ] as const) {
    gateway = await playedGateway({}, { isExposed });
    expect((await gateway.inject({ url: '/metrics', headers: { host: 'localhost' } })).statusCode).toBe(status);
    await gateway.close();
  }
});
