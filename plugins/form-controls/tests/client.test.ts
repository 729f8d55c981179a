import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rendererToken } from '../../../core/index.ts';
import type { Renderer } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../client/index.ts';
import { manifest } from '../manifest.ts';
import { validateForm, validationOver } from '../protocol.ts';
import type { Problem } from '../protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function start() {
  const { client, clientServices, host, overlay, flush, disposeClient } = pluginHarness(manifest);
  const measured: unknown[] = [];
  const rects: Renderer['rects'] = (target) => {
    measured.push(target);
    return [];
  };
  clientServices.provide(rendererToken, { rects } as Partial<Renderer> as Renderer); // the plugin uses nothing else
  await activate(client);
  const say = async (problem: Problem, words = '', limit = ''): Promise<void> => {
    host.commands.send(validateForm, { frame: 3, epoch: 5, node: 7, problem, limit, words });
    await flush();
  };
  const over = async (): Promise<void> => {
    host.commands.send(validationOver, undefined);
    await flush();
  };
  return { say, over, measured, disposeClient, shown: () => overlay.filled.map(({ props }) => props) };
}

it('[M-064] shows the page’s own message as it is, and its words about a pattern beside the reason', async () => {
  const { say, shown, measured } = await start();
  await say('custom', 'Not free');
  expect(shown()).toMatchObject([{ text: 'Not free', hint: '' }]);
  await say('pattern', 'One b');
  expect(shown()).toMatchObject([{ text: 'form-controls.pattern', hint: 'One b' }]);
  (shown()[0] as { readonly measure: () => unknown }).measure();
  expect(measured).toEqual([{ frame: 3, epoch: 5, node: 7, x: 0, y: 0 }]);
});

it('[M-064] shows a report for five seconds, a long one for longer, counted anew for each', async () => {
  const { say, shown } = await start();
  await say('missing');
  vi.advanceTimersByTime(3000);
  await say('missing');
  vi.advanceTimersByTime(4999);
  expect(shown()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
  await say('custom', 'x'.repeat(200));
  vi.advanceTimersByTime(9999);
  expect(shown()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(shown()).toEqual([]);
});

it('[M-064] ends when the host says so, and with the plugin', async () => {
  const { say, over, shown, disposeClient } = await start();
  await say('missing');
  await over();
  expect(shown()).toEqual([]);
  await say('missing');
  disposeClient();
  expect(shown()).toEqual([]);
});
