import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { AppError } from '../../../host/plugin.ts';
import type { SurrogateDownload } from '../../../host/plugin.ts';
import { againOf } from '../host/again.ts';
import { askAgain } from '../host/ask-again.ts';
import { manifest } from '../manifest.ts';
import { CANCEL } from '../protocol.ts';
import { list, person, played, TAB, tabOf } from './played-list.ts';

beforeEach(() => {
  person.isActing = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

const PLACE = {
  tab: 'T',
  frame: 1,
  from: 'https://site.test:8443',
  address: 'https://site.test/a',
  name: 'a.txt',
};

/** A list with a download that was cut. */
async function cut(options: Parameters<typeof list>[0] = {}, more: Partial<SurrogateDownload> = {}) {
  const made = list(options);
  const { download, complete } = played(more);
  const taken = made.list.take(download);
  complete('', 'canceled');
  await taken;
  return made;
}
const namesOf = (heard: readonly (readonly unknown[])[]): unknown[] =>
  heard.map(([tab, what]) => `${String(tab)} ${String(what)}`);

it('one that was cut is begun again at its first address, and the next one of that takes its place', async () => {
  const { list: downloads, heard } = await cut({ first: 'https://site.test/first' });
  expect(heard.at(-1)?.slice(0, 4)).toEqual(['T', 'cancelled', 1, CANCEL.interrupted]);
  downloads.again('O', 1); // it is another tab's
  expect(heard.at(-1)?.[1]).toBe('cancelled');
  downloads.again('T', 1);
  expect(heard.at(-1)).toEqual(['T', 'again', { ...PLACE, address: 'https://site.test/first' }]);
  const { download, complete } = played({ url: 'https://site.test/b' });
  const taken = downloads.take(download);
  complete('whole');
  await taken;
  expect(heard.find(([, what, , replaces]) => what === 'requested' && replaces === 1)).toMatchObject([
    'T',
    'requested',
    { id: 2 },
    1,
  ]);
  downloads.restore('T');
  expect(heard.at(-1)).toMatchObject(['T', 'restored', { id: 2 }]);
  expect(namesOf(heard.slice(-2))).toEqual(['T updated', 'T restored']); // the first one is listed no more
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard.at(-1)?.[1]).toBe('restored'); // and nothing is said of it
});

it('where nothing comes, or the page cannot ask, the person may try again', async () => {
  const slow = await cut();
  slow.list.again('T', 1);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(namesOf(slow.heard.slice(-1))).toEqual(['T again']);
  await vi.advanceTimersByTimeAsync(1);
  expect(slow.heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.interrupted, undefined]);

  const gone = await cut({ canAsk: false });
  gone.list.again('T', 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone.heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.interrupted, undefined]);
});

it('one that is begun again once more waits from then on', async () => {
  const { list: downloads, heard } = await cut();
  downloads.again('T', 1);
  await vi.advanceTimersByTimeAsync(10_000);
  downloads.cancel('T', 1);
  downloads.again('T', 1);
  await vi.advanceTimersByTimeAsync(29_999);
  const { download, complete } = played();
  const taken = downloads.take(download);
  complete('whole');
  await taken;
  expect(heard.filter(([, what]) => what === 'requested').at(-1)).toMatchObject(['T', 'requested', { id: 2 }, 1]);
});

it('one that the person cancels before it has come is canceled when it comes, and another one is not', async () => {
  const { list: downloads, heard } = await cut();
  downloads.again('T', 1);
  downloads.cancel('T', 1);
  const other = played({ url: 'https://site.test/other' });
  void downloads.take(other.download);
  await expect.poll(() => heard.at(-1)).toEqual(['T', 'updated', 2, 'started', { received: 0 }]);
  const { download, complete, calls } = played();
  const taken = downloads.take(download);
  await expect.poll(() => heard.at(-1)).toEqual(['T', 'cancelled', 3, CANCEL.user, undefined]);
  complete('', 'canceled');
  await taken;
  expect(calls).toContain('cancel');
  expect(other.calls).toEqual([]);
});

it('once the time is over, the next one of its address is another one, canceled or not', async () => {
  for (const isCanceled of [false, true]) {
    const { list: downloads, heard } = await cut();
    downloads.again('T', 1);
    downloads.again('T', 1); // it is under way
    if (isCanceled) downloads.cancel('T', 1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(heard.filter(([, what]) => what === 'again')).toHaveLength(1);
    person.isActing = false;
    const { download, complete } = played();
    const taken = downloads.take(download);
    complete('whole');
    await taken;
    expect(heard.find(([, what, record]) => what === 'requested' && (record as { id: number }).id === 2)).toHaveLength(
      3,
    );
    expect(heard.at(-1)?.slice(0, 3)).toEqual(['T', 'updated', 2]);
  }
});

it('the next one counts as asked for, although the person has acted in no page', async () => {
  const { list: downloads, heard } = await cut();
  person.isActing = false;
  downloads.again('T', 1);
  void downloads.take(played().download);
  await expect
    .poll(() => heard.find(([, what, , replaces]) => what === 'requested' && replaces === 1)?.[2])
    .toMatchObject({
      asked: true,
    });
});

it('one that runs, or is of no address of the web, or for which a form was posted, is not begun again', async () => {
  const running = list();
  void running.list.take(played().download);
  await expect.poll(() => running.heard.length).toBe(2);
  running.list.again('T', 1);
  const posted = await cut({}, { posted: 1 });
  const blob = await cut({ first: 'blob:https://site.test/1' }, { url: 'blob:https://site.test/1' });
  for (const { list: downloads, heard } of [posted, blob]) {
    expect(heard[0]).toMatchObject(['T', 'requested', { again: false }]);
    downloads.again('T', 1);
  }
  for (const { heard } of [running, posted, blob]) expect(namesOf(heard)).not.toContain('T again');
});

it('the address is the first one that was asked for by GET after a form; the place that of the page that has opened a window for it', () => {
  const way = { redirects: ['https://a.test/form', 'https://b.test/'], url: 'https://c.test/file' };
  const of = (more: Partial<SurrogateDownload>) =>
    againOf(played({ ...way, ...more }).download, TAB)('https://first.test/');
  expect(of({ posted: 0 })?.address).toBe('https://first.test/');
  expect(of({ posted: 1 })?.address).toBe('https://b.test/');
  expect(of({ posted: 2 })?.address).toBe('https://c.test/file');
  expect(of({ posted: 3 })).toBeUndefined();
  expect(of({ posted: 0, frame: 2 })).toMatchObject({ tab: 'T', frame: 2, from: 'https://inner.test' });
  expect(of({ posted: 0, frame: 2, opener: tabOf('P') })).toMatchObject({ tab: 'P', frame: 1 });
});

it('a frame asks by a link with a gesture; where its document has gone the page does, without a referrer', async () => {
  const { host, frames, cdp } = pluginHarness(manifest);
  frames.load({ id: 1, url: 'https://site.test:8443/other' });
  frames.load({ id: 2, url: 'https://inner.test/form' });
  cdp.answer('Page.createIsolatedWorld', () => ({ executionContextId: 1 }));
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'undefined' } }));
  await askAgain(host, PLACE);
  await askAgain(host, { ...PLACE, frame: 2, from: 'https://gone.test' });
  const asked = cdp.sent.flatMap(({ method, params, ...to }) =>
    method === 'Runtime.evaluate' ? [{ ...to, params }] : [],
  );
  const link = '"href":"https://site.test/a","download":"a.txt","rel":';
  expect(asked).toMatchObject([
    { frame: 1, params: { userGesture: true, expression: expect.stringContaining(`${link}""`) as string } },
    { frame: 1, params: { userGesture: true, expression: expect.stringContaining(`${link}"noreferrer"`) as string } },
  ]);
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'object' }, exceptionDetails: { text: 'Uncaught' } }));
  await expect(askAgain(host, PLACE)).rejects.toMatchObject({ code: 'not-begun' });
  cdp.answer('Runtime.evaluate', () => Promise.reject(new AppError('frame-gone', 'gone')));
  await expect(askAgain(host, PLACE)).rejects.toMatchObject({ code: 'frame-gone' });
});

it('where pages open no windows, an address of another site is not asked for, which would take the place of the page', async () => {
  const { host, frames, cdp } = pluginHarness(manifest);
  frames.load({ id: 1, url: 'https://site.test/other' });
  cdp.answer('Page.createIsolatedWorld', () => ({ executionContextId: 1 }));
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'undefined' } }));
  const policy = host.tab.policy();
  const closed = { ...policy, persistent_policy: { ...policy.persistent_policy, new_tabs: false } };
  const scope = { ...host, tab: { ...host.tab, policy: () => closed } };
  await askAgain(scope, { ...PLACE, from: 'https://site.test' });
  const asked = cdp.sent.filter(({ method }) => method === 'Runtime.evaluate').length;
  expect(asked).toBe(1);
  await expect(askAgain(scope, { ...PLACE, address: 'https://other.test/a' })).rejects.toMatchObject({
    code: 'no-window',
  });
});

it('the address is one of the web of less than 4,096 units, and the place has an origin that no other document has', () => {
  const of = (more: Partial<SurrogateDownload>, first?: string) => againOf(played(more).download, TAB)(first);
  const long = 'http://site.test/'.padEnd(4095, 'a');
  expect(of({}, long)?.address).toBe(long);
  expect(of({}, `${long}a`)).toBeUndefined();
  expect(of({ url: 'data:,a' })).toBeUndefined();
  expect(of({ redirects: ['https://one.test/'], url: 'https://two.test/' })?.address).toBe('https://one.test/');
  const from = (frame: number | undefined) => of({ frame })?.from;
  expect([undefined, 1, 2, 3, 9].map(from)).toEqual([
    'https://site.test:8443',
    'https://site.test:8443',
    'https://inner.test',
    '',
    'https://site.test:8443',
  ]);
  expect(of({ frame: undefined })?.frame).toBe(1);
});

/** A page of site.test with a frame of inner.test; returns what is evaluated where. */
function evaluating() {
  const harness = pluginHarness(manifest);
  const { frames, cdp } = harness;
  frames.load({ id: 1, url: 'https://site.test/page' });
  frames.load({ id: 2, url: 'https://inner.test/form' });
  const worlds: unknown[] = [];
  cdp.answer('Page.createIsolatedWorld', (params) => {
    worlds.push(params);
    return { executionContextId: 4 };
  });
  cdp.answer('Runtime.evaluate', () => ({ result: { type: 'undefined' } }));
  const asked = () => cdp.sent.flatMap(({ method, ...sent }) => (method === 'Runtime.evaluate' ? [sent] : []));
  return { ...harness, worlds, asked };
}

it('a link to another site opens a window, and one to the same site none, in a world of its own', async () => {
  const { host, worlds, asked } = evaluating();
  const inner = { tab: 'T', frame: 2, from: 'https://inner.test', name: 'a.txt' };
  await askAgain(host, { ...inner, address: 'https://inner.test/a' });
  await askAgain(host, { ...inner, address: 'https://site.test/a' });
  await askAgain(host, { ...inner, from: 'https://gone.test', address: 'https://site.test/a' });
  await askAgain(host, { ...inner, from: '', address: 'https://inner.test/a' });
  const link = (address: string, rest: string): unknown =>
    expect.stringContaining(`{"href":"${address}","download":"a.txt",${rest}}`);
  expect(asked()).toMatchObject([
    { frame: 2, params: { contextId: 4, userGesture: true, expression: link('https://inner.test/a', '"rel":""') } },
    { frame: 2, params: { userGesture: true, expression: link('https://site.test/a', '"rel":"","target":"_blank"') } },
    { frame: 1, params: { userGesture: false, expression: link('https://site.test/a', '"rel":"noreferrer"') } },
    {
      frame: 1,
      params: { userGesture: true, expression: link('https://inner.test/a', '"rel":"noreferrer","target":"_blank"') },
    },
  ]);
  expect(worlds[0]).toEqual({ frameId: 'F2', worldName: 'vitrine-download' });
});

it('a page that takes no input now is not asked, and may be asked later; the press is one where the document is there', async () => {
  const { host, asked } = evaluating();
  const presses: unknown[] = [];
  const enqueue = (_ask: unknown, options: unknown): Promise<boolean> => {
    presses.push(options);
    return Promise.resolve(false);
  };
  const scope = { ...host, input: { ...host.input, enqueue } };
  const place = { ...PLACE, from: 'https://site.test' };
  for (const from of ['https://site.test', 'https://gone.test'])
    await expect(askAgain(scope, { ...place, from })).rejects.toMatchObject({ code: 'page-busy', retryable: true });
  expect([presses, asked()]).toEqual([[{ isPress: true }, { isPress: false }], []]);
});
