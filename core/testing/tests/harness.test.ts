import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { SLOTS, slot, token } from '../../index.ts';
import type { DialogProps } from '../../index.ts';
import { PLUGIN_API } from '../../contracts/manifest.ts';
import { message } from '../../protocol/message.ts';
import { pluginHarness } from '../harness.ts';

const ask = message('probe.ask', {
  direction: 'client-to-host',
  params: v.object({ a: v.number() }),
  result: v.object({ doubled: v.number() }),
});
const tell = message('probe.tell', { direction: 'host-to-client', params: v.object({ text: v.string() }) });
const seen = message('probe.seen', { direction: 'page-to-host', params: v.object({ count: v.number() }) });

const manifest = {
  id: 'probe',
  version: '1.0.0',
  api: PLUGIN_API,
  description: 'A plugin for the harness',
  activation: 'boot',
  protocol: { ask, tell, seen },
  permissions: { cdp: ['Page.reload', 'Page.*'] },
} as const;

describe('plugin harness', () => {
  it('sends messages in both directions through the real endpoints, and rejects wrong ones', async () => {
    const { client, host, flush, faults } = pluginHarness(manifest);
    const received: string[] = [];
    client.commands.handle(tell, ({ text }) => void received.push(text));
    host.commands.handle(ask, ({ a }) => ({ doubled: 2 * a }));
    host.commands.send(tell, { text: 'one' });
    host.commands.send(tell, { text: 2 } as never);
    host.commands.send(tell, { text: 'three' });
    expect(await client.commands.call(ask, { a: 21 })).toEqual({ doubled: 42 });
    await flush();
    expect(received).toEqual(['one', 'three']);
    expect(faults.map(({ code }) => code)).toEqual(['bad-message']);
  });

  it('needs no timer, so it works with a fake clock', async () => {
    vi.useFakeTimers();
    try {
      const { client, host, flush } = pluginHarness(manifest);
      host.commands.handle(ask, async ({ a }) => {
        await new Promise((resolve) => setTimeout(resolve, 60_000));
        return { doubled: 2 * a };
      });
      const answer = client.commands.call(ask, { a: 1 }, { deadlineMs: 120_000 });
      await flush();
      await vi.advanceTimersByTimeAsync(60_000);
      await flush();
      expect(await answer).toEqual({ doubled: 2 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('simulates page halves, frames and CDP within the manifest', async () => {
    const { host, page, frames, cdp, flush, faults } = pluginHarness(manifest);
    const counts: [number, string][] = [];
    host.page.handle(seen, ({ count }, frame) => void counts.push([count, frame.url]));
    frames.load({ id: 2, url: 'https://inner.test/' });
    page.in(2).send(seen, { count: 3 });
    page.in(9).send(seen, { count: 4 });
    await flush();
    expect(counts).toEqual([[3, 'https://inner.test/']]);
    expect(faults.map(({ code }) => code)).toEqual(['frame-gone']);
    cdp.answer('Page.reload', () => ({}));
    await host.cdp.send(0, 'Page.reload', {});
    expect(cdp.sent).toEqual([{ frame: 0, method: 'Page.reload', params: {} }]);
    await expect(host.cdp.send(0, 'DOM.getDocument')).rejects.toMatchObject({ code: 'cdp-not-permitted' });
  });

  it('undoes all registrations of a half on disposal', async () => {
    const harness = pluginHarness(manifest);
    const { client, clientHooks, clientServices, overlay, host, cdp, flush, faults } = harness;
    const word = token<string>('probe.word');
    const undone: string[] = [];
    client.commands.handle(tell, () => undefined);
    client.services.provide(word, 'hello');
    client.hooks.tap(clientHooks.ready, () => void undone.push('tapped'));
    client.slots.fill(SLOTS.bar, { load: () => Promise.resolve({ default: () => null }) }, {});
    client.onDispose(() => undone.push('first'));
    client.onDispose(() => undone.push('second'));
    const dialog = client.slots.ask(
      slot<DialogProps<string>>('probe.dialog', 'dialog'),
      { load: () => Promise.reject(new Error('never shown')) },
      {},
    );
    host.cdp.enable('Page');
    expect(overlay.filled).toHaveLength(1);
    expect(overlay.asked).toHaveLength(1);
    harness.disposeClient();
    harness.disposeHost();
    clientHooks.ready.call({ url: '' });
    expect(await dialog).toBeUndefined();
    expect(undone).toEqual(['second', 'first']);
    expect(client.signal.aborted).toBe(true);
    expect(clientServices.find(word)).toBeUndefined();
    expect(overlay.filled).toEqual([]);
    expect(cdp.enabled).toEqual([]);
    host.commands.send(tell, { text: 'late' });
    await flush();
    expect(faults.map(({ code }) => code)).toEqual(['unknown-message']);
  });

  it('answers dialogs as set by the test', async () => {
    const { client, overlay } = pluginHarness(manifest);
    const answer = client.slots.ask(
      slot<{ text: string } & DialogProps<number>>('probe.dialog', 'dialog'),
      { load: () => Promise.reject(new Error('never shown')), role: 'alertdialog' },
      { text: 'sure?' },
    );
    expect(overlay.asked[0]).toMatchObject({ slot: 'probe.dialog', role: 'alertdialog', props: { text: 'sure?' } });
    overlay.asked[0]?.answer(7);
    expect(await answer).toBe(7);
    expect(overlay.asked).toEqual([]);
  });
});
