import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { createPolicyEngine } from '../../policy/engine.ts';
import { OWN, parsed } from '../../policy/tests/own-settings.ts';
import type { HostProtection } from '../protection.ts';
import { playedGateway } from './played-gateway.ts';

const STRONG: HostProtection = {
  limits: { memory: 'cgroup2', cpu: 'cgroup2', processes: 'cgroup2', users: 'range' },
  decoderNetwork: 'namespace',
  network: { allowed: [], isPrivateAllowed: false },
  settings: OWN,
};
let gateway: FastifyInstance | undefined;
afterEach(() => gateway?.close());

async function shown(
  protection: HostProtection,
  { query = '', ip = '127.0.0.1', source = 'tenants: { default: {} }' } = {},
) {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const policy = await createPolicyEngine({
    policy: parsed(source, 'test.policy.yaml'),
    settings: OWN,
    capabilities: [],
    log,
  });
  gateway = await playedGateway({}, { protection, policy });
  const answer = await gateway.inject({
    method: 'GET',
    url: `/protection${query}`,
    headers: { host: 'localhost:7700' },
    remoteAddress: ip,
  });
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store']);
  const strengths = [...answer.body.matchAll(/<li data-strength="(\w+)"><b>([^<]+)/g)].map(
    ([, strength, title]) => `${title}: ${strength}`,
  );
  return { ...answer, strengths };
}

it('tells which walls stand, by how the host runs', async () => {
  const { strengths } = await shown(STRONG);
  expect(strengths).toEqual([
    'No code of sites in your browser: on',
    'A sandboxed browser of your own: on',
    'Separate users: on',
    'Limits: on',
    'Converted pictures: on',
    'Private network: on',
    'Connection: on',
  ]);
});

it('tells which are weaker, or off', async () => {
  const weak = await shown(
    {
      ...STRONG,
      limits: { memory: 'statm', cpu: 'nice', processes: 'none', users: 'none' },
      decoderNetwork: 'none',
      network: { allowed: ['10.0.0.0/8'], isPrivateAllowed: false },
    },
    { ip: '192.0.2.7' },
  );
  expect(weak.strengths.slice(2)).toEqual([
    'Separate users: weaker',
    'Limits: off',
    'Converted pictures: weaker',
    'Private network: weaker',
    'Connection: off',
  ]);
  await gateway?.close();
  const open = await shown({ ...STRONG, network: { allowed: [], isPrivateAllowed: true } });
  expect(open.strengths).toContain('Private network: off');
});

it('shows the rules of the policy for a page, and nothing that its address brings along', async () => {
  const source = `tenants:
  default:
    sites: [{ match: docs.example, policy: { pictures: { reencode: true } } }]`;
  const rule = /<dt lang="en" dir="ltr">(Convert pictures[^<]*)<\/dt><dd>(\w+)/;
  expect(rule.exec((await shown(STRONG, { source })).body)?.[2]).toBe('no');
  await gateway?.close();
  const page = encodeURIComponent('https://docs.example/<script>"');
  const { body } = await shown(STRONG, { source, query: `?page=${page}` });
  expect(rule.exec(body)?.[2]).toBe('yes');
  expect(body).toContain('For <bdi>https://docs.example/%3Cscript%3E%22</bdi>:');
  expect(body).not.toContain('<script');
  await gateway?.close();
  expect((await shown(STRONG, { query: '?page=javascript:alert(1)&page=2' })).body).toContain('For any page:');
});
