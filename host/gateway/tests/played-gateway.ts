import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import type { Link } from '../../contracts/link.ts';
import { bypassTokens } from '../../policy/bypass.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { loadAssets } from '../assets.ts';
import { integrityTokens } from '../integrity-tokens.ts';
import { createMetrics } from '../metrics.ts';
import { personCookies } from '../person.ts';
import { createGateway } from '../server.ts';
import type { GatewayOptions } from '../server.ts';

export const SECRET = new Uint8Array(32);

/** A real gateway with the build's client, before a worker that the test plays. Whoever makes it closes it. */
export async function playedGateway(
  link: Partial<Link> = {},
  options: Partial<GatewayOptions> = {},
): Promise<FastifyInstance> {
  const unused = (): Promise<never> => Promise.reject(new Error('not part of this test'));
  return createGateway({
    link: {
      expect: () => undefined,
      waiting: () => Promise.resolve(undefined),
      pair: unused,
      repair: unused,
      unpair: unused,
      attach: unused,
      receiveBodies: unused,
      resource: unused,
      request: unused,
      drain: unused,
      ready: () => Promise.resolve(true),
      ...link,
    },
    assets: await loadAssets(path.resolve(import.meta.dirname, '../../../dist')),
    persons: personCookies(SECRET),
    integrity: integrityTokens(SECRET),
    policy: await createPolicyEngine({ settings: coreSettings, capabilities: [], log: console }),
    bypass: bypassTokens(SECRET),
    metrics: createMetrics(),
    events: { append: () => undefined, dropped: 0, removed: 0, flush: () => Promise.resolve() },
    log: pino({ level: 'silent' }),
    origins: [],
    frameAncestors: [],
    protection: {
      limits: { memory: 'statm', cpu: 'nice', processes: 'none', users: 'none' },
      decoderNetwork: 'none',
      network: { allowed: [], isPrivateAllowed: false },
      settings: coreSettings,
    },
    ...options,
  });
}

/** Listens on a port of loopback and answers with it. */
export async function listen(gateway: FastifyInstance): Promise<number> {
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  return (gateway.server.address() as AddressInfo).port; // it listens on TCP
}
