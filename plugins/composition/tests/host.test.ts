import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { composition, insertion, key, notice, over, pageSelect, pageState, settled } from '../protocol.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function start(asked?: () => never) {
  const harness = pluginHarness(manifest);
  const { client, host, page, cdp, flush } = harness;
  let isComposing = true;
  page.in(1).handle(pageState, asked ?? (() => ({ isComposing, epoch: 3, seq: 1 })));
  client.reached(1, 3, 1);
  const heard: string[] = [];
  client.commands.handle(settled, ({ composition: id }) => void heard.push(`settled ${id}`));
  client.commands.handle(over, ({ composition: id }) => void heard.push(`over ${id}`));
  await activate(host);
  const events = (): string[] =>
    cdp.sent.splice(0).map(({ method, params }) => {
      const { text } = params as { readonly text: string };
      return `${method.slice('Input.'.length)} ${text}`;
    });
  const settle = async (): Promise<void> => {
    for (let time = 0; time < 4; time += 1) {
      await flush();
      await host.input.handled();
    }
  };
  const step = (id: number, state: 'start' | 'update' | 'end', text = ''): void =>
    client.commands.send(composition, { frame: 1, composition: id, state, text, start: text.length, end: text.length });
  return { ...harness, heard, events, settle, step, leave: () => (isComposing = false) };
}

it('[R-102] composes in the page step by step, and commits, or gives up, at the end', async () => {
  const { step, events, settle } = await start();
  step(1, 'start');
  step(1, 'update', 'に');
  step(1, 'update', 'にほ');
  step(1, 'end', '日本');
  step(2, 'start');
  step(2, 'update', 'x');
  step(2, 'end', '');
  await settle();
  expect(events()).toEqual([
    ...['imeSetComposition に', 'imeSetComposition にほ', 'insertText 日本'],
    ...['imeSetComposition x', 'imeSetComposition '],
  ]);
});

it('goes on while the page cannot be asked because its next document is awaited, but takes the place of nothing', async () => {
  const held = (): never => {
    throw new AppError('document-awaited', 'the page goes to another document', { retryable: true });
  };
  const { client, page, step, events, settle, heard } = await start(held);
  page.in(1).handle(pageSelect, held);
  step(1, 'start');
  step(1, 'update', 'に');
  step(1, 'update', 'にほ');
  step(1, 'end', '日本');
  client.commands.send(insertion, { frame: 1, text: 'beside', replaced: { before: 2, after: 0 } });
  await settle();
  expect([events(), heard]).toEqual([['imeSetComposition に', 'imeSetComposition にほ', 'insertText 日本'], []]);
});

it('[S-078] answers the notice, and ends then what was not ended', async () => {
  const { client, step, events, settle, heard } = await start();
  step(1, 'start');
  step(1, 'update', '가');
  client.commands.send(notice, { frame: 1, composition: 1 });
  await settle();
  expect([events(), heard]).toEqual([['imeSetComposition 가', 'insertText 가'], ['settled 1']]);
});

it('sends nothing of a composition that the page has ended by itself: it would be there twice', async () => {
  const { step, events, settle, heard, leave } = await start();
  step(1, 'start');
  step(1, 'update', 'a');
  await settle();
  leave();
  step(1, 'update', 'ab');
  step(1, 'end', 'ab');
  await settle();
  expect([events(), heard]).toEqual([['imeSetComposition a'], ['over 1']]);
});

it('ends a composition that never ends after two minutes, and one of a client that is gone', async () => {
  const { step, events, settle, heard, hostHooks } = await start();
  step(1, 'start');
  step(1, 'update', 'a');
  await settle();
  await vi.advanceTimersByTimeAsync(120_000);
  await settle();
  expect([events(), heard]).toEqual([['imeSetComposition a', 'insertText a'], ['over 1']]);
  step(2, 'start');
  step(2, 'update', 'b');
  await settle();
  hostHooks.clientAttached.call({ fresh: true });
  await settle();
  expect(events()).toEqual(['imeSetComposition b', 'insertText b']);
});

it('lets keys of an input method come up that are down when the person leaves', async () => {
  const { client, cdp, settle, hostHooks } = await start();
  const flags = { location: 0, repeat: false, modifiers: 0 };
  const sent = (): unknown[] => cdp.sent.splice(0).map(({ params }) => (params as { readonly type: string }).type);
  client.commands.send(key, { type: 'down', key: 'Process', code: 'KeyA', key_code: 229, ...flags });
  await settle();
  hostHooks.inputLost.call({ reason: 'away' });
  hostHooks.inputLost.call({ reason: 'away' });
  await settle();
  expect(sent()).toEqual(['rawKeyDown', 'keyUp']);
  client.commands.send(key, { type: 'down', key: 'Process', code: 'KeyA', key_code: 229, ...flags });
  client.commands.send(key, { type: 'up', key: 'Process', code: 'KeyA', key_code: 229, ...flags });
  await settle();
  hostHooks.inputLost.call({ reason: 'away' });
  await settle();
  expect(sent()).toEqual(['rawKeyDown', 'keyUp']);
});

it('types nothing beside text that it was to take the place of, where the page has that no more', async () => {
  const { client, page, events, settle, heard } = await start();
  page.in(1).handle(pageSelect, () => ({ isDone: false }));
  const replaced = { before: 4, after: 0 };
  client.commands.send(insertion, { frame: 1, text: 'hello', replaced });
  await settle();
  const step = { frame: 1, composition: 1, start: 5, end: 5 } as const;
  client.commands.send(composition, { ...step, state: 'update', text: 'hello', replaced });
  client.commands.send(composition, { ...step, state: 'update', text: 'hellow' });
  client.commands.send(composition, { ...step, state: 'end', text: 'hellow' });
  await settle();
  expect([events(), heard]).toEqual([[], ['over 1']]);
});
