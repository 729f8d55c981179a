import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import type { Helper } from '../../../core/index.ts';
import { sendFile } from '../client/send-file.ts';
import { Uploads } from '../client/uploads.ts';
import { UPLOAD_END } from '../protocol.ts';

const MIB = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Sent {
  readonly offset: string;
  readonly size: number;
}

/** Sends a file of a size to a helper that fails as often as said. */
function send(size: number, { fails = [] as number[], received = (): number | undefined => undefined } = {}) {
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
  const done = sendFile({ helper, file, query: { upload_id: 'U' }, received, onSent, signal: over.signal });
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
  const { sent, done } = send(10, { fails: [1], received: () => 4 });
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
  const lost = send(10, { fails: [1], received: () => 10 });
  const empty = send(0, { fails: [1] });
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all([lost.done, empty.done]);
  expect([lost.sent.length, empty.sent.length]).toEqual([1, 2]);
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

function list({ fails = false } = {}) {
  const calls: string[] = [];
  const kept: (readonly object[])[] = [];
  const made = new Uploads({
    send: async (file, at, { uploadId, onSent, signal }) => {
      calls.push(`send ${file.name} ${at} ${uploadId}`);
      onSent(file.size);
      if (fails) throw new Error('network');
      signal.throwIfAborted();
    },
    abort: (id, hasFailed) => void calls.push(`abort ${id} ${hasFailed}`),
    onFault: () => void calls.push('fault'),
    onShown: (isShown) => void calls.push(isShown ? 'shown' : 'hidden'),
    onUnfinished: (uploads) => void kept.push(uploads),
  });
  return { made, calls, kept };
}
const files = [new File(['abc'], 'a.txt'), new File(['de'], 'b.txt')];

it('[M-018] an upload is a row with its files and bytes, from the choice to the page', async () => {
  const { made, calls } = list();
  made.add(1, files);
  expect(made.rows()).toEqual([{ id: 1, name: 'a.txt', count: 2, size: 5, sent: 0, state: 'sending' }]);
  await made.start(1, 'U');
  expect(made.rows()[0]).toMatchObject({ sent: 5, state: 'checking' });
  made.done(1);
  made.aborted(1, UPLOAD_END.host); // too late
  expect(made.rows()[0]?.state).toBe('done');
  made.remove(1);
  expect(calls).toEqual(['shown', 'send a.txt 0 U', 'send b.txt 1 U', 'hidden']);
});

it('says which uploads are not over, and lists those that went with a session', async () => {
  const { made, calls, kept } = list();
  const facts = { name: 'lost.txt', count: 2, size: 9 };
  made.addLost([]);
  expect(calls).toEqual([]);
  made.addLost([facts]);
  expect(made.rows()[0]).toMatchObject({ ...facts, state: 'failed', reason: 'uploads.session-lost' });
  made.add(1, files);
  expect(kept.at(-1)).toEqual([{ name: 'a.txt', count: 2, size: 5 }]);
  await made.start(1, 'U');
  made.done(1);
  expect(kept.at(-1)).toEqual([]);
  made.close();
  expect(calls.filter((call) => /^(?:shown|hidden)$/.test(call))).toEqual(['shown', 'hidden']);
});

it('says why one has ended', async () => {
  const { made, calls } = list({ fails: true });
  made.add(1, files);
  await made.start(1, 'U');
  expect(made.rows()[0]).toMatchObject({ state: 'failed', reason: 'uploads.connection-lost' });
  expect(calls.slice(-2)).toEqual(['fault', 'abort 1 true']);
  made.add(2, files);
  made.cancel(2);
  expect(calls.at(-1)).toBe('abort 2 false');
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
