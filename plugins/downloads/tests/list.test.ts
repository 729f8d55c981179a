import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '../../../host/plugin.ts';
import { CANCEL } from '../protocol.ts';
import { list, person, played, TAB, tabOf } from './played-list.ts';

const MIB = 1024 * 1024;

beforeEach(() => {
  person.isActing = true;
  // The clock stands still: the time after which progress is told again does not pass.
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.advanceTimersByTime(10_000);
});
afterEach(() => void vi.useRealTimers());

it('[M-090] a download is announced, followed and judged, and each of its steps is reported to its tab', async () => {
  const { list: downloads, heard, recorded, file } = list();
  const { download, progress, complete, calls } = played();
  const taken = downloads.take(download);
  await expect.poll(() => heard.length).toBe(2);
  progress(3, 5);
  complete('hello');
  await taken;
  expect(heard).toEqual([
    [
      'T',
      'requested',
      { id: 1, uri: 'https://site.test/a', filename: 'a.txt', asked: true, again: true, key: 'K', received: 0 },
    ],
    ['T', 'updated', 1, 'started', { received: 0 }],
    ['T', 'updated', 1, 'finished', { received: 5, total: 5 }],
  ]);
  expect([file.state.is, calls]).toEqual(['allowed', ['remove']]);
  expect(Object.fromEntries(recorded.counts)).toEqual({ started: 1, finished: 1 });
  const facts = { direction: 'down', site: 'site.test:8443', name: 'a.txt', size: 5, sha256: 'f'.repeat(64) };
  const judged = { type: 'text/plain', verdict: 'not-scanned', reason: 'there is no scanner' };
  expect(recorded.events).toEqual([['transfers', { ...facts, ...judged, outcome: 'finished' }]]);
});

it('[M-030] its client hears that its bytes are there while it is still checked', async () => {
  const { list: downloads, heard, file } = list();
  const { download, complete } = played();
  const { promise: checked, resolve } = Promise.withResolvers<void>();
  const judge = file.judge.bind(file);
  file.judge = (given) => checked.then(() => judge(given));
  const taken = downloads.take(download);
  complete('hello');
  await expect.poll(() => heard.at(-1)).toEqual(['T', 'updated', 1, 'finished', { received: 5, total: 5 }]);
  expect(file.state.is).toBe('checking');
  resolve();
  await taken;
  expect(file.state.is).toBe('allowed');
});

it('[M-055] the client is told its address where that is of the web and no longer than 4,095 units', async () => {
  const toldOf = async (url: string): Promise<unknown> => {
    const { list: downloads, heard } = list();
    void downloads.take(played({ url }).download);
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    return heard[0];
  };
  const long = 'https://site.test/'.padEnd(4095, 'a');
  for (const url of ['http://site.test/a', long])
    expect(await toldOf(url)).toMatchObject(['T', 'requested', { uri: url }]);
  for (const url of [`${long}a`, 'blob:https://site.test/1', 'data:,a'])
    expect(await toldOf(url), url.slice(0, 30)).toMatchObject(['T', 'requested', { uri: '' }]);
});

it('one that the site has changed while it came is neither judged nor kept', async () => {
  const { list: downloads, heard, file } = list();
  const verified: string[] = [];
  const verify = (sha256: string): Promise<void> => {
    verified.push(sha256);
    return Promise.reject(new AppError('download-changed', 'It has changed.'));
  };
  const { download, complete, calls } = played({ verify });
  const taken = downloads.take(download);
  complete('hello');
  await taken;
  expect(verified).toEqual(['f'.repeat(64)]);
  expect(file.judged).toEqual([]);
  expect(file.state).toEqual({ is: 'failed', reason: 'interrupted' });
  expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.interrupted, undefined]);
  expect(calls).toContain('remove');
});

it('one of a window that was opened for it is listed where it was asked for, by the policy of the window', async () => {
  const refused = list({ refusing: 'window.test' });
  const window = { ...tabOf('W'), url: () => 'https://window.test/' };
  person.isActing = false;
  const sourceRead = vi.fn();
  const opened = { tab: window, opener: TAB, isAsked: true, sourceRead };
  await refused.list.take(played(opened).download);
  expect(refused.heard).toEqual([['T', 'ignored', 'a.txt', 'window.test']]);
  expect(sourceRead).toHaveBeenCalled();

  const { list: downloads, heard } = list();
  void downloads.take(played(opened).download);
  await expect.poll(() => heard.at(0)).toMatchObject(['T', 'requested', { asked: true }]);
});

it('one whose window closes before its address is known is listed in another tab', async () => {
  const { promise: first, resolve } = Promise.withResolvers<string>();
  const { list: downloads, heard, undo, listener } = list({ firstOf: () => first });
  const { download, complete } = played();
  const taken = downloads.take(download);
  downloads.attach('O', listener('O'));
  undo();
  resolve('https://site.test/a');
  await expect.poll(() => heard.at(0)?.slice(0, 2)).toEqual(['O', 'requested']);
  complete('hello');
  await taken;
  expect(heard.at(-1)?.slice(0, 4)).toEqual(['O', 'updated', 1, 'finished']);
});

it('[M-040] one that is larger than the policy allows is ended, by what the site says or by its bytes', async () => {
  const { list: downloads, heard, file, recorded } = list();
  const { download, progress, complete, calls } = played();
  const taken = downloads.take(download);
  await expect.poll(() => heard.length).toBe(2);
  progress(3, 2 * MIB + 1);
  complete('', 'canceled');
  await taken;
  expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.tooLarge, 2]);
  expect(file.state).toEqual({ is: 'failed', reason: 'too-large' });
  expect(calls).toContain('cancel');
  expect(recorded.events[0]?.[1]).toMatchObject({ outcome: 'too-large' });
});

it.each(['by what the site says', 'by its bytes'])(
  'one that a rule blocks for its size is over early, %s',
  async (how) => {
    const { list: downloads, heard, file, recorded } = list();
    file.limit = { bytes: 10, rule: 'r' };
    const { download, progress, complete, calls } = played(
      how === 'by its bytes'
        ? {
            async *bytes() {
              throw new AppError('file-blocked', 'past the limit');
            },
          }
        : {},
    );
    const taken = downloads.take(download);
    if (how !== 'by its bytes') {
      await expect.poll(() => heard.length).toBe(2);
      progress(3, 11);
      complete('', 'canceled');
    }
    await taken;
    expect(file.state.is).toBe('blocked');
    expect(calls).toContain('cancel');
    expect(heard.filter(([, what, , status]) => what === 'updated' && status === 'finished')).toHaveLength(1);
    expect(heard.some(([, what]) => what === 'cancelled')).toBe(false);
    expect(file.judged).toEqual([]);
    expect(recorded.events.map(([, event]) => event)).toMatchObject([
      { outcome: 'blocked', reason: 'rule', rule: 'r' },
    ]);
    expect(Object.fromEntries(recorded.counts)).toEqual({ started: 1, blocked: 1 });
  },
);

it('one that goes into quarantine is counted so, with the rule, stays in the list, and nobody waits for it', async () => {
  const { list: downloads, file, recorded, heard, undo, listener } = list();
  file.next = { is: 'quarantined', reason: 'rule', checks: [{ plugin: 'rules', status: 'FINISHED', rule: 'r[1]' }] };
  const { download, complete } = played();
  complete('x');
  await downloads.take(download);
  expect(recorded.events[0]?.[1]).toMatchObject({ outcome: 'quarantined', rule: 'r[1]' });
  expect(recorded.counts.get('quarantined')).toBe(1);
  undo();
  downloads.attach('N', listener('N'));
  expect(heard.at(-1)).toMatchObject(['N', 'restored', { id: 1, asked: false }]);
});

it.each([
  ['file-too-large', CANCEL.tooLarge, 'too-large', 2],
  ['disk-full', CANCEL.diskFull, 'disk-full', undefined],
  ['downloads-full', CANCEL.noRoom, 'no-room', 3],
  ['download-canceled', CANCEL.interrupted, 'interrupted', undefined],
  ['service-gone', CANCEL.host, 'host-failed', undefined],
])('one that fails with %s is ended with a reason for the person, and a line', async (code, reason, outcome, most) => {
  const { list: downloads, heard, recorded } = list();
  const { download, calls } = played({
    async *bytes() {
      throw new AppError(code, 'failed', { data: { most: 3.5 * MIB } });
    },
  });
  await downloads.take(download);
  expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, reason, most]);
  expect(recorded.events).toMatchObject([['transfers', { name: 'a.txt', outcome }]]);
  expect(calls).toContain('remove');
});

it('one that Chromium calls canceled is interrupted, though its bytes had an end', async () => {
  const { list: downloads, heard } = list();
  const { download, complete } = played();
  complete('part', 'canceled');
  await downloads.take(download);
  expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.interrupted, undefined]);
});

it('where the policy allows none, nothing is kept', async () => {
  const { list: downloads, heard, recorded } = list({ downloads: false });
  const { download, calls } = played({ name: 'x\ud800' });
  await downloads.take(download);
  expect(heard).toEqual([['T', 'ignored', 'x\ufffd', 'site.test:8443']]);
  expect(calls).toEqual(['remove']);
  expect(Object.fromEntries(recorded.counts)).toEqual({ started: 1, refused: 1 });
});

it('those that were refused count no more', async () => {
  const { list: downloads, recorded } = list({ downloads: false });
  for (let nr = 0; nr < 12; nr += 1) await downloads.take(played({ isAsked: false }).download);
  expect(Object.fromEntries(recorded.counts)).toEqual({ started: 12, refused: 12 });
});

it('those that nobody has asked for are refused without a word', async () => {
  const { list: downloads, heard, recorded } = list({ downloads: false });
  person.isActing = false;
  await downloads.take(played().download);
  expect(heard).toEqual([]);
  expect(recorded.counts.get('refused')).toBe(1);
});

it.each([
  ['own address', 'files.test', { url: 'https://files.test/a.zip' }, undefined],
  ['redirects', 'files.test', { redirects: ['https://site.test/', 'https://files.test/a.zip'] }, undefined],
  ['first address', 'files.test', {}, 'https://files.test/a.zip'],
  ['frame', 'inner.test', { url: 'data:text/plain,x', frame: 2 }, undefined],
  ['blank frame', 'inner.test', { url: 'data:text/plain,x', frame: 3 }, undefined],
])('nothing is kept of a file with the %s of a site that may give none', async (_what, refusing, more, first) => {
  const { list: downloads, heard, recorded } = list({ refusing, ...(first !== undefined && { first }) });
  const { download, calls } = played(more);
  await downloads.take(download);
  expect(heard.map((each) => each.slice(0, 2).concat(each.at(-1)))).toEqual([['T', 'ignored', refusing]]);
  expect(calls).toEqual(['remove']);
  const facts = { direction: 'down', site: 'site.test:8443', outcome: 'refused', refusing };
  expect(recorded.events).toEqual([['transfers', expect.objectContaining(facts)]]);
});

it('[M-056] one that nobody can show, one of an advertising script and one too many are stopped', async () => {
  const { list: downloads, heard, undo, recorded } = list();
  for (const name of ['pubmatic', 'pubmatic.html']) {
    const { download, calls } = played({ name });
    await downloads.take(download);
    expect(calls).toEqual(['remove']);
  }
  for (let number = 0; number < 100; number++) void downloads.take(played().download);
  await expect.poll(() => heard.filter(([, what]) => what === 'requested').length).toBe(100);
  const last = played();
  await downloads.take(last.download);
  expect(last.calls).toEqual(['remove']);
  expect(heard.at(-1)).toEqual(['T', 'failed', 101, 'a.txt', CANCEL.host]);
  expect(recorded.events).toMatchObject([['transfers', { outcome: 'too-many' }]]);
  undo();
  const gone = played({ tab: undefined });
  await downloads.take(gone.download);
  expect(gone.calls).toEqual(['remove']);
});

it('the person cancels it while it arrives, and while it is judged; a store that is gone ends it', async () => {
  const { list: downloads, heard, file } = list();
  const { download, complete } = played();
  file.next = { is: 'locked', attempt: 1 };
  complete('zip');
  await downloads.take(download);
  downloads.cancel('O', 1); // another tab's
  expect(file.state.is).toBe('locked');
  downloads.resume('T', 1, 'secret');
  await expect.poll(() => file.judged).toEqual([undefined, 'secret']);
  downloads.cancel('T', 1);
  expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.user, undefined]);
  expect(file.state.is).toBe('canceled');
  downloads.resume('T', 1, 'secret');
  expect(file.judged).toHaveLength(2);

  const other = list();
  other.file.next = { is: 'failed', reason: '' };
  const second = played();
  second.complete('x');
  await other.list.take(second.download);
  expect(other.file.state).toEqual({ is: 'failed', reason: 'host-failed' });
  expect(other.recorded.events[0]?.[1]).toMatchObject({ outcome: 'host-failed' });
});

it('one that waits to be saved can be canceled, and is not saved after that', async () => {
  const { list: downloads, heard, file } = list();
  const { download, complete } = played();
  complete('hello');
  await downloads.take(download);
  expect(file.state.is).toBe('allowed');
  downloads.cancel('T', 1);
  expect(heard.at(-1)).toEqual(['T', 'cancelled', 1, CANCEL.user, undefined]);
  expect(file.state.is).toBe('canceled');
  downloads.restore('T');
  expect(heard.at(-1)?.[2]).toMatchObject({ status: 'cancelled', reason: CANCEL.user });
});

it('the list is there after a reload, and goes to another tab of the person when its tab ends', async () => {
  const { list: downloads, heard, undo, listener, file } = list();
  const { download, complete } = played();
  complete('hello');
  await downloads.take(download);
  downloads.saved('T', 1);
  downloads.restore('T');
  const restored = { id: 1, status: 'finished', saved: true, scanned: false, received: 5, total: 5 };
  expect(heard.at(-1)).toEqual(['T', 'restored', expect.objectContaining(restored)]);
  downloads.attach('O', listener('O'));
  undo();
  expect(heard.at(-1)).toEqual(['O', 'restored', expect.objectContaining(restored)]);
  downloads.forget('O', 1);
  expect(file.state.is).toBe('canceled');
  downloads.restore('O');
  expect(heard.filter(([tab]) => tab === 'O')).toHaveLength(1);
});

it('those of a tab that nobody has come for go with it', async () => {
  const { list: downloads, heard, undo, listener, file } = list();
  const whole = played();
  whole.complete('hello');
  await downloads.take(whole.download);
  const running = played();
  void downloads.take(running.download);
  await expect.poll(() => heard.filter(([, what]) => what === 'requested').length).toBe(2);
  downloads.attach('O', listener('O'));
  downloads.abandon('T');
  undo();
  expect(file.state.is).toBe('canceled');
  await expect.poll(() => running.calls).toContain('cancel');
  expect(heard.filter(([tab]) => tab === 'O')).toEqual([]);
});

it('of those that no act of the person has started it takes ten, and says so', async () => {
  const { list: downloads, heard } = list();
  person.isActing = false;
  for (let number = 0; number < 10; number++) void downloads.take(played().download);
  await expect.poll(() => heard.filter(([, what]) => what === 'requested').length).toBe(10);
  expect(heard[0]?.[2]).toMatchObject({ asked: false });
  const { download, calls } = played();
  await downloads.take(download);
  expect(calls).toEqual(['remove']);
  downloads.saved('T', 1);
  void downloads.take(played().download);
  person.isActing = true;
  void downloads.take(played().download);
  await expect.poll(() => heard.filter(([, what]) => what === 'requested').length).toBe(12);
});

it('when no tab is left the next one takes over what is not over, and the rest goes', async () => {
  const running = list();
  void running.list.take(played().download);
  await expect.poll(() => running.heard.length).toBe(2);
  running.undo();
  running.list.attach('N', running.listener('N'));
  expect(running.heard.at(-1)?.slice(0, 2)).toEqual(['N', 'restored']);

  const { list: downloads, heard, undo, listener, file } = list();
  const saved = played();
  saved.complete('hello');
  await downloads.take(saved.download);
  downloads.saved('T', 1);
  undo();
  downloads.attach('N', listener('N'));
  expect([heard.filter(([tab]) => tab === 'N'), file.state.is]).toEqual([[], 'canceled']);
});

it('a burst in one moment has the same bounds, and what is over makes room', async () => {
  const { list: downloads, heard } = list();
  person.isActing = false;
  const burst = Array.from({ length: 30 }, () => played());
  for (const { download } of burst) void downloads.take(download);
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(10);
  expect(burst.filter(({ calls }) => calls.includes('remove'))).toHaveLength(20);
  person.isActing = true;
  for (let number = 0; number < 90; number++) void downloads.take(played().download);
  await expect.poll(() => heard.filter(([, what]) => what === 'requested').length).toBe(100);
  downloads.cancel('T', 1);
  void downloads.take(played().download);
  await expect.poll(() => heard.filter(([, what]) => what === 'requested').length).toBe(101);
});

it('a store that takes no more files fails the download', async () => {
  const { list: downloads, heard, recorded } = list({ refuse: new AppError('too-many-files', 'no') });
  const one = played();
  await downloads.take(one.download);
  expect([heard, one.calls]).toEqual([[['T', 'failed', 1, 'a.txt', CANCEL.host]], ['remove']]);
  expect(recorded.counts.get('failed')).toBe(1);
});
