import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { integrityTokens } from '../integrity-tokens.ts';
import { personCookies } from '../person.ts';
import { playedGateway, SECRET } from './played-gateway.ts';
import { pairRequest } from '../../cell/tests/harness.ts';

describe('the auth server', () => {
  const INSPECT = 'http://inspect.test';
  let gateway: FastifyInstance;
  beforeEach(async () => {
    gateway = await playedGateway(
      { pair: async () => ({ safe_rid: 'safe', cid: 'c' }) },
      { origins: ['http://app.test'], inspectOrigin: INSPECT, clusterOrigin: 'http://cluster.test' },
    );
    await gateway.ready();
  });
  afterEach(() => gateway.close());
  const post = async (url: string, payload: object, host = 'inspect.test', cookie = '') => {
    const answer = await gateway.inject({ method: 'POST', url, payload, headers: { host, cookie } });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), cookies: answer.cookies };
  };

  it('[S-123] identifies the browser of a session at its hosts', async () => {
    const cookie = `vitrine_person=${personCookies(SECRET).of('anna')}`;
    const paired = await post('/r/pair', pairRequest('https://site.test/'), 'app.test', cookie);
    expect(paired.body).toMatchObject({
      use_integrity_token: true,
      inspect_host: 'inspect.test',
      integrity_hosts: ['inspect.test', 'cluster.test'],
    });
    const { sb } = paired.body as { readonly sb?: string };
    const check = await post('/safeview-auth-server/check', { sb });
    expect(check.body).toMatchObject({ success: true, reauth: false, redirects: [{ host: 'inspect.test' }] });
    const [token] = check.body['redirects'] as object[];
    const done = await post('/safeview-auth-server/do_itok_auth', token ?? {});
    expect([done.status, done.body]).toEqual([200, { use_inspect_host: true }]);
    const set = done.cookies.find(({ name }) => name === 'vitrine_person');
    expect(personCookies(SECRET).subjectOf(set?.value)).toBe('anna');
    expect(set?.httpOnly).toBe(true);
    const again = await post('/safeview-auth-server/check', { sb }, 'inspect.test', `vitrine_person=${set?.value}`);
    expect(again.body).toEqual({ success: true, reauth: false, redirects: [] });
    expect((await post('/safeview-auth-server/do_itok_auth', token ?? {})).status).toBe(403);
  });

  it('[S-123] requires a new sign-in for a foreign blob, and accepts no token for a foreign host', async () => {
    const { body } = await post('/safeview-auth-server/check', { sb: 'anna.9999999999999.x' });
    expect(body).toEqual({ success: false, reauth: true, redirects: [] });
    const token = integrityTokens(SECRET).token('anna', 'app.test');
    const done = await post('/safeview-auth-server/do_itok_auth', { ...token, host: 'app.test' }, 'app.test');
    expect([done.status, done.body['code']]).toEqual([403, 'integrity-token']);
  });

  it('[S-123] accepts a token at its own host alone, also of two that are ours, and says which of them that is', async () => {
    const token = { ...integrityTokens(SECRET).token('anna', 'cluster.test'), host: 'cluster.test' };
    const elsewhere = await post('/safeview-auth-server/do_itok_auth', token, 'inspect.test');
    expect([elsewhere.status, elsewhere.body['code']]).toEqual([403, 'integrity-token']);
    const there = await post('/safeview-auth-server/do_itok_auth', token, 'cluster.test');
    expect([there.status, there.body]).toEqual([200, { use_inspect_host: false }]);
  });
});
