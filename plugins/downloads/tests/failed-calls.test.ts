import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import type { TrayProps } from '../client/tray.tsx';
import { manifest } from '../manifest.ts';
import { downloadRequested, downloadStatusUpdated } from '../protocol.ts';
import { RECORD } from './record.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('[S-106] calls to the host that fail are reported by their labels, and those that are stopped are not', async () => {
  /** Answers in their order: a status, a body, or none. */
  const answers: (number | object)[] = [503, { action: 'pending' }, 0, { action: 'pending' }, { action: 'allow' }, 404];
  vi.stubGlobal('fetch', async (_path: string, { signal }: { signal: AbortSignal }) => {
    const answer = answers.shift();
    if (answer === undefined) {
      await new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    }
    if (answer === 0) throw new TypeError('network');
    return typeof answer === 'number' ? new Response('', { status: answer }) : Response.json(answer);
  });
  const link = { click: () => undefined, remove: () => undefined };
  vi.stubGlobal('window', {}); // its storage is forbidden
  vi.stubGlobal('document', { createElement: () => link, body: { append: () => undefined } });
  const { client, host, flush, overlay, events } = pluginHarness(manifest);
  const settle = async (): Promise<void> => {
    await flush();
    await vi.advanceTimersByTimeAsync(5000);
    await flush();
  };
  await activate(client);
  host.commands.send(downloadRequested, RECORD);
  host.commands.send(downloadStatusUpdated, { id: 1, status: 'finished', received: 1 });
  await settle();
  const failed = (label: string, status: number): object => ({
    name: 'tc-server-call-failed',
    data: { label, data: { status } },
  });
  expect(events).toMatchObject([failed('tc_processing', 503)]);
  const { transfers } = overlay.filled[0]?.props as TrayProps;
  transfers.retry(1);
  await settle();
  expect(transfers.rows()[0]?.state).toBe('saved');
  expect(events.slice(1)).toMatchObject([failed('tc_status', 0)]);
  transfers.save(1);
  await settle();
  expect(events.slice(2)).toMatchObject([failed('tc_status', 404)]);
  transfers.retry(1);
  await settle();
  transfers.cancel(1);
  await settle();
  expect(events).toHaveLength(3);
});
