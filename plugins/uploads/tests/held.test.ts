import { expect, it } from 'vitest';
import { HeldUploads } from '../host/held-uploads.ts';
import type { RunningUploads } from '../host/session.ts';
import type { Upload } from '../host/upload.ts';
import { UPLOAD_END } from '../protocol.ts';

/** An upload as a test plays it: it runs, or the page has its files, until it is over. */
function played(state: 'running' | 'given' = 'running') {
  const calls: unknown[] = [];
  const upload = {
    isOver: false,
    abort(reason: unknown) {
      calls.push(['abort', reason]);
      if (state === 'running') upload.isOver = true;
    },
    stop(outcome: unknown): boolean {
      calls.push(['stop', outcome]);
      if (state === 'given' || upload.isOver) return false;
      return (upload.isOver = true);
    },
    dispose() {
      calls.push(['dispose']);
      upload.isOver = true;
    },
  };
  return { upload: upload as unknown as Upload, calls, end: () => (upload.isOver = true) }; // all that is used of it
}

function start() {
  const running = new Set<Upload>();
  const session = {
    add: (each: Upload) => void running.add(each),
    delete: (each: Upload) => void running.delete(each),
  };
  return { held: new HeldUploads(session as unknown as RunningUploads), running }; // all that is used of it
}

const LEFT = ['abort', UPLOAD_END.pageLeft];

it('those of a document go with it, and with the page all', () => {
  const { held, running } = start();
  const [page, inner, other] = [played(), played('given'), played()];
  held.add(1, page.upload, 1);
  held.add(2, inner.upload, 2);
  held.add(3, other.upload, 3);
  held.left(2);
  expect([page.calls, inner.calls, other.calls]).toEqual([[], [LEFT, ['dispose']], []]);
  expect([1, 2, 3].map((id) => held.get(id))).toEqual([page.upload, undefined, other.upload]);
  expect([...running]).toEqual([page.upload, other.upload]);
  held.left(1);
  expect([page.calls, other.calls]).toEqual([
    [LEFT, ['dispose']],
    [LEFT, ['dispose']],
  ]);
  expect([running.size, held.get(1), held.get(3)]).toEqual([0, undefined, undefined]);
});

it('files that a removed frame was given stay until they need the room, and what was on its way ends', () => {
  const { held, running } = start();
  const [given, running2, other] = [played('given'), played(), played('given')];
  held.add(1, given.upload, 2);
  held.add(2, running2.upload, 2);
  held.add(3, other.upload, 3);
  expect(held.dropGone()).toBe(false);
  held.gone(2);
  expect([given.calls, running2.calls, other.calls]).toEqual([[LEFT], [LEFT, ['dispose']], []]);
  expect([1, 2, 3].map((id) => held.get(id) !== undefined)).toEqual([true, false, true]);
  expect(held.dropGone()).toBe(true);
  expect([...running]).toEqual([other.upload]);
  expect([given.calls.at(-1), held.dropGone()]).toEqual([['dispose'], false]);
});

it('two hundred are held, and one that is over makes room for the next', () => {
  const { held, running } = start();
  const all = Array.from({ length: 200 }, () => played('given'));
  for (const [id, { upload }] of all.entries()) {
    expect(held.isFull).toBe(false);
    held.add(id, upload, 1);
  }
  expect(held.isFull).toBe(true);
  all[7]?.end();
  expect([held.isFull, held.get(7), running.size]).toEqual([false, undefined, 199]);
});

it('a client that has gone ends those that run, by their numbers, and a tab that ends all', () => {
  const { held, running } = start();
  const [one, given] = [played(), played('given')];
  held.add(4, one.upload, 1);
  held.add(5, given.upload, 1);
  expect(held.abort()).toEqual([4]);
  expect(one.calls).toEqual([['stop', 'client-left']]);
  held.dispose();
  expect([one.calls.at(-1), given.calls.at(-1), running.size]).toEqual([['dispose'], ['dispose'], 0]);
  held.dispose();
  expect(given.calls.filter((each) => String(each) === 'dispose')).toHaveLength(1);
});
