import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServerCall } from '../../channel/server-call.ts';
import { AppError } from '../../protocol/errors.ts';
import type { PairAnswer, PairRequest } from '../../protocol/pairing.ts';
import { pairBackoff, Pairing } from '../pairing/pairing.ts';
import { memoryStorage } from './memory-storage.ts';
import { TabStore } from '../tab/tab-store.ts';

const GOOD: PairAnswer = { version: 'ok', safe_rid: 'safe', cid: 'c1', rid: 'r1', tab_id: 't1', cluster_id: 'local' };
const STORED = { safe_rid: 'old-safe', cid: 'old-c', tab_id: 'old-t', cluster_id: 'cl1' };

beforeEach(() => {
  vi.useFakeTimers();
});
const stores: TabStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.dispose();
  vi.useRealTimers();
});

/** Answers calls with the given values, in order; the last one is repeated. */
function setUp(...answers: (PairAnswer | AppError | 'nonsense')[]) {
  const calls: ServerCall[] = [];
  const times: number[] = [];
  const reports: string[] = [];
  const cookies: string[] = [];
  const slow: string[] = [];
  const begun: string[] = [];
  const sentBefore: number[] = [];
  const report = (name: string, data: Readonly<Record<string, unknown>> = {}): void => {
    reports.push(typeof data['reason'] === 'string' ? `${name}: ${data['reason']}` : name);
  };
  const store = new TabStore({
    storage: memoryStorage(),
    window: { name: '' },
    isTraversal: false,
    clusterDomain: 'vitrine.test',
    report,
  });
  stores.push(store);
  const pairing = new Pairing({
    store,
    report,
    // Other fields belong to pair-request.
    request: () => Promise.resolve({ url: 'https://site.test/', is_post: true, body: 'a=1' } as PairRequest),
    repairFields: () => ({ hid: 'h1', dnt: true }),
    setCookie: (name, value) => void cookies.push(`${name}=${value}`),
    hasCookie: (name) => cookies.some((each) => each.startsWith(`${name}=`)),
    context: { mpa_id: 'm1', protocol_domain: 'vitrine.test' },
    onBegin: (attempt) => {
      begun.push(attempt);
      sentBefore.push(calls.length);
    },
    onSlow: (why) => void slow.push(why),
    call: (call) => {
      calls.push(call);
      times.push(Date.now());
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof AppError ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  const run = async () => {
    let isOver = false;
    const outcome = pairing.run().finally(() => (isOver = true));
    // Not all timers: what other files of this process have left may set one after the other.
    while (!isOver) await vi.advanceTimersToNextTimerAsync();
    return outcome;
  };
  const waits = (): number[] => times.slice(1).map((at, index) => at - (times[index] ?? 0));
  return { calls, reports, cookies, slow, begun, sentBefore, store, run, waits };
}

const down = new AppError('server-call-failed', 'pair: status 503', { retryable: true });

describe('pairing', () => {
  it('accepts a response with safe_rid and cid, stores it and sets the nid cookie', async () => {
    const { calls, run, store, cookies } = setUp({ ...GOOD, s_nid: 'node-7' });
    expect(await run()).toMatchObject({ kind: 'paired', repaired: false, isLost: false, answer: GOOD });
    expect(calls).toMatchObject([{ label: 'pair', path: '/r/pair', body: { url: 'https://site.test/' } }]);
    expect(store.load()).toEqual({
      safe_rid: 'safe',
      cid: 'c1',
      tab_id: 't1',
      cluster_id: 'local',
      mpa_id: 'm1',
      protocol_domain: 'vitrine.test',
      surrogate_view_active: false,
      pending_doctype_correction: false,
    });
    expect(cookies).toEqual(['nid=node-7', 'cl=local']);
  });

  it('[S-057] retries after min(3000, 50 x 2^n) ms and logs it', async () => {
    const again: PairAnswer = { error: 'pairing_retry' };
    const { run, waits, reports, slow } = setUp(...Array.from({ length: 8 }, () => again), GOOD);
    expect(await run()).toMatchObject({ kind: 'paired' });
    expect(waits()).toEqual([50, 100, 200, 400, 800, 1600, 3000, 3000]);
    expect(pairBackoff(40)).toBe(3000);
    expect(reports.filter((name) => name === 'tc-pairing-retry')).toHaveLength(8);
    expect(slow[0]).toBe('pairing_retry');
    expect(reports).toContain('tc-pairing-slow-retry');
  });

  it('[S-056] begins the channel once the pair request, or the repair, is on its way', async () => {
    const first = setUp(down, GOOD);
    await first.run();
    const again = setUp(down, GOOD);
    again.store.save(STORED);
    await again.run();
    expect([first.sentBefore, again.sentBefore]).toEqual([[1], [1]]);
  });

  it('names its attempt in each request for one tab, and the next tab by another', async () => {
    const attempts: unknown[] = [];
    for (let tab = 0; tab < 2; tab++) {
      const { run, calls, begun } = setUp({ error: 'pairing_retry' }, down, GOOD);
      await run();
      expect(begun).toEqual([(calls[0]?.body as PairRequest).attempt]);
      attempts.push(...calls.map(({ body }) => (body as PairRequest).attempt));
    }
    expect(attempts).toHaveLength(6);
    const [first, second, third, ...next] = attempts;
    expect(first).toMatch(/^[\w-]{22}$/);
    expect([second, third]).toEqual([first, first]);
    expect(new Set(next).size).toBe(1);
    expect(next[0]).not.toBe(first);
  });

  it('[S-058] logs a depleted pool and retries', async () => {
    const { run, reports, calls } = setUp({ error: 'global_pool_depleted' }, GOOD);
    expect(await run()).toMatchObject({ kind: 'paired' });
    expect(reports).toEqual(['tc-global-pool-depleted']);
    expect(calls).toHaveLength(2);
  });

  it('[S-139] continues when the host does not respond, and notifies the person at the third retry', async () => {
    const { run, slow, waits, reports } = setUp(down, down, GOOD);
    expect(await run()).toMatchObject({ kind: 'paired' });
    expect(waits()).toEqual([50, 100]);
    expect(slow).toEqual([]);
    expect(reports).not.toContain('tc-pairing-slow-retry');
    const slowly = setUp(down, down, down, down, GOOD);
    expect(await slowly.run()).toMatchObject({ kind: 'paired' });
    expect(slowly.waits()).toEqual([50, 100, 200, 400]);
    expect(slowly.slow).toEqual([down.message, down.message]);
    expect(slowly.reports).toContain('tc-pairing-slow-retry');
  });

  it('[S-038] sends the body of a POST after a pair request, and not with a repair', async () => {
    const { calls, run } = setUp(GOOD);
    await run();
    await run();
    expect(calls.map(({ label, text }) => [label, text])).toEqual([
      ['pair', 'a=1'],
      ['repair', undefined],
    ]);
    for (const { body } of calls) expect(body).not.toHaveProperty('body');
  });

  it('[S-163] has a timeout of a call plus a launch for a pair request, of a call for a repair', async () => {
    const { run, calls, store } = setUp(down, GOOD);
    store.save(STORED);
    await run();
    expect(calls.map(({ label, timeoutMs }) => [label, timeoutMs])).toEqual([
      ['repair', 15_000],
      ['pair', 45_000],
    ]);
  });

  it('repeats the call with the node and cluster in retry_nid', async () => {
    const { run, calls, cookies } = setUp({ retry_nid: 'n2' }, { retry_nid: 'n3', cid: 'c9', cluster_id: 'eu' }, GOOD);
    expect(await run()).toMatchObject({ kind: 'paired' });
    expect(calls.map(({ path }) => path)).toEqual(['/r/pair', '/r/pair?cid=n2', '/r/pair?cid=c9&cl=eu']);
    expect(cookies.slice(0, 2)).toEqual(['nid=n2', 'nid=n3']);
  });

  const refusals: [string, PairAnswer, object][] = [
    [
      'a login page',
      { login_url: 'https://login.test/' },
      { kind: 'elsewhere', to: { kind: 'login', url: 'https://login.test/', answer: expect.anything() as unknown } },
    ],
    [
      'a posture page',
      { posture_url: 'https://posture.test/' },
      { kind: 'elsewhere', to: { kind: 'redirect', url: 'https://posture.test/' } },
    ],
    ['direct access', { direct_access: true }, { kind: 'elsewhere', to: { kind: 'direct', access: true } }],
    [
      'access denied',
      { error: 'access_denied_redirect', redirect_url: '/no' },
      { kind: 'elsewhere', to: { kind: 'redirect', url: '/no' } },
    ],
    ['a block', { block: true }, { kind: 'blocked', block: true }],
    ['too many tabs', { error: 'tab_limit' }, { kind: 'tab-limit' }],
    ['another version', { version: 'reload' }, { kind: 'reload' }],
    ['an error', { error: 'no_licence' }, { kind: 'error', code: 'no_licence' }],
    [
      'an error page',
      { error: 'show_error_page', error_page: { title: 'T', message: 'M', details: 'D' } },
      { kind: 'error', code: 'show_error_page', title: 'T', message: 'M', details: 'D' },
    ],
  ];
  it.each(refusals)('[R-058] starts no session on %s', async (_what, answer, outcome) => {
    const { run, calls, store } = setUp(answer);
    expect(await run()).toEqual(outcome);
    expect(calls).toHaveLength(1);
    expect(store.load()).toBeUndefined();
  });

  it('stores a session that comes with a posture page, for the return from it', async () => {
    const { run, store } = setUp({ ...GOOD, posture_url: 'https://posture.test/' });
    expect(await run()).toMatchObject({ kind: 'elsewhere' });
    expect(store.load()).toMatchObject({ safe_rid: 'safe', cid: 'c1' });
  });

  const nonsense: [string, PairAnswer | 'nonsense'][] = [
    ['that is no answer', 'nonsense'],
    ['without a session', { version: 'ok' }],
    ['without a cid', { safe_rid: 'safe' }],
  ];
  it.each(nonsense)('[S-062] logs a response %s and resets the tab', async (_what, answer) => {
    const { run, reports, store } = setUp(answer);
    expect(await run()).toEqual({ kind: 'error', code: 'pairing-unexpected-response' });
    expect(reports).toEqual(['tc-pairing-unexpected-response', 'tc-tab-reset: invalid pairing state']);
    expect(store.load()).toBeUndefined();
  });

  it('does not retry when the host rejects the request itself', async () => {
    const { run, calls } = setUp(new AppError('server-call-failed', 'pair: status 400'));
    expect(await run()).toMatchObject({ kind: 'error', code: 'pair-refused' });
    expect(calls).toHaveLength(1);
  });
});

describe('pairing of a reloaded tab', () => {
  it('[S-004][S-039][S-063] resumes its surrogate', async () => {
    const { run, calls, store, reports } = setUp({ ...GOOD, safe_rid: 'old-safe', cid: 'old-c' });
    store.save(STORED);
    expect(await run()).toMatchObject({ kind: 'paired', repaired: true, isLost: false });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      label: 'repair',
      path: '/r/repair?cid=old-c&cl=cl1',
      body: {
        url: 'https://site.test/',
        tab_id: 'old-t',
        safe_rid: 'old-safe',
        hid: 'h1',
        dnt: true,
        popup_initial_pair: false,
        doctype_correction: false,
      },
    });
    expect(store.load()).toMatchObject({ safe_rid: 'old-safe', cid: 'old-c' });
    expect(reports).toEqual(['tc-attempt-recookie']); // the test's browser had no cookie
  });

  it('[R-058] stops at a block, as one that is opened anew', async () => {
    const { run, calls, store, reports } = setUp({ block: { site: 'site.test', message: 'no' } }, GOOD);
    store.save(STORED);
    expect(await run()).toEqual({ kind: 'blocked', block: { site: 'site.test', message: 'no' } });
    expect([calls.map(({ label }) => label), reports]).toEqual([['repair'], []]);
  });

  it.each<[string, PairAnswer | AppError | 'nonsense']>([
    ['a failed call', new AppError('server-call-failed', 'repair: status 404')],
    ['an error', { error: 'session-not-found' }],
    ['nonsense', 'nonsense'],
  ])('[S-063] resets the tab on %s and pairs again', async (_what, answer) => {
    const { run, calls, store, reports } = setUp(answer, GOOD);
    store.save(STORED);
    expect(await run()).toMatchObject({ kind: 'paired', repaired: false, isLost: true });
    expect(calls.map(({ label }) => label)).toEqual(['repair', 'pair']);
    expect(reports).toContain('tc-tab-reset: repair XHR failed');
    expect(store.load()).toMatchObject({ safe_rid: 'safe' });
  });

  it('[S-063] forgets the surrogate that it did not get again, also where it gets no other', async () => {
    const gone = new AppError('server-call-failed', 'repair: status 404');
    const { run, store } = setUp(gone, new AppError('server-call-failed', 'pair: status 403'));
    store.save(STORED);
    expect(await run()).toMatchObject({ kind: 'error', code: 'pair-refused' });
    expect(store.load()).toBeUndefined();
  });

  it('reports when it has to set the session cookies again', async () => {
    const { run, store, reports, cookies } = setUp({ ...GOOD, s_nid: 'n1' });
    store.save(STORED);
    cookies.push('cl=local'); // the browser has stored this one
    await run();
    expect(reports).toEqual(['tc-attempt-recookie']);
    expect(cookies.slice(1)).toEqual(['nid=n1', 'cl=local']);
  });
});
