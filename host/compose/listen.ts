import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Worker } from '../cells/cells.ts';
import { isExposed, ownOrigin } from '../base/exposure.ts';
import type { Admission } from '../gateway/admission.ts';
import { metricsListener } from '../gateway/metrics-listener.ts';
import type { Metrics } from '../gateway/metrics.ts';
import type { Options } from './options.ts';

/** Parts of a host that listens. */
interface Listening {
  readonly options: Options;
  readonly gateway: FastifyInstance;
  readonly worker: Pick<Worker, 'addOwnPort'>;
  readonly metrics: Metrics;
  /** Absent where everybody who reaches the host may use it. */
  readonly admission: Admission | undefined;
}

/**
 * Has the host listen, keeps surrogates from its ports, and prints where it is and who may use it. The listener of the
 * metrics ends with the process.
 */
export async function listen({ options, gateway, worker, metrics, admission }: Listening): Promise<void> {
  const { host, port, tlsCert } = options;
  const notes: string[] = [];
  if (options.metrics) {
    const { host: address, port: asked } = options.metrics;
    const server = metricsListener(metrics).listen(asked, address);
    await once(server, 'listening'); // rejects with its error
    server.unref();
    worker.addOwnPort(portOf(server));
    notes.push(`Metrics: http://${bracketed(address)}:${portOf(server)}/metrics`);
  }
  await gateway.listen({ port, host });
  const own = portOf(gateway.server);
  worker.addOwnPort(own);
  const scheme = tlsCert === undefined ? 'http' : 'https';
  const name = /^(127\.|::1$|0\.0\.0\.0$|::$|localhost$)/.test(host) ? 'localhost' : host;
  console.log([`Vitrine is ready: ${scheme}://${bracketed(name)}:${own}/`, ...notes].join('\n'));
  if (!isExposed(options)) return;
  console.log(
    admission
      ? `Browsers must be admitted: open ${ownOrigin(options, scheme, own)}${admission.link} once in each of them.`
      : 'Everybody who reaches this host may use it, because of --allow-anonymous.',
  );
  if (!isExposed({ host, origins: [] }) && options.trustedProxies.length === 0)
    console.log(
      'All people share the limits of one client address: name the proxy before this host by --trusted-proxy.',
    );
}

function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port; // it listens on TCP
}

function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}
