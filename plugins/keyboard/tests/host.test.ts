import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { insertText, keyboard } from '../protocol.ts';

const KEY = { frame: 2, code: 'KeyA', key_code: 65, location: 0, repeat: false, modifiers: 0 } as const;

it('presses keys in the page and puts text there, in the page’s own session and in order', async () => {
  const { client, host, cdp, flush } = pluginHarness(manifest);
  await activate(host);
  client.commands.send(keyboard, { ...KEY, type: 'down', key: 'a', text: 'a' });
  client.commands.send(insertText, { frame: 2, text: '日本' });
  client.commands.send(keyboard, { ...KEY, type: 'up', key: 'a', text: '' });
  client.commands.send(keyboard, { ...KEY, type: 'down', key: 'Shift', text: '', modifiers: INPUT_FLAGS.shift });
  await flush();
  expect(cdp.sent.map(({ frame, method, params }) => [frame, method, (params as { type?: string }).type])).toEqual([
    [0, 'Input.dispatchKeyEvent', 'keyDown'],
    [0, 'Input.insertText', undefined],
    [0, 'Input.dispatchKeyEvent', 'keyUp'],
    [0, 'Input.dispatchKeyEvent', 'rawKeyDown'],
  ]);
  expect(cdp.sent[0]?.params).toMatchObject({ text: 'a', unmodifiedText: 'a', windowsVirtualKeyCode: 65 });
  expect(cdp.sent[3]?.params).toMatchObject({ modifiers: 8 });
});

it('edits by the shortcuts with Command, which the surrogate’s Chromium does not know', async () => {
  const { client, host, cdp, flush } = pluginHarness(manifest);
  await activate(host);
  for (const key of ['a', 'Z', 'constructor'])
    client.commands.send(keyboard, { ...KEY, type: 'down', key, text: '', modifiers: INPUT_FLAGS.meta });
  await flush();
  expect(cdp.sent.map(({ params }) => (params as { commands?: unknown }).commands)).toEqual([
    ['selectAll'],
    ['redo'],
    [],
  ]);
});

it('takes a key that goes down for an act of the person, and one that comes up for none', async () => {
  const { client, host, flush } = pluginHarness(manifest);
  await activate(host);
  const { actedAt } = host.input.gesture;
  client.commands.send(keyboard, { ...KEY, type: 'up', key: 'Escape', text: '' });
  await flush();
  expect(host.input.gesture.actedAt).toBe(actedAt);
  client.commands.send(keyboard, { ...KEY, type: 'down', key: 'a', text: 'a' });
  await flush();
  expect(host.input.gesture.actedAt).toBeGreaterThan(actedAt);
});
