import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { pageHistoryToken } from '../../../host/plugin.ts';
import { entry, start } from './page-history.ts';

describe('the history of the page', () => {
  it('[M-089] is sent to the client as changes of its own', async () => {
    const { navigated } = await start();
    expect(await navigated([10], 0)).toEqual([entry('replace', 10)]);
    expect(await navigated([10, 11], 1)).toEqual([entry('add', 11)]);
    expect(await navigated([10, 11, 12], 2, true)).toEqual([entry('pushstate', 12)]);
    expect(await navigated([10, 11, 12], 2, true)).toEqual([]);
    expect(await navigated([10, 11, 15], 2, true)).toEqual([entry('replacestate', 15)]);
    expect(await navigated([10, 11, 15], 0)).toEqual([['jump', 10, -2]]);
    expect(await navigated([10, 11, 15], 1)).toEqual([['jump', 11, 1]]);
    expect(await navigated([10, 11, 13], 2)).toEqual([entry('add', 13)]);
    expect(await navigated([10, 11, 14], 2)).toEqual([entry('replace', 14)]);
  });

  it('[M-088] says that a page has been loaded again, and that the policy of an entry is another', async () => {
    const { navigated, hostHooks, host, flush, received } = await start();
    await navigated([10], 0);
    expect(await navigated([10], 0)).toEqual([entry('reload', 10)]);
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await flush();
    expect(received).toEqual([entry('stateupdate', 10)]);
  });

  it('[M-025] is sent with the policy for each entry', async () => {
    const { navigated, policies } = await start();
    await navigated([10], 0);
    await navigated([10, 11], 1);
    await navigated([10, 11], 0);
    expect(policies).toEqual(Array(3).fill(expect.objectContaining({ entry_action: 'read_write' })));
  });

  it('leads the client back to the page that has stayed', async () => {
    const { navigated, ask, named, cdp, flush, received } = await start();
    await navigated([10, 11], 0);
    await navigated([10, 11], 1);
    await ask({ kind: 'entry', entry: named() - 1, url: 'https://site.test/10' });
    cdp.emit('Page.javascriptDialogClosed', { frameId: 'F1', result: false, userInput: '' });
    await flush();
    expect(received).toEqual([['jump', 11, 1]]);
  });

  it('gets a client entry for each new one since the last read', async () => {
    const { navigated } = await start();
    await navigated([10], 0);
    expect(await navigated([10, 11, 12, 13], 3, true)).toEqual([11, 12, 13].map((id) => entry('pushstate', id)));
    expect(await navigated([10, 11, 12, 13], 1, true)).toEqual([['jump', 11, -2]]);
    expect(await navigated([10, 11, 14, 15], 2, true)).toEqual([
      entry('pushstate', 14),
      entry('pushstate', 15),
      ['jump', 14, -1],
    ]);
    expect(await navigated([10, 11, 14, 15], 3, true)).toEqual([['jump', 15, 1]]);
  });

  it('keeps its order, and continues after a failed read', async () => {
    const { cdp, hostHooks, flush, received, log, navigated } = await start();
    cdp.answer('Page.getNavigationHistory', () => Promise.reject(new Error('gone')));
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    await flush();
    expect(received).toEqual([]);
    expect(log).toEqual([expect.objectContaining({ level: 'info' })]);
    cdp.answer('Page.getNavigationHistory', () => ({
      currentIndex: 0,
      entries: [{ id: 1, url: 'https://site.test/1' }],
    }));
    expect(await navigated([1], 0)).toEqual([entry('replace', 1)]);
  });

  it('is read again while the page changes to another process', async () => {
    vi.useFakeTimers();
    try {
      const { cdp, frames, hostHooks, flush, received, log, ask, named } = await start();
      frames.load({ id: 1, url: 'https://site.test/10' });
      let asked = 0;
      const gone = (): never => {
        asked += 1;
        throw new AppError('cdp-error', 'Page.getNavigationHistory: Not attached to an active page');
      };
      cdp.answer('Page.getNavigationHistory', gone);
      hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
      await flush();
      await vi.advanceTimersByTimeAsync(200);
      expect(asked).toBeGreaterThan(2);
      expect(received).toEqual([]);
      cdp.answer('Page.getNavigationHistory', () => ({
        currentIndex: 0,
        entries: [{ id: 10, url: 'https://site.test/10' }],
      }));
      await vi.advanceTimersByTimeAsync(100);
      await flush();
      expect(received).toEqual([entry('replace', 10)]);

      cdp.answer('Page.navigateToHistoryEntry', gone);
      asked = 0;
      await ask({ kind: 'entry', entry: named() });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(asked).toBeGreaterThan(10);
      expect(vi.getTimerCount()).toBe(0);
      expect(log).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is read again while the browser does not know the document yet', async () => {
    vi.useFakeTimers();
    try {
      const { cdp, frames, hostHooks, flush, received, navigated } = await start();
      await navigated([10], 0);
      frames.load({ id: 1, url: 'https://site.test/11' });
      hostHooks.navigated.call({ frame: 1, url: 'https://site.test/11', sameDocument: false });
      await flush();
      expect(received).toEqual([]);
      cdp.answer('Page.getNavigationHistory', () => ({
        currentIndex: 1,
        entries: [10, 11].map((id) => ({ id, url: `https://site.test/${id}` })),
      }));
      await vi.advanceTimersByTimeAsync(100);
      await flush();
      expect(received).toEqual([entry('add', 11)]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('starts with the page that the person has opened', async () => {
    const { cdp, hostHooks, flush, received, frames } = await start();
    const blank = { id: 9, url: 'about:blank' };
    cdp.answer('Page.getNavigationHistory', () => ({ currentIndex: 0, entries: [blank] }));
    frames.load({ id: 1, url: 'https://site.test/11' });
    cdp.answer('Page.getNavigationHistory', () => ({
      currentIndex: 2,
      entries: [blank, ...[10, 11].map((id) => ({ id, url: `https://site.test/${id}` }))],
    }));
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(received).toEqual([entry('replace', 10), entry('add', 11)]);
  });

  it('has entries of embedded frames, too', async () => {
    const { navigated, hostHooks, flush, received, cdp } = await start();
    await navigated([10], 0);
    cdp.answer('Page.getNavigationHistory', () => ({
      currentIndex: 1,
      entries: [10, 11].map((id) => ({ id, url: 'https://site.test/10', transitionType: 'typed' })),
    }));
    hostHooks.navigated.call({ frame: 2, url: 'https://ad.test/', sameDocument: false });
    await flush();
    expect(received).toEqual([['pushstate', 11, 'https://site.test/10']]);
  });

  it('is sent again to a reloaded client', async () => {
    const { hostHooks, flush, received, navigated } = await start();
    await navigated([10, 11], 1);
    hostHooks.clientAttached.call({ fresh: false });
    await flush();
    expect(received).toEqual([]);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(received).toEqual([entry('replace', 11)]);
  });
});

describe('a navigation of the person', () => {
  it('opens an entry by its address that the page has replaced meanwhile', async () => {
    const { ask, cdp, navigated, named } = await start();
    await navigated([10, 11], 1);
    cdp.answer('Page.navigateToHistoryEntry', () => {
      throw new AppError('cdp-error', 'Page.navigateToHistoryEntry: No entry with passed id');
    });
    const sent = await ask({ kind: 'entry', entry: named(), url: 'https://site.test/11' });
    expect(sent.at(-1)).toEqual(['Page.navigate', { url: 'https://site.test/11' }]);
    expect(await navigated([10, 12], 1)).toEqual([entry('replace', 12)]);
  });

  it('is where later changes are to begin', async () => {
    const { ask, navigated, named, places } = await start();
    await navigated([10, 11], 1);
    const first = named();
    await ask({ kind: 'entry', entry: first - 1, url: 'https://site.test/10' });
    await navigated([10, 11], 0);
    await navigated([10, 12], 1);
    await navigated([10, 12, 13], 2);
    expect(places.slice(-2)).toEqual([
      [first + 1, first - 1],
      [first + 2, first + 1],
    ]);
  });

  it('controls the page', async () => {
    const { ask, cdp, navigated, named } = await start();
    await navigated([10, 11], 1);
    expect(await ask({ kind: 'address', url: 'https://other.test/x#y' })).toEqual([
      ['Page.navigate', { url: 'https://other.test/x#y' }],
    ]);
    cdp.sent.length = 0;
    expect(await ask({ kind: 'entry', entry: named() })).toEqual([['Page.navigateToHistoryEntry', { entryId: 11 }]]);
    cdp.sent.length = 0;
    expect(await ask({ kind: 'reload' })).toEqual([['Page.reload', undefined]]);
  });

  it('is left to the page that replaces one that had to be ended', async () => {
    const { ask, host, navigated, named } = await start();
    await navigated([10, 11], 1);
    const left: string[] = [];
    const release = (to: string): Promise<boolean> => {
      left.push(to);
      return Promise.resolve(false);
    };
    Object.assign(host.tab, { release });
    for (const request of [
      { kind: 'address', url: 'https://other.test/' },
      { kind: 'entry', entry: named() - 1, url: 'https://site.test/10' },
      { kind: 'reload' },
    ])
      expect(await ask(request)).toEqual([]);
    expect(left).toEqual(['https://other.test/', 'https://site.test/10', 'https://site.test/11']);
  });

  it('does not reload a page that has not loaded yet', async () => {
    const { ask, host } = await start({ url: 'about:blank' });
    Object.assign(host.tab, { url: () => 'https://site.test/' });
    expect(await ask({ kind: 'reload' })).toEqual([]);
  });

  it('[S-081] leads only to relative paths and web addresses', async () => {
    const { ask, cdp, faults } = await start({ url: 'https://site.test/folder/' });
    expect(await ask({ kind: 'address', url: '../up?a' })).toEqual([
      ['Page.navigate', { url: 'https://site.test/up?a' }],
    ]);
    cdp.sent.length = 0;
    for (const url of [
      'javascript:alert(1)',
      ' data:text/html,x',
      'blob:https://site.test/1',
      'file:///etc/passwd',
      'tel:1',
    ])
      expect(await ask({ kind: 'address', url }), url).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('[S-096] loses prefix and parameters of the service', async () => {
    const { ask } = await start();
    expect(await ask({ kind: 'address', url: '/mpa/app/https://other.test/?_sv_p_id=7&a=1' })).toEqual([
      ['Page.navigate', { url: 'https://other.test/?a=1' }],
    ]);
  });

  it('is validated', async () => {
    const { ask, faults } = await start();
    for (const wrong of [{ kind: 'entry', entry: 'x' }, { kind: 'back' }, { kind: 'address', url: 'x'.repeat(70_000) }])
      expect(await ask(wrong)).toEqual([]);
    expect(faults.map(({ code }) => code)).toEqual(['bad-message', 'bad-message', 'bad-message']);
  });
});

describe('a page that cannot be shown', () => {
  const failed = { frame: 1, url: 'https://bad.test/', errorText: 'net::ERR_TUNNEL_CONNECTION_FAILED' };

  it('is reported with the reason, and requested again by a reload', async () => {
    const { hostHooks, flush, received, ask, cdp } = await start();
    hostHooks.navigationFailed.call({ ...failed, reason: { code: 'blocked-address', message: 'private' } });
    await flush();
    const failure = ['blocked-address', failed.url, 'net::ERR_TUNNEL_CONNECTION_FAILED (blocked-address)'];
    expect(received.splice(0)).toEqual([failure]);
    expect(await ask({ kind: 'reload' })).toEqual([['Page.navigate', { url: failed.url }]]);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(received).toContainEqual(failure);

    cdp.sent.length = 0;
    received.length = 0;
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/', sameDocument: true });
    await flush();
    const over = ['hint', undefined];
    expect(received).not.toContainEqual(over);
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/', sameDocument: false });
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/', sameDocument: false });
    await flush();
    expect(received.filter((each) => (each as unknown[])[0] === 'hint')).toEqual([over]);
    expect(await ask({ kind: 'reload' })).toEqual([['Page.reload', undefined]]);
  });

  it('is reported again once a navigation has ended that led to no other page', async () => {
    const { hostHooks, flush, received, cdp } = await start();
    hostHooks.navigationFailed.call(failed);
    await flush();
    const [failure] = received.splice(0);
    const starts = { frameId: 'F1', url: 'https://site.test/file', navigationType: 'differentDocument', loaderId: '' };
    cdp.emit('Page.frameStartedNavigating', starts);
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    await flush();
    const mine = received.filter((each) => !/add|replace/.test(String((each as unknown[])[0])));
    expect(mine).toEqual([['hint', starts.url], failure]);
  });

  it('is not taken back by the document of its error', async () => {
    const { hostHooks, flush, received, cdp } = await start();
    const starts = { frameId: 'F1', url: failed.url, navigationType: 'reload', loaderId: '' };
    cdp.emit('Page.frameStartedNavigating', starts);
    hostHooks.navigated.call({ frame: 1, url: failed.url, sameDocument: false });
    hostHooks.navigationFailed.call(failed);
    await flush();
    const mine = received.filter((each) => !/add|replace/.test(String((each as unknown[])[0])));
    expect(mine).toEqual([
      ['hint', failed.url],
      [expect.any(String), failed.url, failed.errorText],
    ]);
  });

  it('is not reported when it was superseded, or is not a page', async () => {
    const { hostHooks, flush, received } = await start();
    hostHooks.navigationFailed.call({ ...failed, errorText: 'net::ERR_ABORTED' });
    hostHooks.navigationFailed.call({ ...failed, frame: 2 });
    await flush();
    expect(received).toEqual([]);
  });
});

describe('the address that is loading', () => {
  it('[M-084] is sent for the main frame and web addresses', async () => {
    const { cdp, flush, received } = await start();
    const starts = (frameId: string, url: string, navigationType: string): void =>
      cdp.emit('Page.frameStartedNavigating', { frameId, url, navigationType, loaderId: '' });
    starts('F1', 'https://next.test/', 'differentDocument');
    starts('F2', 'https://ad.test/', 'differentDocument');
    starts('F1', 'https://site.test/#x', 'sameDocument');
    starts('F1', 'data:text/html,x', 'differentDocument');
    await flush();
    expect(received).toEqual([['hint', 'https://next.test/']]);
  });

  it('[M-084] is withdrawn once the page is there, or has not come', async () => {
    const { cdp, flush, received, navigated } = await start();
    const hints = (): unknown[] => received.splice(0).filter((each) => (each as unknown[])[0] === 'hint');
    const starts = (): void =>
      cdp.emit('Page.frameStartedNavigating', {
        frameId: 'F1',
        url: 'https://next.test/',
        navigationType: 'differentDocument',
        loaderId: '',
      });
    starts();
    expect(await navigated([10], 0)).toContainEqual(['hint', undefined]);
    starts();
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    await flush();
    expect(hints()).toEqual([
      ['hint', 'https://next.test/'],
      ['hint', undefined],
    ]);
  });
});

describe('a page that navigates its frames without end', () => {
  /** Reads that follow each other at once; one of them is given back after the pause, in ms. */
  const [READS, PAUSE_MS] = [20, 100];
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => vi.useRealTimers());

  it('has its history read at once, and then at a bounded rate', async () => {
    const { cdp, hostHooks, flush, hostServices, isNow } = await start();
    isNow([10], 0);
    const reads = (): number => cdp.sent.filter(({ method }) => method === 'Page.getNavigationHistory').length;
    const navigate = async (): Promise<void> => {
      hostHooks.navigated.call({ frame: 2, url: 'https://site.test/frame', sameDocument: false });
      await flush();
    };
    for (let times = 0; times < 3 * READS; times += 1) await navigate();
    expect(reads()).toBe(READS); // no time has passed
    await hostServices.get(pageHistoryToken).followed(); // all that has come meanwhile is one read
    expect(reads()).toBe(READS + 1);
    vi.advanceTimersByTime(READS * PAUSE_MS);
    await navigate();
    await navigate();
    expect(reads()).toBe(READS + 3);
  });
});
