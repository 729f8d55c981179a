import { describe, expect, it } from 'vitest';
import { entry, start } from './page-history.ts';

/** The page is in the second of its entries, and the person has moved the client to the first; the page cannot be left yet. */
async function startMoved() {
  const started = await start();
  const { navigated, named, ask, host } = started;
  await navigated([10], 0);
  const first = named();
  await navigated([10, 11], 1);
  const left = Promise.withResolvers<boolean>();
  Object.assign(host.tab, { release: () => left.promise });
  await ask({ kind: 'entry', entry: first, url: 'https://site.test/10' });
  return { ...started, first, leave: () => left.resolve(true) };
}

describe('a client that the person has moved before the page follows', () => {
  it('keeps its entry while the page changes the one that it is about to leave', async () => {
    const { navigated, hostHooks, host, flush, received, cdp, leave } = await startMoved();
    expect(await navigated([10, 12], 1, true)).toEqual([]);
    hostHooks.navigated.call({ frame: 2, url: 'https://ad.test/', sameDocument: false });
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await flush();
    expect(received).toEqual([]);
    leave();
    await flush();
    expect(cdp.sent.at(-1)).toMatchObject({ method: 'Page.navigateToHistoryEntry', params: { entryId: 10 } });
    expect(await navigated([10, 12], 0)).toEqual([['jump', 10, 0]]);
  });

  it('keeps its entry while the page that it is about to leave is loaded again', async () => {
    const { navigated, leave, flush } = await startMoved();
    expect(await navigated([10, 11], 1)).toEqual([]);
    leave();
    await flush();
    expect(await navigated([10, 11], 0)).toEqual([['jump', 10, 0]]);
  });

  it('is led back to where the page adds an entry', async () => {
    const { navigated, leave } = await startMoved();
    expect(await navigated([10, 11, 12], 2, true)).toEqual([['jump', 11, 1], entry('pushstate', 12)]);
    leave();
    expect(await navigated([10, 11, 12], 0)).toEqual([['jump', 10, -2]]);
  });

  it('is led back where the page goes elsewhere instead', async () => {
    const { navigated, leave, flush } = await startMoved();
    leave();
    await flush();
    expect(await navigated([10, 13], 1)).toEqual([['jump', 11, 1], entry('replace', 13)]);
  });
});

describe('a client that has come, and that the person has moved before it was sent the history', () => {
  /** The page is in the first of its entries. Its history is being read for the new client, which the person has moved to the second. */
  async function startReading() {
    const started = await start();
    const { navigated, named, hostHooks, cdp, flush, ask, host, isNow, received } = started;
    await navigated([10], 0);
    await navigated([10, 11], 1);
    const second = named();
    await navigated([10, 11], 0);
    const read = Promise.withResolvers<object>();
    const readNow = { currentIndex: 0, entries: [10, 11].map((id) => ({ id, url: `https://site.test/${id}` })) };
    cdp.answer('Page.getNavigationHistory', () => read.promise);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    const left = Promise.withResolvers<boolean>();
    Object.assign(host.tab, { release: () => left.promise });
    await ask({ kind: 'entry', entry: second, url: 'https://site.test/11' });
    read.resolve(readNow);
    await flush();
    expect(received).toEqual([]);
    const arrives = (index: number): void => {
      isNow([10, 11], index);
      cdp.answer('Page.getNavigationHistory', () => ({ ...readNow, currentIndex: index }));
      hostHooks.navigated.call({ frame: 1, url: `https://site.test/${10 + index}`, sameDocument: false });
    };
    return { ...started, arrives, leave: () => left.resolve(true) };
  }

  it('keeps its entry until the page is there', async () => {
    const { arrives, flush, received, leave } = await startReading();
    arrives(0); // it had been loaded again for the new client
    await flush();
    expect(received).toEqual([]);
    leave();
    await flush();
    arrives(1);
    await flush();
    expect(received).toEqual([entry('replace', 11)]);
  });

  it('is led back where the page stays', async () => {
    const { cdp, flush, received, leave } = await startReading();
    leave();
    await flush();
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' }); // it was a download
    await flush();
    expect(received).toEqual([['jump', 10, -1]]);
  });
});

describe('a client that has come for another address', () => {
  it('gets no entry of the page that is still there, such as one that Chromium loads again after an error', async () => {
    const { navigated, host, hostHooks, cdp, flush, received } = await start();
    await navigated([10], 0);
    let destination: string | undefined = 'https://site.test/11';
    Object.assign(host.tab, { destination: () => destination });
    hostHooks.clientAttached.call({ fresh: true });
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    await flush();
    expect(received).toEqual([]);
    destination = undefined;
    expect(await navigated([10, 11], 1)).toEqual([entry('replace', 11)]);
  });

  it('gets its entry where the page’s history was being read for the client before', async () => {
    const { navigated, hostHooks, cdp, flush, received } = await start();
    await navigated([10], 0);
    const read = Promise.withResolvers<object>();
    let reads = 0;
    const entries = [{ id: 10, url: 'https://site.test/10', transitionType: 'link' }];
    cdp.answer('Page.getNavigationHistory', () => (++reads === 1 ? read.promise : { currentIndex: 0, entries }));
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    await flush();
    expect([reads, received]).toEqual([1, []]);
    hostHooks.clientAttached.call({ fresh: true });
    read.resolve({ currentIndex: 0, entries });
    await flush();
    expect(received).toEqual([entry('replace', 10)]);
  });

  it('gets that of the page that has stayed', async () => {
    const { navigated, host, hostHooks, cdp, flush, received } = await start();
    await navigated([10], 0);
    let destination: string | undefined = 'https://site.test/file';
    Object.assign(host.tab, { destination: () => destination });
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    destination = undefined; // it was a download
    cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    await flush();
    expect(received.filter((each) => Array.isArray(each) && each[0] !== 'hint')).toEqual([entry('replace', 10)]);
  });

  it.each([
    ['of a page that the person has not wanted to leave', 'https://site.test/11', true],
    ['of one that is loaded again', 'https://site.test/10', false],
  ])('gets that %s', async (_name, destination, isAsked) => {
    const { navigated, host, hostHooks, cdp, flush, received } = await start();
    await navigated([10], 0);
    Object.assign(host.tab, { destination: () => destination, url: () => 'https://site.test/10' });
    hostHooks.clientAttached.call({ fresh: true });
    if (isAsked) cdp.emit('Page.javascriptDialogClosed', { frameId: 'F1', result: false, userInput: '' });
    else cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
    await flush();
    expect(received).toEqual([entry(isAsked ? 'replacestate' : 'replace', 10)]);
  });

  it('[M-088] gets that of a page that the person has not wanted to leave, whatever is read with it', async () => {
    const { navigated, host, hostHooks, cdp, flush, received } = await start();
    await navigated([10], 0);
    Object.assign(host.tab, { destination: () => 'https://site.test/11', url: () => 'https://site.test/10' });
    hostHooks.clientAttached.call({ fresh: true });
    const stayed = { frameId: 'F1', result: false, userInput: '' };
    const embedded = { frame: 2, url: 'https://site.test/in', sameDocument: true };
    hostHooks.navigated.call(embedded);
    cdp.emit('Page.javascriptDialogClosed', stayed);
    hostHooks.navigated.call(embedded);
    await flush();
    expect(received).toEqual([entry('replacestate', 10)]);
  });
});
