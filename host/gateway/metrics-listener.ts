import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Metrics } from './metrics.ts';

/** Time for a whole request, in ms. */
const REQUEST_MS = 10_000;

/**
 * A listener for `GET /metrics` alone, apart from the people's: where the host is reached from other machines, those who may
 * read its metrics are others. The caller listens and closes.
 */
export function metricsListener(metrics: Pick<Metrics, 'text' | 'contentType'>): Server {
  return createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    response.shouldKeepAlive = false; // an idle connection would hold up the end of the host
    const isAsked = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isAsked) return void response.writeHead(404).end();
    metrics.text().then(
      (text) =>
        response.writeHead(200, { 'content-type': metrics.contentType, 'x-content-type-options': 'nosniff' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
}
