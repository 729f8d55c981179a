import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import {
  pageAsked,
  pageBring,
  pageChanged,
  pageEnd,
  pageSearch,
  pageShow,
  pageShown,
  searchCleared,
  searchEnd,
  searchMatches,
  searchQuery,
  searchReply,
  searchStart,
} from '../protocol.ts';
import type { EndReason } from '../protocol.ts';

/** Time between two reports to the client, in ms. */
const REPORT_MS = 40;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const QUERY = {
  text: 'word',
  matchCase: false,
  wholeWords: false,
  matchDiacritics: false,
  forward: true,
  continue: false,
};
const NEXT = { ...QUERY, continue: true };
const BACK = { ...NEXT, forward: false };

/** A tab with a main frame, two frames in it (2 and 3) and one in the first of these (4); how many matches each has. */
async function start(
  matches: Record<number, number>,
  { hasGesture = () => true, isPressable = true }: { hasGesture?: () => boolean; isPressable?: boolean } = {},
) {
  const harness = pluginHarness(manifest, { hasGesture });
  const { client, host, page, frames, flush } = harness;
  for (const [id, parent] of [
    [2, 1],
    [3, 1],
    [4, 2],
  ] as const)
    frames.load({ id, parent, url: `https://frame-${id}.test/` });
  const said: unknown[] = [];
  const asked: unknown[] = [];
  for (const id of [1, 2, 3, 4]) {
    const end = page.in(id);
    end.handle(pageSearch, ({ search, text }) => {
      asked.push(['search', id, text]);
      return { count: search === 0 ? 0 : (matches[id] ?? 0), isCut: id === 3, first: id === 1 ? 1 : 0 };
    });
    end.handle(pageShow, ({ index }) => {
      asked.push(['show', id, index]);
      return { rect: index < 0 ? null : { x: 1, y: 2, width: 3, height: 4 } };
    });
    end.handle(pageBring, ({ node, rect }) => {
      asked.push(['bring', id, node, rect.x]);
      return { rect: { ...rect, x: rect.x + 10 } };
    });
    end.handle(pageEnd, ({ reason }) => {
      asked.push(['end', id, reason]);
      return { isPressable: isPressable && reason === 'activate' };
    });
  }
  client.commands.handle(searchStart, (params) => void said.push(['start', params.kind, params.text]));
  client.commands.handle(searchReply, ({ count, total, isCut }) => void said.push([count, total, isCut]));
  client.commands.handle(searchMatches, (params) => void said.push(['matches', params]));
  client.commands.handle(searchCleared, () => void said.push('cleared'));
  await activate(host);
  /** Lets all that is on its way come, and all reports that are due then. */
  const settle = async (): Promise<void> => {
    for (let before = -1; before !== said.length + asked.length;) {
      before = said.length + asked.length;
      await flush();
      await vi.advanceTimersByTimeAsync(REPORT_MS);
      await flush();
    }
  };
  const search = async (query = QUERY): Promise<void> => {
    client.commands.send(searchQuery, query);
    await settle();
  };
  const end = async (reason: EndReason): Promise<void> => {
    client.commands.send(searchEnd, { reason });
    await settle();
  };
  return {
    ...harness,
    said,
    asked,
    settle,
    search,
    end,
    shows: () => asked.filter((each) => (each as string[])[0] === 'show'),
  };
}

describe('a search', () => {
  it('[R-012] [R-100] goes through all frames in order, wraps at both ends, and counts', async () => {
    const { search, said, shows, asked } = await start({ 1: 3, 4: 2, 3: 1 });
    await search();
    expect(said.at(-1)).toEqual([2, 6, true]);
    for (const query of [NEXT, NEXT, NEXT, NEXT, NEXT, BACK]) await search(query);
    expect(shows().filter((each) => (each as number[])[2] !== -1)).toEqual([
      ['show', 1, 1],
      ['show', 1, 2],
      ['show', 4, 0],
      ['show', 4, 1],
      ['show', 3, 0],
      ['show', 1, 0],
      ['show', 3, 0],
    ]);
    expect(said.at(-1)).toEqual([6, 6, true]);
    expect(asked.filter((each) => (each as string[])[0] === 'search')).toHaveLength(4);
  });

  it('[R-100] that goes on with another option, or another text, searches anew', async () => {
    const { search, asked } = await start({ 1: 3 });
    await search();
    const isNew = async (query: typeof QUERY): Promise<boolean> => {
      asked.length = 0;
      await search(query);
      return asked.some((each) => (each as string[])[0] === 'search');
    };
    expect(await isNew(NEXT)).toBe(false);
    for (const change of [{ matchCase: true }, { wholeWords: true }, { matchDiacritics: true }, { text: 'other' }]) {
      expect(await isNew({ ...NEXT, ...change }), JSON.stringify(change)).toBe(true);
      await search();
    }
  });

  it('brings matches of nested frames into view, frame by frame', async () => {
    const { search, asked, frames } = await start({ 4: 1 });
    frames.own(4, { epoch: 1, node: 44 });
    frames.own(2, { epoch: 1, node: 22 });
    await search();
    expect(asked.slice(-2)).toEqual([
      ['bring', 2, 44, 1],
      ['bring', 1, 22, 11],
    ]);
  });

  it('finds nothing, and goes nowhere', async () => {
    const { search, said, shows } = await start({});
    await search();
    await search(NEXT);
    expect(said.at(-1)).toEqual([0, 0, true]);
    expect(shows()).toEqual([]);
  });

  it('follows frames that change, come and go', async () => {
    const { search, said, page, frames, settle } = await start({ 1: 3, 2: 2 });
    await search();
    const change = async (frame: number, of: number, count: number, active: number): Promise<void> => {
      page.in(frame).send(pageChanged, { search: of, count, isCut: false, active });
      await settle();
    };
    await change(1, 1, 5, 4);
    expect(said.at(-1)).toEqual([5, 7, true]);
    await change(2, 9, 100, 0); // of another search
    expect(said.at(-1)).toEqual([5, 7, true]);
    frames.remove(2);
    await settle();
    expect(said.at(-1)).toEqual([5, 5, true]);
    frames.load({ id: 5, url: 'https://late.test/' });
    page.in(5).handle(pageSearch, () => ({ count: 4, isCut: false, first: 0 }));
    frames.load({ id: 5, url: 'https://late.test/again' });
    await settle();
    expect(said.at(-1)).toEqual([5, 9, true]);
  });

  it('[R-106] is at no match any more where the frame that had it shows another document', async () => {
    const { search, said, settle, hostHooks } = await start({ 2: 2, 3: 1 });
    await search();
    expect(said.at(-1)).toEqual([1, 3, true]);
    hostHooks.navigated.call({ frame: 2, url: 'https://frame-2.test/next', sameDocument: false });
    await settle();
    expect(said.at(-1)).toEqual([0, 1, true]);
  });

  it('[R-106] goes on in the page of the browser that takes the place of one that has crashed', async () => {
    const { search, said, settle, hostHooks, frames } = await start({ 1: 2, 2: 2 });
    await search();
    hostHooks.replaced.call({ reason: 'crashed' });
    await settle();
    expect(said.at(-1)).toEqual([0, 0, false]);
    expect(said).not.toContain('cleared');
    frames.load({ id: 2, parent: 1, url: 'https://frame-2.test/' });
    await settle();
    expect(said.at(-1)).toEqual([0, 2, false]);
  });

  it('passes on the matches of the frame that are shown, with the active one where it is', async () => {
    const { search, said, page, client, settle } = await start({ 1: 3, 2: 2 });
    await search();
    for (const frame of [1, 2]) client.reached(frame, 7, 0);
    const shown = { search: 1, epoch: 7, seq: 0, ends: [5, 0, 5, 4], active: [6, 1, 6, 5] };
    page.in(1).send(pageShown, shown);
    page.in(2).send(pageShown, shown);
    page.in(2).send(pageShown, { ...shown, search: 5 });
    await settle();
    expect(said.filter((each) => (each as string[])[0] === 'matches')).toEqual([
      ['matches', { frame: 1, epoch: 7, ends: [5, 0, 5, 4], active: [6, 1, 6, 5] }],
      ['matches', { frame: 2, epoch: 7, ends: [5, 0, 5, 4], active: [] }],
    ]);
  });
});

describe('the end of a search', () => {
  it.each([
    ['clear', 'clear', 0],
    ['keep', 'keep', 0],
    ['activate', 'activate', 2],
  ] as const)(
    '[R-013] [R-100] [R-106] by %s is told to the frame of the active match, and Enter pressed: %j, %i',
    async (reason, told, keys) => {
      const { search, end, asked, said, cdp } = await start({ 2: 1, 3: 1 });
      await search();
      asked.length = 0;
      await end(reason);
      expect(asked).toEqual(
        expect.arrayContaining([
          ['end', 2, told],
          ['end', 3, 'clear'],
          ['end', 1, 'clear'],
        ]),
      );
      expect(said.at(-1)).toBe('cleared');
      expect(cdp.sent.filter(({ method }) => method === 'Input.dispatchKeyEvent')).toHaveLength(keys);
    },
  );
});

it('[R-106] a match that ends by activate is not pressed where it is part of nothing that can be', async () => {
  const { search, end, asked, cdp } = await start({ 2: 1 }, { isPressable: false });
  await search();
  await end('activate');
  expect(asked).toContainEqual(['end', 2, 'activate']);
  expect(cdp.sent.filter(({ method }) => method === 'Input.dispatchKeyEvent')).toEqual([]);
});

it('[R-106] the search of a client that is reloaded is cleared, that of one that comes back goes on', async () => {
  const { search, settle, said, hostHooks } = await start({ 1: 2 });
  await search();
  hostHooks.clientAttached.call({ fresh: false });
  await settle();
  expect(said).not.toContain('cleared');
  hostHooks.clientAttached.call({ fresh: true });
  await settle();
  expect(said.at(-1)).toBe('cleared');
});

describe('the shortcut', () => {
  it('opens the bar, and has the text read before the person types', async () => {
    const { page, said, asked, settle } = await start({ 1: 3 });
    page.in(3).send(pageAsked, { kind: 'new', text: 'chosen' });
    page.in(1).send(pageAsked, { kind: 'prev', text: '' });
    await settle();
    expect(said).toEqual([
      ['start', 'new', 'chosen'],
      ['start', 'prev', ''],
    ]);
    expect(asked).toEqual([['search', 3, '']]);
  });

  it('[R-106] gives up what was read where the bar is closed before anything is searched for', async () => {
    const { page, asked, end, search, settle } = await start({ 1: 3 });
    for (const frame of [3, 1]) page.in(frame).send(pageAsked, { kind: 'new', text: '' });
    await settle();
    asked.length = 0;
    await end('keep');
    expect(asked).toEqual([
      ['end', 3, 'clear'],
      ['end', 1, 'clear'],
    ]);
    page.in(3).send(pageAsked, { kind: 'new', text: '' });
    await search();
    asked.length = 0;
    await end('keep');
    expect(asked.filter((each) => (each as unknown[])[1] === 3)).toEqual([['end', 3, 'clear']]);
  });

  it('is not heard where nobody has pressed a key', async () => {
    const { page, said, settle } = await start({ 1: 3 }, { hasGesture: () => false });
    page.in(1).send(pageAsked, { kind: 'new', text: '' });
    await settle();
    expect(said).toEqual([]);
  });
});
