import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { ednt, edtx, MOST_TEXT, pageCaret, pagePatch, pageState, patched } from '../protocol.ts';
import type { Patch } from '../protocol.ts';

const TARGET = { frame: 1, epoch: 3, node: 9, x: 0, y: 0 };
const patch = (old: string, text: string): Patch => ({ at: 0, before: '', old, text, after: '.' });

/** The host half over a page that finds these further on than expected, and nothing else. */
async function start(places: Readonly<Record<string, number>> = {}) {
  const harness = pluginHarness(manifest);
  const { client, host, page, cdp, flush } = harness;
  const asked: string[] = [];
  const answered: number[] = [];
  page.in(1).handle(pagePatch, ({ patch: { old }, shift }) => {
    asked.push(`${old} ${shift}`);
    return { shift: places[old] ?? null };
  });
  page.in(1).handle(pageCaret, () => void asked.push('caret'));
  page.in(1).handle(pageState, () => ({ isComposing: false, epoch: 3, seq: 1 }));
  client.reached(1, 3, 1);
  client.commands.handle(patched, ({ edit }) => void answered.push(edit));
  await activate(host);
  const settle = async (): Promise<void> => {
    for (let time = 0; time < 8; time += 1) {
      await flush();
      await host.input.handled();
    }
  };
  const typed = (): unknown[] => cdp.sent.map(({ method, params }) => [method, params]);
  return { ...harness, asked, answered, settle, typed };
}

it('[M-078] types each replacement where the page has found its place, and puts the caret back', async () => {
  const { client, settle, asked, answered, typed, recorded } = await start({ teh: 6, dgo: 7 });
  client.commands.send(edtx, { edit: 1, target: TARGET, patches: [patch('teh', 'the'), patch('dgo', 'dog')] });
  await settle();
  expect(asked).toEqual(['teh 0', 'caret', 'dgo 6', 'caret']);
  expect(typed()).toEqual([
    ['Input.insertText', { text: 'the' }],
    ['Input.insertText', { text: 'dog' }],
  ]);
  expect(answered).toEqual([1]);
  expect(Object.fromEntries(recorded.counts)).toEqual({ replaced: 2 });
});

it('[M-078] types nothing where the page has no such text, looks for the next, and answers', async () => {
  const { client, settle, asked, answered, typed, recorded } = await start({ dgo: 0 });
  client.commands.send(ednt, { edit: 1, target: TARGET, patches: [patch('seperate', 'a'), patch('dgo', '')] });
  await settle();
  expect(asked).toEqual(['seperate 0', 'dgo 7', 'caret']);
  const key = { key: 'Unidentified', windowsVirtualKeyCode: 229 };
  expect(typed()).toEqual([
    ['Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, commands: ['DeleteBackward'] }],
    ['Input.dispatchKeyEvent', { type: 'keyUp', ...key }],
  ]);
  expect(answered).toEqual([1]);
  expect(Object.fromEntries(recorded.counts)).toEqual({ unmatched: 1, replaced: 1 });
});

it('answers of a frame that has gone as well', async () => {
  const { client, settle, answered, typed } = await start();
  client.commands.send(edtx, { edit: 1, target: { ...TARGET, frame: 12 }, patches: [patch('a', 'b')] });
  await settle();
  expect([answered, typed()]).toEqual([[1], []]);
});

it('refuses edits with more patches or more text than a client of ours sends', async () => {
  const { client, settle, asked, faults } = await start();
  const most = 'x'.repeat(MOST_TEXT);
  for (const patches of [
    [],
    Array.from({ length: 33 }, () => patch('a', 'b')),
    [patch(most, most), patch('a', 'b')],
    [{ ...patch('a', 'b'), before: 'x'.repeat(33) }],
  ])
    client.commands.send(edtx, { edit: 1, target: TARGET, patches });
  await settle();
  expect(asked).toEqual([]);
  expect(faults.length).toBeGreaterThan(0);
});
