import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AskedShell } from '../../contracts/link.ts';
import { TabPrewarmer } from '../session/tab-prewarmer.ts';
import { ANNA, browse, pairRequest, serveSite, startWorker, TestClient } from './harness.ts';

const PAGE = 'https://site.test/page';
const TYPED = { 'sec-fetch-site': 'none' };
const KNOWN = pairRequest('https://site.test/', { referrer: '', doc_headers: TYPED });
const shell = (changes: Partial<AskedShell> = {}): AskedShell => ({
  url: PAGE,
  userAgent: KNOWN.render_params.user_agent,
  referrer: '',
  docHeaders: TYPED,
  isNew: true,
  ...changes,
});
const asked = (changes: Parameters<typeof pairRequest>[1] = {}) =>
  pairRequest(PAGE, { referrer: '', doc_headers: TYPED, ...changes });

describe('the predicted request of a client', () => {
  const starts = new TabPrewarmer<string>(() => undefined);

  it('is unknown before the first request of a client of the person', () => {
    expect(starts.foresee(shell())).toBeUndefined();
  });

  it('is the last one with another address', () => {
    starts.learn({ ...KNOWN, mpa_id: 'm1', referrer: 'https://other.test/', persistent_policy: { kept: 1 } });
    expect(starts.foresee(shell({ referrer: 'https://search.test/' }))).toEqual({
      ...KNOWN,
      url: PAGE,
      referrer: 'https://search.test/',
      is_post: false,
      persistent_policy: null,
    });
  });

  it('contains no data that was sent to a site', () => {
    starts.learn({ ...KNOWN, is_post: true, body: 'password=1', content_type: 'text/plain' });
    const { body, content_type, is_post } = starts.foresee(shell()) ?? { body: 'unknown' };
    expect([body, content_type, is_post]).toEqual([undefined, undefined, false]);
  });

  it('is unknown for another browser, and where an existing tab may be navigating', () => {
    expect(starts.foresee(shell({ userAgent: 'Another/1' }))).toBeUndefined();
    expect(starts.foresee(shell({ isNew: false }))).toBeUndefined();
  });

  it.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 5, undefined],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5, undefined],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0, PAGE],
  ])(
    'is unknown for a browser that does not report that a tab is left: %s, %i',
    (user_agent, max_touch_points, url) => {
      const { render_params } = KNOWN;
      const device_metrics = { ...render_params.device_metrics, max_touch_points };
      starts.learn({ ...KNOWN, render_params: { ...render_params, user_agent, device_metrics } });
      expect(starts.foresee(shell({ userAgent: user_agent }))?.url).toBe(url);
    },
  );
});

describe('a prewarmed tab', () => {
  let ended: string[] = [];
  let starts: TabPrewarmer<string>;
  beforeEach(() => {
    vi.useFakeTimers();
    ended = [];
    starts = new TabPrewarmer((tab) => ended.push(tab));
    starts.begin(asked(), async () => 'tab');
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is claimed once, by a matching request with any size of the view', async () => {
    const { render_params } = KNOWN;
    const small = { ...render_params, view_size: { width: 300, height: 200 } };
    const other = { pid: 'p', attempt: 'a', viewport_bounds: { x: 1 }, host: 'other.test', framing_status: 0 };
    const kept = { persistent_policy: { kept: 1 } }; // of the tab whose duplicate this is
    expect(await starts.take(asked({ render_params: small, ...other, ...kept }))).toBe('tab');
    expect(await starts.take(asked())).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).toEqual([]);
  });

  it.each([
    ['in another time zone', asked({ timezone: 'Asia/Tokyo' })],
    ['from another page', asked({ referrer: 'https://other.test/' })],
    ['in light colours', asked({ render_params: { ...KNOWN.render_params, media_features: [] } })],
    ['with a form', asked({ is_post: true, body: 'x=1' })],
    ['at a part of it', { ...asked(), url: `${PAGE}#part` }],
  ])('is ended on a request %s', async (_how, request) => {
    expect(await starts.take(request)).toBeUndefined();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['tab']);
  });

  it('stays while others are requested, and is ended after 10 s', async () => {
    expect(await starts.take(pairRequest('https://site.test/other'))).toBeUndefined();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(['tab']);
    expect(await starts.take(asked())).toBeUndefined();
  });

  it('is ended when an existing tab navigates to its page', async () => {
    starts.spare(`${PAGE}#part`);
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['tab']);
  });

  it('is evicted when room is needed, the oldest first', async () => {
    starts.begin(pairRequest('https://site.test/2'), async () => 'second');
    expect([starts.endOldest(), starts.endOldest(), starts.endOldest()]).toEqual([true, true, false]);
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['tab', 'second']);
  });

  it('is one of at most three', async () => {
    const open = vi.fn(async () => 'more');
    for (const n of [1, 2, 3, 4]) starts.begin(pairRequest(`https://site.test/${n}`), open);
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('is dropped when it could not be opened', async () => {
    starts.begin(pairRequest('https://site.test/fails'), async () => Promise.reject(new Error('no')));
    await vi.advanceTimersByTimeAsync(0);
    expect(await starts.take(pairRequest('https://site.test/fails'))).toBeUndefined();
  });
});

describe('a worker that prewarms a tab', () => {
  const visits: string[] = [];
  let site: Awaited<ReturnType<typeof serveSite>>;
  let started: Awaited<ReturnType<typeof startWorker>>;
  beforeAll(async () => {
    site = await serveSite((_host, path) => {
      if (path !== '/favicon.ico') visits.push(path);
      return `<!doctype html><title>${path}</title>hello`;
    });
  });
  afterAll(() => site.close());
  // Each test has its own: what others have prewarmed ends in its own time.
  beforeEach(async () => {
    started = await startWorker();
    const client = await browse(started.worker, site.url('one.test', '/first'), ANNA, { referrer: '' });
    await client.tellsOf('ready', ({ id }) => id === 1);
  });
  afterEach(() => started.stop());
  const tabs = (): number => started.worker.counts().tabs;

  it('requests the page once, before its client pairs, and shows it at the client’s size', async () => {
    const url = site.url('two.test', '/ahead');
    started.worker.expect(ANNA, shell({ url }));
    await expect.poll(() => visits.filter((path) => path === '/ahead')).toHaveLength(1);
    const view_size = { width: 500, height: 400 };
    const answer = await started.worker.pair(
      ANNA,
      pairRequest(url, { referrer: '', doc_headers: TYPED, render_params: { ...KNOWN.render_params, view_size } }),
    );
    await expect.poll(tabs).toBe(2);
    const client = new TestClient(started.worker, ANNA, answer);
    await client.attach();
    await client.tellsOf('ready', (frame) => frame['url'] === url);
    const size = (): Promise<string> =>
      client.ask(
        `cdp Runtime.evaluate ${JSON.stringify({ expression: '[innerWidth, innerHeight].join()', returnByValue: true })}`,
      );
    await expect.poll(size).toContain('500,400');
    expect(visits.filter((path) => path === '/ahead')).toHaveLength(1);
  });

  it('requests nothing where an existing tab may be navigating', async () => {
    const url = site.url('two.test', '/maybe');
    started.worker.expect(ANNA, shell({ url, isNew: false }));
    const next = site.url('two.test', '/certain');
    started.worker.expect(ANNA, shell({ url: next }));
    await expect.poll(() => visits).toContain('/certain');
    expect(visits).not.toContain('/maybe');
    await expect.poll(tabs).toBe(2);
  });

  it('prewarms none for the page of an abandoned tab, which may come back', async () => {
    const url = site.url('two.test', '/left');
    const client = await browse(started.worker, url, ANNA, { referrer: '', doc_headers: TYPED });
    await client.tellsOf('ready', ({ id }) => id === 1);
    await expect.poll(() => started.worker.counts().attached).toBe(2);
    client.detach();
    await expect.poll(() => started.worker.counts().attached).toBe(1); // the cell has received it
    started.worker.expect(ANNA, shell({ url }));
    const next = site.url('two.test', '/after');
    started.worker.expect(ANNA, shell({ url: next }));
    await expect.poll(() => visits).toContain('/after');
    expect(visits.filter((path) => path === '/left')).toHaveLength(1);
    await expect.poll(tabs).toBe(3);
  });

  it('respects the limit of tabs, and evicts unclaimed tabs first', async () => {
    const limited = await startWorker({ limits: { tabsPerPerson: 2 } });
    try {
      const { worker } = limited;
      await browse(worker, site.url('one.test', '/first'), ANNA, { referrer: '' });
      const pages = ['/x', '/y', '/z'].map((path) => site.url('two.test', path));
      for (const url of pages) worker.expect(ANNA, shell({ url }));
      await expect.poll(() => worker.counts().tabs).toBe(2);
      expect(visits).not.toContain('/y');
      const [, second = '', third = ''] = pages;
      await browse(worker, second, ANNA, { referrer: '' }); // its client comes: it does not make room
      await expect.poll(() => worker.counts().tabs).toBe(2);
      expect(await worker.pair(ANNA, pairRequest(third, { referrer: '' }))).toEqual({ error: 'tab_limit' });
    } finally {
      await limited.stop();
    }
  });

  it('ends it when the person opens its page in an existing tab', async () => {
    const url = site.url('two.test', '/again');
    const client = await browse(started.worker, site.url('one.test', '/second'), ANNA, { referrer: '' });
    await expect.poll(tabs).toBe(2);
    started.worker.expect(ANNA, shell({ url }));
    await expect.poll(tabs).toBe(3);
    const { cid = '', safe_rid = '', tab_id = '' } = client.answer;
    await started.worker.repair(ANNA, cid, { ...pairRequest(url, { referrer: '' }), safe_rid, tab_id });
    await expect.poll(tabs).toBe(2);
  });
});
