import { describe, expect, it } from 'vitest';
import type { ServerCall } from '../../channel/server-call.ts';
import { policyCalls } from '../connection/policy-calls.ts';

function setUp(answer: () => unknown) {
  const calls: ServerCall[] = [];
  const reports: string[] = [];
  const policy = policyCalls({
    call: async (call) => {
      calls.push(call);
      return answer();
    },
    report: (name) => void reports.push(name),
    session: { cid: 'c 1', cl: 'local', safe_rid: 'safe' },
    tabId: 'tab',
    pageUrl: () => 'https://site.test/',
    host: 'localhost:7700',
    proxied: true,
  });
  return { policy, calls, reports };
}

describe('policy calls', () => {
  it('[S-106] [S-110] [S-112] have a label, contain the page, and return the response', async () => {
    const { policy, calls, reports } = setUp(() => ({ enable_logo: true }));
    expect(await policy.query(['enable_logo'])).toEqual({ enable_logo: true });
    expect(await policy.act('readonly_exit', { exit_mode: 'direct' })).toEqual({ enable_logo: true });
    const page = { url: 'https://site.test/', host: 'localhost:7700' };
    expect(calls.map(({ label, path, body }) => [label, path, body])).toEqual([
      ['policy-query', '/r/policy/query', { ...page, policy_keys: ['enable_logo'], transparent_mode: true }],
      [
        'policy-action',
        '/r/policy/readonly_exit?cid=c+1&cl=local',
        { ...page, exit_mode: 'direct', safe_rid: 'safe', tab_id: 'tab' },
      ],
    ]);
    expect(reports).toEqual([]);
  });

  const failures: [string, () => unknown][] = [
    ['fail', () => Promise.reject(new Error('status 500'))],
    ['are answered with something else', () => 'text'],
  ];
  it.each(failures)('[S-111] that %s are reported and return nothing', async (_how, answer) => {
    const { policy, reports } = setUp(answer);
    expect(await policy.query(['enable_logo'])).toEqual({});
    expect(await policy.act('bypass')).toEqual({});
    expect(reports).toEqual(['tc-policy-query-failed', 'tc-policy-action-failed']);
  });
});
