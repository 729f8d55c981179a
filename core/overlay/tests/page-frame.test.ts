import { expect, it, vi } from 'vitest';
import { PageFrame } from '../page-frame.ts';
import { PATIENCE_MS } from '../../testing/patience.ts';

it('[S-064] is not loaded, loading or ready: 0, 1 or 2; calls made before are replayed in order when it is ready', async () => {
  const sheet = { getAttribute: () => '/dialog.css' };
  const inner = { contentType: 'text/html', querySelectorAll: () => [sheet] };
  const frame = Object.assign(new EventTarget(), {
    contentDocument: inner,
    contentWindow: { performance: { getEntriesByType: () => [{ responseStatus: 200 }] } },
  });
  const append = vi.fn();
  const document = { createElement: () => frame, body: { append } };
  const pageFrame = new PageFrame({
    document: document as unknown as Document, // all that it uses
    origin: 'https://vitrine.test',
    hash: 'h',
    apiVersion: 3,
    style: '/dialog.css',
    report: () => undefined,
  });
  const calls: unknown[] = [];
  const call = (name: string): void =>
    pageFrame.call(
      (given, shown) => void calls.push([name, given === (frame as unknown), shown === (inner as unknown)]),
      () => void calls.push(`${name} failed`),
    );
  expect(pageFrame.state).toBe(0);
  for (const name of ['one', 'two', 'three']) call(name);
  expect([pageFrame.state, calls, append.mock.calls.length]).toEqual([1, [], 1]);
  frame.dispatchEvent(new Event('load'));
  await vi.waitFor(() => expect(pageFrame.state).toBe(2), PATIENCE_MS);
  call('four');
  expect(calls).toEqual(['one', 'two', 'three', 'four'].map((name) => [name, true, true]));
});
