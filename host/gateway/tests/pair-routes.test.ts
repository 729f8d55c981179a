import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { JSON_TEXT } from '../../../core/protocol/json-text.ts';
import type { PairRequest, RepairRequest } from '../../../core/protocol/pairing.ts';
import { pairRequest } from '../../cell/tests/harness.ts';
import { createPolicyEngine } from '../../policy/engine.ts';
import { OWN, parsed } from '../../policy/tests/own-settings.ts';
import { playedGateway } from './played-gateway.ts';

const MIB = 1024 * 1024;

let gateway: FastifyInstance;
const paired = vi.fn<(asked: PairRequest | RepairRequest) => void>();
beforeAll(async () => {
  const take = (asked: PairRequest | RepairRequest) => {
    paired(asked);
    return Promise.resolve({});
  };
  gateway = await playedGateway({
    pair: (_person, asked) => take(asked),
    repair: (_person, _cid, asked) => take(asked),
  });
});
afterAll(() => gateway.close());
beforeEach(() => paired.mockClear());

const send = async (payload: string, type = JSON_TEXT, url = '/r/pair') => {
  const headers = { host: 'localhost', 'content-type': type };
  const answer = await gateway.inject({ method: 'POST', url, headers, payload });
  return [answer.statusCode, answer.json<{ code?: string }>().code];
};
const engineOf = (policy: object) =>
  createPolicyEngine({
    policy: parsed(JSON.stringify({ tenants: { default: { policy } } }), 'p.yaml'),
    settings: OWN,
    capabilities: [],
    log: console,
  });
const request = pairRequest('https://site.test/form');
const asked = JSON.stringify(request);

describe('the body of a POST in a pair request', () => {
  it('[S-038] comes after the JSON, and reaches the session as it is', async () => {
    const form = `a=\n{"__proto__":1}\n€${'x'.repeat(4 * MIB - 100)}\n`;
    expect(await send(`${asked}\n${form}`)).toEqual([200, undefined]);
    expect(paired.mock.calls).toEqual([[{ ...request, body: form }]]);
  });

  it('[S-038] is never parsed, and adds little to the time of a request', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(await send(`${asked}\n${'[],'.repeat(MIB)}`)).toEqual([200, undefined]);
    expect(parse.mock.calls.every(([text]) => text.length <= asked.length)).toBe(true);
    parse.mockRestore();
  });

  it.each([
    ['is too large', `${asked}\n${'x'.repeat(5 * MIB)}`, 413],
    ['follows no line of JSON', 'x'.repeat(MIB), 400],
    ['follows no JSON', `{"url"\nx`, 400],
    ['follows no object', `7\nx`, 400],
    ['follows null', `null\nx`, 400],
    ['follows poisoned JSON', `{"__proto__":{}}\nx`, 400],
  ])('[S-038] is refused where it %s', async (_what, payload, status) => {
    expect((await send(payload))[0]).toBe(status);
    expect(paired).not.toHaveBeenCalled();
  });
});

describe('a pair request', () => {
  it.each([
    ['/r/pair', 'application/json', ''],
    ['/r/repair?cid=c', 'application/json', ''],
    ['/r/pair', JSON_TEXT, '\n'],
    ['/r/repair?cid=c', JSON_TEXT, '\n'],
  ])('is refused unread where its JSON is long: %s as %s', async (url, type, end) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect((await send(`{"tc_api":3,"x":[${'[],'.repeat(60_000)}1]}${end}`, type, url))[0]).toBe(
      type === JSON_TEXT ? 400 : 413,
    );
    expect(parse.mock.calls.every(([text]) => text.length < 1000)).toBe(true);
    parse.mockRestore();
  });

  it('[R-058] is answered with who refuses its page, or where to go instead, and no surrogate begins', async () => {
    const answers: unknown[] = [];
    for (const [origin, egress] of [
      ['http://localhost', { block: ['site.test'], message: 'Not at work.' }],
      ['http://localhost', { block: ['site.test'], redirect: 'https://intra.test/no' }],
      ['http://localhost', { block: ['site.test'], redirect: 'http://intra.test/no' }],
      ['https://localhost', { block: ['site.test'], redirect: 'https://intra.test/no' }],
      // The tab would not go there.
      ['https://localhost', { block: ['site.test'], message: 'Not at work.', redirect: 'http://intra.test/no' }],
    ] as const) {
      const refusing = await playedGateway(
        {
          pair: (_person, asked) => {
            paired(asked);
            return Promise.resolve({});
          },
        },
        { policy: await engineOf({ egress }) },
      );
      const headers = { host: 'localhost', origin, 'content-type': 'application/json' };
      const answer = await refusing.inject({ method: 'POST', url: '/r/pair', headers, payload: asked });
      answers.push(answer.json());
      await refusing.close();
    }
    expect(answers).toEqual([
      { block: { site: 'site.test', message: 'Not at work.' } },
      { error: 'access_denied_redirect', redirect_url: 'https://intra.test/no' },
      { error: 'access_denied_redirect', redirect_url: 'http://intra.test/no' },
      { error: 'access_denied_redirect', redirect_url: 'https://intra.test/no' },
      { block: { site: 'site.test', message: 'Not at work.' } },
    ]);
    expect(paired).not.toHaveBeenCalled();
  });

  it('may have the longest addresses', async () => {
    const url = `https://site.test/${'x'.repeat(65_000)}`;
    expect(await send(JSON.stringify({ ...request, url, referrer: url }), 'application/json')).toEqual([
      200,
      undefined,
    ]);
  });
});
