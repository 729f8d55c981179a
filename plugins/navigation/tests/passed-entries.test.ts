import { describe, expect, it } from 'vitest';
import { PassedEntries } from '../host/passed-entries.ts';
import { start } from './page-history.ts';

const entriesOf = (ids: readonly number[], transitionType = 'link') => ids.map((id) => ({ id, transitionType }));

describe('entries that back and forward pass over', () => {
  it('are those of documents in which nobody has acted before the page added the next one', () => {
    const passed = new PassedEntries();
    passed.added({ entries: entriesOf([1, 2]), from: 0, isLoaded: true, acted: true });
    passed.added({ entries: entriesOf([1, 2, 3]), from: 1, isLoaded: false, acted: false });
    passed.added({ entries: entriesOf([1, 2, 3, 4]), from: 2, isLoaded: false, acted: false });
    const ids = [1, 2, 3, 4];
    expect(passed.target(ids, 3, 2)).toBe(0);
    expect(passed.target(ids, 0, 1)).toBe(3);
    // Several steps are those that the person has chosen.
    expect(passed.target(ids, 3, 1)).toBe(1);
    passed.acted(ids, 3);
    expect([passed.target(ids, 3, 2), passed.target(ids, 0, 1)]).toEqual([2, 1]);
  });

  it('are not those that the person has left by an address', () => {
    const passed = new PassedEntries();
    passed.added({ entries: entriesOf([1, 2, 3], 'typed'), from: 1, isLoaded: true, acted: false });
    expect(passed.target([1, 2, 3], 2, 1)).toBe(1);
    // Entries of embedded frames have the name of their page's.
    passed.added({ entries: entriesOf([1, 2, 3, 4], 'typed'), from: 2, isLoaded: false, acted: false });
    expect(passed.target([1, 2, 3, 4], 3, 2)).toBe(1);
  });

  it('are as before where an entry has been replaced within its document', () => {
    const passed = new PassedEntries();
    passed.added({ entries: entriesOf([1, 2, 3]), from: 1, isLoaded: false, acted: false });
    passed.replaced(2, 5, true);
    expect(passed.target([1, 5, 3], 2, 1)).toBe(1 - 1);
    passed.replaced(5, 6, false);
    expect(passed.target([1, 6, 3], 2, 1)).toBe(1);
  });

  it('are those of a document that has added some before they are read; an act in it holds for all', () => {
    const passed = new PassedEntries();
    const ids = [1, 2, 3];
    passed.added({ entries: entriesOf(ids), from: 0, isLoaded: true, acted: true });
    expect(passed.target(ids, 2, 1)).toBe(0);
    passed.acted(ids, 2);
    expect(passed.target(ids, 2, 1)).toBe(1);
  });
});

it('goes back past an entry that a page has added by itself, and leads the client along', async () => {
  let actedAt = Infinity;
  const { navigated, ask, named, received } = await start({ actedAt: () => actedAt });
  await navigated([10], 0);
  const first = named();
  await navigated([10, 11], 1);
  actedAt = -Infinity;
  await navigated([10, 11, 12], 2, true);
  received.length = 0;
  expect(await ask({ kind: 'entry', entry: first + 1, url: 'https://site.test/11' })).toEqual([
    ['Page.navigateToHistoryEntry', { entryId: 10 }],
  ]);
  expect(await navigated([10, 11, 12], 0)).toEqual([['jump', 10, -1]]);
});

it('takes entries that are read at the end of a load for those of the document', async () => {
  let actedAt = Infinity;
  const { navigated, ask, named, cdp, flush, isNow } = await start({ actedAt: () => actedAt });
  await navigated([10], 0);
  await navigated([10, 11], 1);
  actedAt = -Infinity;
  isNow([10, 11, 12], 2);
  cdp.emit('Page.frameStoppedLoading', { frameId: 'F1' });
  await flush();
  await navigated([10, 11, 12], 2, true);
  actedAt = Infinity;
  expect(await ask({ kind: 'entry', entry: named() - 1, url: 'https://site.test/11' })).toEqual([
    ['Page.navigateToHistoryEntry', { entryId: 11 }],
  ]);
});

it('stays in an entry to which the page has gone before it adds one, as far as that is read at once', async () => {
  const { navigated } = await start({ actedAt: () => -Infinity });
  await navigated([10], 0);
  await navigated([10, 11, 12], 2);
  expect(await navigated([10, 11, 12], 0)).toEqual([['jump', 10, -2]]);
  expect(await navigated([10, 11, 13], 2)).toEqual([
    ['jump', 11, 1],
    ['add', 13, 'https://site.test/13'],
  ]);
});

it('takes an entry that a page adds as soon as the person has come back to it for one of its document', async () => {
  let actedAt = Infinity;
  const { navigated, ask, named } = await start({ actedAt: () => actedAt });
  await navigated([10], 0);
  await navigated([10, 11], 1);
  actedAt = -Infinity;
  await navigated([10, 11, 12], 2, true);
  await navigated([10, 11, 12], 0);
  await navigated([10, 11, 12, 13], 3); // it went to 12 first
  actedAt = Infinity;
  expect(await ask({ kind: 'entry', entry: named() - 1, url: 'https://site.test/12' })).toEqual([
    ['Page.navigateToHistoryEntry', { entryId: 12 }],
  ]);
});
