import { expect, it } from 'vitest';
import { DialogQueue } from '../dialog-queue.ts';
import type { OpenDialog } from '../dialog-queue.ts';

/** A queue whose frame is not loaded before `load` is called. */
function made() {
  const shown: string[] = [];
  const dones: ((outcome: unknown) => void)[] = [];
  const calls: (() => void)[] = [];
  const frame = {} as HTMLIFrameElement; // only passed on
  const open: OpenDialog = (_document, { slot }, done) => {
    shown.push(`+${slot}`);
    dones.push(done);
    return () => shown.push(`-${slot}`);
  };
  const queue = new DialogQueue({
    frame: { call: (ready) => void calls.push(() => ready(frame, {} as Document)) },
    loadOpener: () => Promise.resolve(open),
    cover: () => {
      shown.push('covered');
      return () => shown.push('uncovered');
    },
    onFault: ({ message }) => shown.push(message),
  });
  const ask = (slot: string, signal?: AbortSignal): Promise<unknown> =>
    queue.ask('probe', slot, { load: () => Promise.reject(new Error('not loaded here')) }, {}, signal);
  const load = async (): Promise<void> => {
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    for (const call of calls.splice(0)) call();
  };
  return { shown, dones, ask, load };
}

it('[S-064] a dialog that is withdrawn while its frame loads is not shown, and the next one is', async () => {
  const { shown, dones, ask, load } = made();
  const over = new AbortController();
  const first = ask('first', over.signal);
  const second = ask('second');
  await Promise.resolve(); // the frame is asked for
  over.abort();
  expect(await first).toBeUndefined();
  await load();
  expect(shown).toEqual([]);
  await load();
  expect(shown).toEqual(['covered', '+second']);
  dones[0]?.(7);
  expect(await second).toBe(7);
  expect(shown).toEqual(['covered', '+second', '-second', 'uncovered']);
});
