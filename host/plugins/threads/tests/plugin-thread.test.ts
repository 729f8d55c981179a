import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { PluginThread } from '../plugin-thread.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-thread-'));
const file = path.join(folder, 'half.ts');
writeFileSync(file, 'export const activate = () => undefined;');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void vi.useRealTimers());

/** A thread that checks a half, in the time of the test. What comes of it is `ready`, or the code of its end. */
function start(): { readonly thread: PluginThread; readonly outcome: Promise<string> } {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { promise: outcome, resolve } = Promise.withResolvers<string>();
  const task = { kind: 'check', file, exported: 'activate' } as const;
  const listener = {
    onMessage: ([what]: readonly unknown[]) => resolve(String(what)),
    onEnd: ({ code }: { readonly code: string }) => resolve(code),
  };
  return { thread: new PluginThread(folder, [], task, listener), outcome };
}

describe('the start of a thread', () => {
  it('may take longer than a thread may hang: a busy machine loads its modules slowly', async () => {
    const { thread, outcome } = start();
    vi.advanceTimersByTime(50_000);
    expect(await outcome).toBe('ready');
    thread.dispose();
  });

  it('is not waited for without end', async () => {
    const { outcome } = start();
    vi.advanceTimersByTime(60_000);
    expect(await outcome).toBe('plugin-hung');
  });
});
