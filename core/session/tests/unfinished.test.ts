import { expect, it } from 'vitest';
import { unfinishedWork } from '../shell/unfinished.ts';

/** A window whose session storage is an object with its items, as those of browsers are. */
function played(): { readonly window: Window; readonly stored: Record<string, string> } {
  const stored: Record<string, string> = {};
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => void (stored[key] = value),
    removeItem: (key: string) => void Reflect.deleteProperty(stored, key),
  };
  const sessionStorage = new Proxy(stored, { get: (_, key) => Reflect.get(methods, key) });
  return { window: { sessionStorage } as unknown as Window, stored }; // all that is used of it
}

const read = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

it('finds what was unfinished in a session that is over, once', () => {
  const { window, stored } = played();
  const first = unfinishedWork(window, 'x', { cid: 'one', tab: 'A', read });
  expect(first.lost).toEqual([]);
  first.keep(['a', 'b']);
  first.keep(['b']);
  // The host has it still.
  expect(unfinishedWork(window, 'x', { cid: 'one', tab: 'A', read })).toMatchObject({ lost: [], left: ['b'] });
  // A window that the page has opened, whose storage is a copy.
  expect(unfinishedWork(window, 'x', { cid: 'one', tab: 'B', read })).toMatchObject({ lost: [], left: [] });
  expect(unfinishedWork(window, 'other', { cid: 'two', tab: 'A', read }).lost).toEqual([]);
  const second = unfinishedWork(window, 'x', { cid: 'two', tab: 'A', read });
  expect([second.lost, second.left]).toEqual([['b'], []]);
  second.keep(['c']);
  expect(Object.keys(stored)).toEqual(['vitrine-unfinished-x']);
  second.keep([]);
  expect(stored).toEqual({});
});

it('takes what is stored for what it is, and does without a storage', () => {
  const { window, stored } = played();
  for (const odd of [
    '',
    'null',
    '7',
    '{"cid":1,"items":["a"]}',
    '{"cid":"one","items":{"length":3}}',
    '{"cid":"one","items":[7]}',
    '{"cid":"one"}',
  ]) {
    stored['vitrine-unfinished-x'] = odd;
    for (const cid of ['one', 'two'])
      expect(unfinishedWork(window, 'x', { cid, tab: 'A', read }), odd).toMatchObject({ lost: [], left: [] });
  }
  const many = [7, ...Array.from({ length: 300 }, () => 'a')];
  stored['vitrine-unfinished-x'] = JSON.stringify({ cid: 'one', items: many });
  expect(unfinishedWork(window, 'x', { cid: 'two', tab: 'A', read }).lost).toHaveLength(99);
  const forbidden = {
    get sessionStorage(): Storage {
      throw new Error('SecurityError');
    },
  } as unknown as Window; // all that is used of it
  const none = unfinishedWork(forbidden, 'x', { cid: 'two', tab: 'A', read });
  none.keep(['a']);
  expect(none.lost).toEqual([]);
});
