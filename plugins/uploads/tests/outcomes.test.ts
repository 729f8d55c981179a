import { expect, it } from 'vitest';
import type { FileState } from '../../../host/plugin.ts';
import { UPLOAD_END } from '../protocol.ts';
import { chosen, settled, startUpload } from './played-upload.ts';

const TWO = [chosen('a.txt', 3), chosen('b.txt', 4)];
const linesOf = ({ recorded }: ReturnType<typeof startUpload>): unknown[] => recorded.events.map(([, event]) => event);

it.each(['canceled', 'failed', 'changed', 'client-left'] as const)(
  'an upload that the client ends as %s has one line',
  (outcome) => {
    const begun = startUpload(TWO);
    begun.upload.stop(outcome);
    begun.upload.stop('failed');
    begun.upload.dispose();
    expect(linesOf(begun)).toEqual([{ direction: 'up', site: 'site.test', name: 'a.txt', size: 7, files: 2, outcome }]);
    expect(begun.heard).toEqual([]);
  },
);

it.each([
  [UPLOAD_END.pageLeft, 'page-left'],
  [UPLOAD_END.host, 'failed'],
  [UPLOAD_END.diskFull, 'disk-full'],
  [UPLOAD_END.changed, 'changed'],
  [UPLOAD_END.notTaken, 'not-taken'],
  [UPLOAD_END.noRoom, 'no-room'],
])('an upload that the host ends for reason %i has one line: %s', (reason, outcome) => {
  const begun = startUpload([chosen('a.txt', 3)]);
  begun.upload.abort(reason);
  expect(linesOf(begun)).toEqual([{ direction: 'up', site: 'site.test', name: 'a.txt', size: 3, outcome }]);
  expect(begun.heard).toEqual([['aborted', reason]]);
});

it('what the page does not take has its line after those of its files', async () => {
  const begun = startUpload([chosen('a.txt', 0)], [], { isTaken: false });
  await begun.send(0, 0);
  await settled();
  expect(linesOf(begun)).toMatchObject([{ outcome: 'allowed' }, { outcome: 'not-taken' }]);
});

it.each([true, false])(
  'one that ends while the page is given its files stays over, where it answers %s',
  async (isTaken) => {
    const answer = Promise.withResolvers<boolean>();
    const begun = startUpload([chosen('a.txt', 0)], [], { isTaken: answer.promise });
    await begun.send(0, 0);
    await settled();
    expect(begun.given()).toBeDefined();
    begun.upload.abort(UPLOAD_END.pageLeft);
    answer.resolve(isTaken);
    await settled();
    expect(begun.heard.filter(([what]) => what !== 'progress')).toEqual([['aborted', UPLOAD_END.pageLeft]]);
    expect(begun.upload.isOver).toBe(true);
    expect(linesOf(begun)).toMatchObject([{ outcome: 'allowed' }, { outcome: 'page-left' }]);
  },
);

it('an upload whose files are all blocked has their lines only', async () => {
  const blocked: FileState = { is: 'blocked', reason: 'infected', checks: [] };
  const begun = startUpload([chosen('a.txt', 1)], [[blocked]]);
  await begun.send(0, 0, 'a');
  await settled();
  expect(linesOf(begun)).toMatchObject([{ outcome: 'infected' }]);
});

it('takes room for its files and their folders, but for those that are blocked, until it is over', async () => {
  const blocked: FileState = { is: 'blocked', reason: 'infected', checks: [] };
  const begun = startUpload([chosen('a.txt', 1), chosen('b.txt', 4097, 'f/g/b.txt')], [[blocked]]);
  expect(begun.upload.room).toBe((1 + 2 + 2 + 4) * 4096);
  await begun.send(0, 0, 'a');
  await settled();
  expect(begun.upload.room).toBe((2 + 4) * 4096);
  begun.upload.dispose();
  expect(begun.upload.room).toBe(0);
});
