import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AnswerTable } from '../answers.ts';
import type { LinkPeer } from '../api.ts';
import { LINK_LIMITS } from '../limits.ts';
import { linkPair } from './memory.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

let near: LinkPeer;
let far: LinkPeer;
beforeEach(() => {
  [near, far] = linkPair();
});
afterEach(() => near.close('test over'));

it('leaves a signal that outlives its calls, answered or refused, without listeners', async () => {
  far.handle('echo', ({ params }) => ({ value: params }));
  const { signal } = new AbortController();
  expect((await near.call('echo', 1, { signal })).value).toBe(1);
  await expect(near.call('nothing', 1, { signal })).rejects.toMatchObject({ code: 'link-unknown-method' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('takes any number of pings, as many at a time as it may have', async () => {
  for (let ping = 0; ping <= LINK_LIMITS.pings; ping += 1) await near.ping(PATIENCE_MS);
  const all = await Promise.allSettled(Array.from({ length: LINK_LIMITS.pings + 1 }, () => near.ping(PATIENCE_MS)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(LINK_LIMITS.pings);
  expect(all.at(-1)).toMatchObject({ reason: { code: 'link-busy', retryable: true } });
});

it('returns the source of an answer that cannot be sent', async () => {
  const returned: unknown[] = [];
  const sourceOf = (name: string): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('nobody reads it')),
      return: async () => {
        returned.push(name);
        return { done: true, value: undefined };
      },
    }),
  });
  far.handle('bad', () => ({ value: 1n, body: sourceOf('bad') }));
  far.handle('keyed', () => ({ value: 1, body: sourceOf('keyed') }));
  await expect(near.call('bad', null)).rejects.toMatchObject({ code: 'link-bad-answer' });
  await expect(near.call('keyed', null, { key: 'a' })).rejects.toMatchObject({ code: 'link-bad-answer' });
  expect(returned).toEqual(['bad', 'keyed']);
});

it('keeps the last answers however many have been forgotten before', async () => {
  const table = new AnswerTable({ ...LINK_LIMITS, answers: 4, answerBytes: 1000 });
  let runs = 0;
  const answer = (key: string) => table.answer(key, async () => ({ kind: 1, json: `[${(runs += 1)}]`, isFinal: true }));
  for (let at = 0; at < 100; at += 1) await answer(`key ${at}`);
  expect((await answer('key 99')).json).toBe('[100]');
  expect((await answer('key 96')).json).toBe('[97]');
  expect((await answer('key 95')).json).toBe('[101]');
});
