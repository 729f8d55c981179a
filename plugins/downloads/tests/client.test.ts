import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { checkDownload } from '../client/check.ts';
import type { Checked, CheckState } from '../client/check.ts';
import { activate } from '../client/index.ts';
import { Transfers } from '../client/transfers.ts';
import type { TrayProps } from '../client/tray.tsx';
import { manifest } from '../manifest.ts';
import {
  CANCEL,
  cancelDownload,
  dlSaveProg,
  dlTcUiFinished,
  downloadRequested,
  downloadStatusUpdated,
} from '../protocol.ts';
import { RECORD } from './record.ts';

type Reply = object | 'fails' | number;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers of the host, to the first call `begins`, the last one for ever, and what it was asked. */
function host(replies: readonly Reply[], begins: Reply = pending()) {
  const asked: { readonly at: number; readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const started = Date.now();
  let next = 0;
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    asked.push({ at: Date.now() - started, path, body: JSON.parse(body) as Record<string, unknown> });
    const reply = path.endsWith('tc_processing') ? begins : replies[Math.min(next++, replies.length - 1)];
    if (reply === 'fails') throw new TypeError('network');
    return typeof reply === 'number' ? new Response('', { status: reply }) : Response.json(reply);
  });
  return asked;
}

/** Runs a check to its end. */
async function checked(replies: readonly Reply[], begins?: Reply) {
  const asked = host(replies, begins);
  const states: CheckState[] = [];
  const locked: boolean[] = [];
  const options = {
    onCallFailed: () => undefined,
    onState: (state: CheckState) => states.push(state),
    onLocked: (isAgain: boolean) => locked.push(isAgain),
  };
  const row = { ...RECORD, state: 'checking', progress: 0.5 } as const;
  const running = checkDownload(row, options, new AbortController().signal).catch((thrown: unknown) => String(thrown));
  await vi.advanceTimersByTimeAsync(60_000);
  return { outcome: await running, states, locked, asked };
}
const pending = (finished = 0, all = 2) => ({
  action: 'pending',
  plugins: Array.from({ length: all }, (_, at) => ({ status: at < finished ? 'FINISHED' : 'PENDING' })),
});

describe('the check of a download', () => {
  it('[M-032] asks for it with the id of the file, and goes by the answer before it polls', async () => {
    const allowed = await checked([], { action: 'allow', scanned: true });
    expect(allowed.asked).toEqual([{ at: 0, path: '/safeview-fileserv/tc_processing', body: { file_id: 'K' } }]);
    expect(allowed.outcome).toEqual({ outcome: 'allowed', isScanned: true });
    const begun = await checked([{ action: 'allow' }]);
    expect(begun.asked.map(({ path }) => path.slice('/safeview-fileserv/'.length))).toEqual([
      'tc_processing',
      'tc_status',
    ]);
  });

  it('[M-033] [M-035] polls every 500 ms, and shows how many checks are finished', async () => {
    const failed = { ...pending(), plugins: [{ status: 'FINISHED' }, { status: 'FAILED' }] };
    const replies = [...Array<Reply>(8).fill(pending()), ...Array<Reply>(16).fill(pending(1)), failed];
    const { asked, states } = await checked([...replies, { action: 'allow' }], pending(0, 0));
    const polls = asked.filter(({ path }) => path.endsWith('tc_status'));
    expect(polls.slice(0, 4).map(({ at, body }) => [at, body])).toEqual(
      [500, 1000, 1500, 2000].map((at) => [at, { file_id: 'K' }]),
    );
    const texts = states.map(({ state }) => state);
    expect(texts.slice(0, 10)).toEqual(Array(10).fill('checking'));
    expect(texts.slice(10)).toEqual([...Array(10).fill('waiting'), ...Array(6).fill('checking'), 'allowed']);
    expect([0, 10, 25, 26].map((at) => states[at]?.progress)).toEqual([0.5, 0.75, 0.75, 1]);
  });

  it('[M-036] shows the success for 1.5 s, and has the file served after another 200 ms', async () => {
    host([], { action: 'allow', scanned: true });
    let outcome: unknown;
    const options = { onCallFailed: () => undefined, onState: () => undefined, onLocked: () => undefined };
    const row = { ...RECORD, state: 'checking', progress: 0.5 } as const;
    void checkDownload(row, options, new AbortController().signal).then((found) => (outcome = found));
    await vi.advanceTimersByTimeAsync(1699);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toEqual({ outcome: 'allowed', isScanned: true });
  });

  it('[M-016] [M-034] asks for a password once, goes on polling, and asks again after a wrong one', async () => {
    const locked = (attempt: number) => ({ action: 'preq', attempt });
    const found = await checked([locked(1), locked(1), pending(), locked(2), locked(2), { action: 'allow' }]);
    expect(found.locked).toEqual([false, true]);
    expect(found.states.map(({ state }) => state).slice(1, 3)).toEqual(['locked', 'locked']);
  });

  it.each([
    [{ action: 'block', block_reasons: ['infected'] }, 'blocked', 'downloads.infected'],
    [{ action: 'block', block_reasons: ['encrypted'] }, 'blocked', 'downloads.encrypted'],
    [{ action: 'block', block_reasons: ['not-scanned'] }, 'blocked', 'downloads.not-scanned'],
    [{ action: 'block', block_reasons: ['no-scanner'] }, 'blocked', 'downloads.no-scanner'],
    [{ action: 'block', block_reasons: ['other'] }, 'blocked', 'downloads.blocked'],
    [{ action: 'expired' }, 'failed', 'downloads.expired'],
    [{ action: 'error' }, 'failed', 'downloads.host-failed'],
    [{ action: 'cancel' }, 'failed', 'downloads.canceled'],
    [{ action: 'nonsense' }, 'failed', 'downloads.host-failed'],
    [{}, 'failed', 'downloads.host-failed'],
  ])('[M-037] [M-038] ends with the reason of the host: %j', async (reply, outcome, reason) => {
    expect((await checked([reply])).outcome).toEqual({ outcome, reason });
  });

  it('[M-037] shows the text of the rule that blocks it', async () => {
    const block = { action: 'block', block_reasons: ['rule'], block_details: { message: 'Ask us', rule: 'r' } };
    const outcome = { outcome: 'blocked', reason: 'downloads.blocked' };
    expect((await checked([block])).outcome).toEqual({ ...outcome, message: 'Ask us' });
    for (const details of [{ message: 7 }, null, 'x', []])
      expect((await checked([{ ...block, block_details: details }])).outcome).toEqual(outcome);
  });

  it('waits for an administrator while a file is in quarantine, at a slower pace', async () => {
    const kept = { action: 'block', block_reasons: ['infected', 'quarantined'], block_details: { message: 'Wait' } };
    const { outcome, states, asked } = await checked([kept, { action: 'allow' }], kept);
    expect(states.map(({ state }) => state)).toEqual(['quarantined', 'quarantined', 'allowed']);
    expect(states[0]?.message).toBe('Wait');
    expect(asked.filter(({ path }) => path.endsWith('tc_status')).map(({ at }) => at)).toEqual([10_000, 20_000]);
    expect(outcome).toEqual({ outcome: 'allowed', isScanned: false });
  });

  it('[M-016] [M-039] fails after 15 polls in a row without an answer, or when it cannot begin', async () => {
    const { outcome, asked } = await checked(['fails']);
    expect(outcome).toContain('network');
    expect(asked.filter(({ path }) => path.endsWith('tc_status'))).toHaveLength(15);
    const fourteen = [...Array<Reply>(14).fill(500), pending(), ...Array<Reply>(14).fill('fails'), { action: 'allow' }];
    expect((await checked(fourteen)).outcome).toMatchObject({ outcome: 'allowed' });
    expect((await checked([{ action: 'allow' }], 500)).outcome).toContain('500');
  });
});

interface Played {
  readonly fails?: boolean;
  readonly isReleased?: boolean;
  /** End of a file that is saved again. */
  readonly end?: Checked | 'fails';
}

function transfers(played: Played = {}) {
  const calls: string[] = [];
  const kept: (readonly string[])[] = [];
  const made = new Transfers({
    check: async (item, onState) => {
      calls.push(`check ${item.id}`);
      await Promise.resolve(); // the host's answer is never there at once
      if (played.fails === true) throw new Error('network');
      if (played.isReleased === true) onState({ state: 'quarantined', progress: 1, message: 'Wait' });
      onState({ state: 'allowed', progress: 1 });
      return { outcome: 'allowed', isScanned: true };
    },
    endOf: async ({ id }) => {
      calls.push(`end ${id}`);
      if (played.end === 'fails') throw new TypeError('network');
      return played.end;
    },
    save: ({ id }) => void calls.push(`save ${id}`),
    cancel: (id) => void calls.push(`cancel ${id}`),
    again: (id) => void calls.push(`again ${id}`),
    forget: (id) => void calls.push(`forget ${id}`),
    onFault: () => void calls.push('fault'),
    onShown: (isShown) => void calls.push(isShown ? 'shown' : 'hidden'),
    onUnfinished: (names) => void kept.push(names),
  });
  return { made, calls, kept };
}

describe('the list of downloads', () => {
  it('[M-016] [M-030] [M-032] [M-035] has a row from the request to the saved file', async () => {
    const { made, calls } = transfers();
    made.add(RECORD, { status: 'started' });
    expect(made.rows()).toEqual([{ ...RECORD, state: 'receiving', progress: undefined }]);
    made.update(1, 'started', { received: 5, total: 10 });
    expect(made.rows()[0]).toMatchObject({ state: 'receiving', progress: 0.25 });
    const bar: unknown[] = [];
    made.subscribe(() => bar.push(made.rows()[0]?.progress));
    made.update(1, 'finished', { received: 10, total: 10 });
    expect(made.rows()[0]).toMatchObject({ state: 'checking', progress: 0.5 });
    await vi.advanceTimersByTimeAsync(0);
    expect(bar.slice(0, 3)).toEqual([0.5, 0.5, 1]); // received, in its check, allowed
    expect(made.rows()[0]).toMatchObject({ state: 'saved', progress: 1, isScanned: true });
    expect(calls).toEqual(['shown', 'check 1', 'save 1']);
    made.save(1);
    await vi.advanceTimersByTimeAsync(0);
    made.remove(1);
    expect(calls.slice(3)).toEqual(['end 1', 'save 1', 'forget 1', 'hidden']);
  });

  it.each([
    [{ outcome: 'failed', reason: 'downloads.expired' } as const, { state: 'failed', reason: 'downloads.expired' }],
    ['fails' as const, { state: 'failed', reason: 'downloads.connection-lost' }],
  ])('does not say that a file was saved again which the host has no longer: %j', async (end, row) => {
    const { made, calls } = transfers({ end });
    made.add(RECORD, { status: 'finished', saved: true });
    made.save(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject(row);
    expect(calls).not.toContain('save 1');
  });

  it('[M-039] has one checked again whose connection has failed, and no other', async () => {
    const played: { fails?: boolean; end?: 'fails' } = { fails: true, end: 'fails' };
    const { made, calls } = transfers(played);
    made.add({ ...RECORD, asked: false }, { status: 'finished' });
    made.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', retry: 'check' });
    played.fails = false;
    made.retry(1);
    expect(made.rows()[0]).toMatchObject({ state: 'checking', progress: 0.5, retry: undefined });
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'saved', retry: undefined });
    made.retry(1);
    // One that is saved again.
    made.save(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', retry: 'check' });
    made.add({ ...RECORD, again: false }, { status: 'cancelled', reason: CANCEL.host });
    made.retry(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'downloads.host-failed' });
    expect(calls.slice(0, 5)).toEqual(['shown', 'check 1', 'hidden', 'fault', 'shown']); // the person hears of it
    expect(calls.slice(5)).toEqual(['check 1', 'save 1', 'end 1', 'fault']);
  });

  it('has one begun again that was cut, once for each press, and lists that in its place', () => {
    const { made, calls } = transfers();
    made.add(RECORD, { status: 'started' });
    made.retry(1); // it runs
    made.cancelled(1, CANCEL.interrupted);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', retry: 'begin' });
    made.retry(1);
    made.retry(1);
    expect(made.rows()[0]).toMatchObject({ state: 'waiting', progress: undefined });
    made.cancelled(1, CANCEL.interrupted); // nothing has come
    made.retry(1);
    made.add({ ...RECORD, id: 2 }, { status: 'started', replaces: 1 });
    expect(made.rows()).toMatchObject([{ id: 2, state: 'receiving' }]);
    expect(calls).toEqual(['shown', 'again 1', 'again 1']);
    made.cancelled(2, CANCEL.tooLarge, 2);
    made.retry(2);
    expect(made.rows()).toMatchObject([{ state: 'blocked', retry: undefined }]);
  });

  it('leaves one alone that the person has stopped, whatever the host has sent before it heard of that', async () => {
    const { made, calls } = transfers();
    made.add(RECORD, { status: 'started' });
    made.cancel(1);
    made.update(1, 'finished', { received: 10 });
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'downloads.canceled' });
    expect(calls).toEqual(['shown', 'cancel 1']);
  });

  it('comes back with the news of a row that was running when it was closed', async () => {
    const { made, calls } = transfers();
    made.add(RECORD, { status: 'started' });
    made.close();
    made.update(1, 'started', { received: 5 });
    expect(calls).toEqual(['shown', 'hidden']);
    made.cancelled(1, CANCEL.diskFull);
    expect(calls).toEqual(['shown', 'hidden', 'shown']);
  });

  it('says the size that is allowed after a reload, too', () => {
    const { made } = transfers();
    made.add(RECORD, { status: 'cancelled', reason: CANCEL.tooLarge, most: 2 });
    expect(made.rows()[0]).toMatchObject({ state: 'blocked', reason: 'downloads.too-large', most: 2 });
    made.add(RECORD, { status: 'cancelled', reason: CANCEL.noRoom, most: 3 });
    expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'downloads.no-room', most: 3 });
  });

  it('says which row has last come to a stop, whatever its place', async () => {
    const { made } = transfers();
    for (const id of [1, 2]) made.add({ ...RECORD, id }, { status: 'started' });
    expect(made.news()).toBeUndefined();
    made.cancelled(2, CANCEL.interrupted);
    expect(made.news()?.id).toBe(2);
    made.add({ ...RECORD, id: 2 }, { status: 'started' });
    expect(made.news()).toBeUndefined(); // it goes on
    made.update(1, 'finished', { received: 10 });
    await vi.advanceTimersByTimeAsync(0);
    expect(made.news()).toMatchObject({ id: 1, state: 'saved' });
    made.remove(1);
    expect(made.news()).toBeUndefined();
  });

  it('takes up what was there before a reload, and saves it once', async () => {
    const { made, calls } = transfers();
    made.add(RECORD, { status: 'finished', saved: true, scanned: true });
    made.add({ ...RECORD, id: 2 }, { status: 'finished', saved: false });
    made.add({ ...RECORD, id: 3 }, { status: 'cancelled', reason: CANCEL.interrupted });
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows().map(({ id, state }) => [id, state])).toEqual([
      [3, 'failed'],
      [2, 'saved'],
      [1, 'saved'],
    ]);
    expect(calls).toEqual(['shown', 'check 2', 'save 2']);
  });

  it('says which files the person does not have yet, and lists those that went with a session', async () => {
    const { made, calls, kept } = transfers();
    made.addLost(['lost.txt']);
    expect(made.news()?.filename).toBe('lost.txt');
    expect(made.rows()[0]).toMatchObject({ filename: 'lost.txt', state: 'failed', reason: 'downloads.session-lost' });
    made.add(RECORD, { status: 'started' });
    expect(kept.at(-1)).toEqual(['a.txt']);
    made.update(1, 'finished', { received: 10, total: 10 });
    await vi.advanceTimersByTimeAsync(0);
    expect(kept.at(-1)).toEqual([]);
    const [, lost] = made.rows();
    made.remove(lost?.id ?? 0);
    expect(made.rows().map(({ id }) => id)).toEqual([1]);
    expect(calls.filter((call) => call.startsWith('forget'))).toEqual([]); // the host has none of these ids
  });

  it('does not save what no act of the person has started, until the person does', async () => {
    const { made, calls } = transfers();
    made.add({ ...RECORD, asked: false }, { status: 'finished' });
    await vi.advanceTimersByTimeAsync(0);
    expect([made.rows()[0]?.state, calls]).toEqual(['allowed', ['shown', 'check 1']]);
    made.save(1);
    expect([made.rows()[0]?.state, calls.at(-1)]).toEqual(['saved', 'save 1']);
  });

  it('one that comes out of quarantine is not saved by itself, since the person does not wait for it any more', async () => {
    const { made, calls } = transfers({ isReleased: true });
    made.add(RECORD, { status: 'finished' });
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'allowed', asked: false });
    made.close();
    expect(made.rows()).toHaveLength(1); // it comes back with its next news
    expect(calls).not.toContain('save 1');
  });

  it('[M-039] [M-040] says why one has ended', async () => {
    const { made, calls } = transfers({ fails: true });
    made.add(RECORD, { status: 'started' });
    made.cancelled(1, CANCEL.tooLarge, 2);
    expect(made.rows()[0]).toMatchObject({ state: 'blocked', reason: 'downloads.too-large', most: 2 });
    made.add({ ...RECORD, id: 2 }, { status: 'finished' });
    await vi.advanceTimersByTimeAsync(0);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'downloads.connection-lost', retry: 'check' });
    made.add({ ...RECORD, id: 3 }, { status: 'started' });
    made.cancel(3);
    expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'downloads.canceled' });
    made.close();
    expect([made.rows(), calls.at(-1)]).toEqual([[], 'hidden']);
  });
});

it('[M-081] the host is told what the person’s browser has been given, what they remove, and what they cancel', async () => {
  host([], { action: 'allow' });
  const link = { click: () => undefined, remove: () => undefined };
  vi.stubGlobal('window', {}); // its storage is forbidden
  vi.stubGlobal('document', { createElement: () => link, body: { append: () => undefined } });
  const { client, host: far, flush, overlay } = pluginHarness(manifest);
  const heard: [string, unknown][] = [];
  for (const each of [dlSaveProg, dlTcUiFinished, cancelDownload])
    far.commands.handle(each, (params) => void heard.push([each.name, params]));
  await activate(client);
  for (const id of [1, 2]) far.commands.send(downloadRequested, { ...RECORD, id });
  far.commands.send(downloadStatusUpdated, { id: 1, status: 'finished', received: 1 });
  await flush();
  await vi.advanceTimersByTimeAsync(1700);
  await flush();
  expect(heard).toEqual([['dl-save-prog', { id: 1 }]]);
  const { transfers } = overlay.filled[0]?.props as TrayProps;
  transfers.remove(1);
  transfers.cancel(2);
  await flush();
  expect(heard.slice(1)).toEqual([
    ['dl-tc-ui-finished', { id: 1 }],
    ['cancel-download', { id: 2 }],
  ]);
});
