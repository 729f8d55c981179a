import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import type { Helper } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { readKept } from '../client/kept-uploads.ts';
import { sendFile } from '../client/send-file.ts';
import { start as startClient } from '../client/start.ts';
import type { TrayProps } from '../client/tray.tsx';
import { Uploads } from '../client/uploads.ts';
import { manifest } from '../manifest.ts';
import { pasteFiles, upload, uploadAborted, uploadProgress, UPLOAD_END } from '../protocol.ts';

const MIB = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

interface Sent {
  readonly offset: string;
  readonly size: number;
}

/** Sends a file of a size to a helper that fails as often as said. */
function send(
  size: number,
  { fails = [] as number[], isAgain = false, resume = async (): Promise<number | null> => 0 } = {},
) {
  const sent: Sent[] = [];
  const shown: number[] = [];
  const over = new AbortController();
  const helper = {
    call: async (
      method: string,
      params: { query: { offset: string } },
      part: Blob,
      onProgress: (share: number) => void,
    ) => {
      expect(method).toBe('upload');
      sent.push({ offset: params.query.offset, size: part.size });
      onProgress(0.5);
      if (fails.includes(sent.length)) throw new AppError('helper-failed', 'cut');
    },
  } as unknown as Helper; // all that is used of it
  const file = new File([new Uint8Array(size)], 'a');
  const onSent = (bytes: number): void => void shown.push(bytes);
  const on = { onCallFailed: () => undefined, onSent, signal: over.signal };
  const done = sendFile({ helper, file, isAgain, query: { upload_id: 'U' }, resume, ...on });
  done.catch(() => undefined);
  return { sent, shown, done, over };
}

it('[S-120] a file is sent in parts of 32 MiB, an empty one as one part', async () => {
  const large = send(70 * MIB);
  await large.done;
  expect(large.sent).toEqual([
    { offset: '0', size: 32 * MIB },
    { offset: String(32 * MIB), size: 32 * MIB },
    { offset: String(64 * MIB), size: 6 * MIB },
  ]);
  expect(large.shown).toEqual([16, 32, 48, 64, 67, 70].map((each) => each * MIB));
  const empty = send(0);
  await empty.done;
  expect(empty.sent).toEqual([{ offset: '0', size: 0 }]);
});

it('after a cut it goes on where the host is', async () => {
  const { sent, done } = send(10, { fails: [1], resume: async () => 4 });
  await vi.advanceTimersByTimeAsync(499);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(sent).toEqual([
    { offset: '0', size: 10 },
    { offset: '4', size: 6 },
  ]);
});

it('an answer that is lost after the last byte is no failure, and an empty file is sent again', async () => {
  const lost = send(10, { fails: [1], resume: async () => null });
  const empty = send(0, { fails: [1] });
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all([lost.done, empty.done]);
  expect([lost.sent.length, empty.sent.length]).toEqual([1, 2]);
});

it('one that is sent again goes on where the host is from the start', async () => {
  const part = send(10, { isAgain: true, resume: async () => 4 });
  const whole = send(10, { isAgain: true, resume: async () => null });
  await Promise.all([part.done, whole.done]);
  expect([part.sent, whole.sent]).toEqual([[{ offset: '4', size: 6 }], []]);
});

it('while the channel is away nothing is sent, for as long as that takes', async () => {
  const back = Promise.withResolvers<number>();
  const { sent, done } = send(10, { fails: [1, 2, 3, 4, 5], resume: () => back.promise });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(1);
  back.resolve(0);
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(sent).toHaveLength(6);
  const lost = send(10, { fails: [1], resume: () => Promise.reject(new AppError('channel-dead', 'lost')) });
  await vi.advanceTimersByTimeAsync(500);
  await expect(lost.done).rejects.toMatchObject({ code: 'channel-dead' });
});

it('cuts after which the host has more than before are not counted', async () => {
  let has = 0;
  const { sent, done } = send(10, { fails: [1, 2, 3, 4, 5, 6, 7, 8, 9], resume: async () => ++has });
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(sent.at(-1)).toEqual({ offset: '9', size: 1 });
});

it('gives up after six cuts in a row, and when it is stopped', async () => {
  const failing = send(10, { fails: [1, 2, 3, 4, 5, 6] });
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(failing.done).rejects.toMatchObject({ code: 'helper-failed' });
  expect(failing.sent).toHaveLength(6);
  const stopped = send(10, { fails: [1] });
  await vi.advanceTimersByTimeAsync(0);
  stopped.over.abort(new Error('stopped'));
  await expect(stopped.done).rejects.toThrow('stopped');
  expect(stopped.sent).toHaveLength(1);
});

function list(played: { failure?: Error | undefined; hangs?: string } = {}) {
  const calls: string[] = [];
  const kept: (readonly object[])[] = [];
  const made = new Uploads({
    send: async (file, at, { uploadId, isAgain, onSent, signal }) => {
      calls.push(`send ${file.name} ${at} ${uploadId}${isAgain ? ' again' : ''}`);
      if (played.hangs === file.name) await new Promise(() => undefined);
      onSent(file.size);
      if (played.failure) throw played.failure;
      signal.throwIfAborted();
    },
    abort: (id, why) => void calls.push(`abort ${id} ${why}`),
    leaveOut: (id, at) => void calls.push(`leave ${id} ${at}`),
    onFault: () => void calls.push('fault'),
    onShown: (isShown) => void calls.push(isShown ? 'shown' : 'hidden'),
    keep: (uploads) => void kept.push(uploads),
  });
  return { made, calls, kept };
}
const files = [new File(['abc'], 'a.txt'), new File(['de'], 'b.txt')];

it('[M-018] an upload is a row with its files and bytes, from the choice to the page', async () => {
  const { made, calls } = list();
  made.add(1, files);
  const next = [
    { at: 0, name: 'a.txt', size: 3, sent: 0 },
    { at: 1, name: 'b.txt', size: 2, sent: 0 },
  ];
  expect(made.rows()).toEqual([{ id: 1, name: 'a.txt', count: 2, size: 5, sent: 0, state: 'sending', next }]);
  await made.start(1, 'U');
  expect(made.rows()[0]).toMatchObject({ sent: 5, state: 'checking' });
  made.done(1);
  made.aborted(1, UPLOAD_END.host); // too late
  expect(made.rows()[0]?.state).toBe('done');
  made.remove(1);
  expect(calls).toEqual(['shown', 'send a.txt 0 U', 'send b.txt 1 U', 'hidden']);
});

it('[M-018] the bytes that have left are those of the files that the person still wants', () => {
  const { made } = list({ hangs: 'a.txt' });
  made.add(1, files);
  void made.start(1, 'U');
  made.received(1, 0, 2);
  expect(made.rows()[0]).toMatchObject({ count: 2, size: 5, sent: 2 });
  made.leaveOut(1, 0);
  expect(made.rows()[0]).toMatchObject({ count: 1, size: 2, sent: 0 });
});

it('goes on without a file that the person leaves out, also the one that is sent; without the last one it is canceled', async () => {
  const { made, calls } = list({ hangs: 'a.txt' });
  made.add(1, [...files, new File(['fghi'], 'c.txt'), new File(['j'], 'd.txt')]);
  const sending = made.start(1, 'U');
  made.leaveOut(1, 2);
  made.leaveOut(1, 2);
  expect(made.rows()[0]).toMatchObject({ name: 'a.txt', count: 3, size: 6, state: 'sending' });
  expect(made.rows()[0]?.next?.map(({ name }) => name)).toEqual(['a.txt', 'b.txt', 'd.txt']);
  made.leaveOut(1, 0);
  await sending;
  expect(made.rows()[0]).toMatchObject({ name: 'b.txt', count: 2, size: 3, sent: 3, state: 'checking', next: [] });
  const own = ['leave 1 2', 'leave 1 0', 'send b.txt 1 U', 'send d.txt 3 U'];
  expect(calls).toEqual(['shown', 'send a.txt 0 U', ...own]);
  made.add(2, files);
  made.leaveOut(2, 0);
  made.leaveOut(2, 1);
  expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'uploads.canceled' });
  expect(calls.slice(-2)).toEqual(['leave 2 0', 'abort 2 canceled']);
  made.add(
    3,
    Array.from({ length: 9 }, () => new File(['k'], 'k')),
  );
  expect(made.rows()[0]?.next).toHaveLength(5);
});

it('keeps its rows for the next document, and lists those of an earlier one', async () => {
  const { made, calls, kept } = list();
  const facts = { name: 'lost.txt', count: 2, size: 9 };
  made.addKept([], 'uploads.session-lost');
  expect(calls).toEqual([]);
  const blocked = { state: 'blocked', reason: 'uploads.blocked', message: 'No' } as const;
  const done = { ...facts, ended: { state: 'done' } } as const;
  made.addKept([facts, done, { ...facts, ended: blocked }], 'uploads.session-lost');
  made.addKept([], 'uploads.reloaded'); // of this session there are none
  const failed = { state: 'failed', reason: 'uploads.session-lost' } as const;
  expect(made.news()?.id).toBe(-1);
  expect(made.rows()).toEqual([
    { id: -1, ...facts, sent: 0, ...failed },
    { id: -2, ...facts, sent: 9, state: 'done' },
    { id: -3, ...facts, sent: 0, ...blocked },
  ]);
  const before = [{ ...facts, ended: failed }, done, { ...facts, ended: blocked }];
  expect(kept.at(-1)).toEqual(before);
  made.add(1, files);
  const own = { name: 'a.txt', count: 2, size: 5 };
  expect(kept.at(-1)).toEqual([own, ...before]);
  await made.start(1, 'U');
  made.done(1);
  expect(kept.at(-1)).toEqual([{ ...own, ended: { state: 'done' } }, ...before]);
  expect(kept.at(-1)?.map(readKept)).toEqual(kept.at(-1));
  made.close();
  expect(kept.at(-1)).toEqual([]);
  expect(calls.filter((call) => /^(?:shown|hidden)$/.test(call))).toEqual(['shown', 'hidden']);
});

it('takes what an earlier document has kept for what it is', () => {
  for (const odd of [undefined, null, 7, 'x', {}, { name: 7, count: 1, size: 1 }, { name: 'a', count: '1', size: 1 }])
    expect(readKept(odd)).toBeUndefined();
  const facts = { name: 'a', count: 1, size: 1 };
  expect(readKept({ ...facts, ended: { state: 'sending' }, more: 1 })).toEqual(facts);
  expect(readKept({ ...facts, ended: { state: 'done', reason: 7, message: {} } })).toEqual({
    ...facts,
    ended: { state: 'done' },
  });
});

it('waits for the person once the connection fails, and goes on with the file that was cut', async () => {
  const played = { failure: undefined as Error | undefined };
  const { made, calls, kept } = list(played);
  made.add(1, files);
  await made.retry(1); // there is nothing to send yet
  played.failure = new AppError('helper-failed', 'cut');
  await made.start(1, 'U');
  expect(made.rows()[0]).toMatchObject({ state: 'paused', sent: 3 });
  expect(made.news()).toMatchObject({ id: 1, state: 'paused' });
  expect(kept.at(-1)).toEqual([{ name: 'a.txt', count: 2, size: 5 }]);
  played.failure = undefined;
  await made.retry(1);
  await made.retry(1);
  expect(made.rows()[0]).toMatchObject({ state: 'checking', sent: 5 });
  expect(made.news()).toBeUndefined(); // it goes on
  expect(calls).toEqual(['shown', 'send a.txt 0 U', 'fault', 'send a.txt 0 U again', 'send b.txt 1 U']);
  made.add(2, files);
  played.failure = new AppError('helper-failed', 'cut');
  await made.start(2, 'V');
  made.cancel(2);
  await made.retry(2);
  expect(calls.slice(-3)).toEqual(['send a.txt 0 V', 'fault', 'abort 2 canceled']);
});

it('one that is cut while a password is asked for waits for the person after that, and goes on', async () => {
  const played = { failure: new AppError('helper-failed', 'cut') as Error | undefined };
  const { made } = list(played);
  made.add(1, files);
  const cut = made.start(1, 'U');
  made.locked(1);
  await cut;
  expect(made.rows()[0]?.state).toBe('locked');
  made.unlocked(1);
  expect(made.rows()[0]?.state).toBe('paused');
  // The question comes late.
  made.locked(1);
  played.failure = undefined;
  made.unlocked(1);
  const again = made.retry(1);
  expect(made.rows()[0]?.state).toBe('sending');
  made.locked(1);
  made.unlocked(1);
  expect(made.rows()[0]?.state).toBe('sending');
  await again;
  expect(made.rows()[0]?.state).toBe('checking');
});

it('a file that the browser does not read any more has changed: it is not sent again', async () => {
  const file = new File(['0123456789'], 'a');
  const unread = new DOMException('changed', 'NotReadableError');
  const read: unknown[] = [];
  const helper = { call: () => Promise.reject(new AppError('helper-failed', 'no response')) } as unknown as Helper; // all that is used of it
  file.slice = (...range) => {
    const part = new Blob(['0123456789']).slice(...range);
    part.arrayBuffer = () => {
      read.push(range);
      return Promise.reject(unread);
    };
    return part;
  };
  const on = { onCallFailed: () => undefined, onSent: () => undefined, signal: new AbortController().signal };
  const options = { helper, file, query: {}, ...on };
  const done = sendFile({ ...options, resume: () => Promise.reject(new Error('not asked')) });
  const fails = expect(done).rejects.toMatchObject({ code: 'file-changed' });
  await vi.advanceTimersByTimeAsync(60_000);
  await fails;
  expect(read).toEqual([[0, 1]]);

  const { made, calls } = list({ failure: new AppError('file-changed', 'changed') });
  made.add(1, files);
  await made.start(1, 'U');
  expect([made.rows()[0]?.reason, calls.at(-1)]).toEqual(['uploads.changed', 'abort 1 changed']);
});

it('says why one has ended', async () => {
  const { made, calls, kept } = list({ failure: new AppError('channel-dead', 'lost') });
  made.add(1, files);
  await made.start(1, 'U');
  expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'uploads.connection-lost' });
  expect(calls.slice(-2)).toEqual(['fault', 'abort 1 failed']);
  made.add(2, files);
  made.cancel(2);
  expect(calls.at(-1)).toBe('abort 2 canceled');
  made.add(3, files);
  made.aborted(3, UPLOAD_END.noRoom, 8);
  const noRoom = { state: 'failed', reason: 'uploads.no-room', most: 8 };
  expect(made.rows()[0]).toMatchObject(noRoom);
  expect(kept.at(-1)?.[0]).toMatchObject({ ended: noRoom });
  made.remove(3);
  made.add(3, files);
  made.aborted(3, UPLOAD_END.changed);
  made.add(4, files);
  made.blocked(4, 'uploads.blocked');
  expect(made.rows().map(({ state, reason }) => [state, reason])).toEqual([
    ['blocked', 'uploads.blocked'],
    ['failed', 'uploads.changed'],
    ['failed', 'uploads.canceled'],
    ['failed', 'uploads.connection-lost'],
  ]);
  made.close();
  expect([made.rows(), calls.at(-1)]).toEqual([[], 'hidden']);
});

it('[M-080] shows how much the host has of a file, and the room that there was where there is none', async () => {
  vi.stubGlobal('window', {}); // its storage is forbidden
  const { client, host, flush, overlay } = pluginHarness(manifest);
  host.commands.handle(pasteFiles, () => ({ id: 7 }));
  host.commands.handle(upload, () => undefined);
  const { paste, take } = await startClient(client);
  await paste(1, files);
  await flush();
  const { uploads } = overlay.filled[0]?.props as TrayProps;
  take(uploadProgress.name, { id: 7, file: 1, received: 2 });
  expect(uploads.rows()[0]).toMatchObject({ state: 'sending', sent: 2, size: 5 });
  take(uploadAborted.name, { id: 7, reason: UPLOAD_END.noRoom, most: 8 });
  expect(uploads.rows()[0]).toMatchObject({ state: 'failed', reason: 'uploads.no-room', most: 8 });
});
