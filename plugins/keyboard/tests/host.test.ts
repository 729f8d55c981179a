import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import type { InputTurn, ParamsOf } from '../../../host/plugin.ts';
import { HeldKeys, MAX_HELD } from '../host/held-keys.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { insertText, keyboard, keyControl, pageLeaves } from '../protocol.ts';
import { PREVENTABLE } from '../browser-shortcuts.ts';

/** Resolves when all events have had their turns. */
async function allTurns({ flush, host }: Pick<ReturnType<typeof pluginHarness>, 'flush' | 'host'>): Promise<void> {
  await flush();
  await host.input.handled();
  await flush();
}

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

it('[R-102] presses the keys of each side, and of the keypad, where they are', async () => {
  const harness = pluginHarness(manifest);
  await activate(harness.host);
  for (const location of [0, 1, 2, 3])
    harness.client.commands.send(keyboard, { ...KEY, location, type: 'down', key: 'Enter', text: '\r' });
  await allTurns(harness);
  const places = harness.cdp.sent.map(
    ({ params }) => params as { readonly location: number; readonly isKeypad: boolean },
  );
  expect(places.map(({ location, isKeypad }) => [location, isKeypad])).toEqual([
    [0, false],
    [1, false],
    [2, false],
    [3, true],
  ]);
});

it('[R-093] presses keys under their names and codes, with the modifiers that are held', async () => {
  const harness = pluginHarness(manifest);
  await activate(harness.host);
  const { shift, ctrl, alt, meta } = INPUT_FLAGS;
  const key = { key: 'F2', code: 'F2' };
  for (const modifiers of [shift, ctrl, alt, meta, shift | ctrl | alt | meta])
    harness.client.commands.send(keyboard, { ...KEY, ...key, key_code: 113, type: 'down', text: '', modifiers });
  await allTurns(harness);
  expect(harness.cdp.sent.map(({ params }) => params)).toMatchObject(
    [8, 2, 1, 4, 15].map((modifiers) => ({ ...key, type: 'rawKeyDown', windowsVirtualKeyCode: 113, modifiers })),
  );
});

it('says when a key went down, so that those of a burst keep their distance', async () => {
  const { client, host, flush } = pluginHarness(manifest);
  const kinds: unknown[] = [];
  const enqueue: typeof host.input.enqueue = async (_apply, kind) => {
    kinds.push(kind);
    return true;
  };
  await activate({ ...host, input: { ...host.input, enqueue } });
  for (const type of ['down', 'up'] as const)
    client.commands.send(keyboard, { ...KEY, type, key: 'a', text: 'a', at: 1_700_000_000_123 });
  await flush();
  expect(kinds).toEqual([{ isPress: true, pressedAt: 1_700_000_000_123 }, { isPress: false }]);
});

it('edits by the keys of a Mac, which the surrogate’s Chromium does not know', async () => {
  const harness = pluginHarness(manifest);
  const { client, host, cdp } = harness;
  await activate(host);
  const { meta, alt, shift, ctrl } = INPUT_FLAGS;
  const keys = [
    ...([
      ['a', meta],
      ['Z', meta | shift],
      ['constructor', meta],
      ['ArrowLeft', meta],
      ['ArrowLeft', meta | shift],
    ] as const),
    ...([
      ['Backspace', meta],
      ['ArrowRight', alt],
      ['Backspace', alt],
      ['ArrowUp', alt | shift],
      ['a', ctrl],
    ] as const),
    ...([
      ['ArrowLeft', 0],
      ['ArrowLeft', meta | ctrl],
    ] as const),
  ];
  for (const [key, modifiers] of keys)
    client.commands.send(keyboard, { ...KEY, type: 'down', key, text: '', modifiers });
  await allTurns(harness);
  expect(cdp.sent.flatMap(({ params }) => (params as { commands: readonly string[] }).commands.join() || '-')).toEqual([
    ...['selectAll', 'redo', '-', 'moveToBeginningOfLine', 'moveToBeginningOfLineAndModifySelection'],
    ...[
      'deleteToBeginningOfLine',
      'moveWordRight',
      'deleteWordBackward',
      'moveToBeginningOfParagraphAndModifySelection',
    ],
    ...['-', '-', '-'],
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

/** The host half, with what the page has been sent as `type key`. */
async function start() {
  const harness = pluginHarness(manifest);
  await activate(harness.host);
  const send = (type: 'down' | 'up', key: string, more: Partial<ParamsOf<typeof keyboard>> = {}): void =>
    harness.client.commands.send(keyboard, { ...KEY, type, key, code: key, text: '', ...more });
  const pressed = async (): Promise<string[]> => {
    await allTurns(harness);
    return harness.cdp.sent.splice(0).map(({ params }) => {
      const { type, key } = params as Readonly<Record<string, string>>; // as the half has made it
      return `${type ?? ''} ${key ?? ''}`;
    });
  };
  return { ...harness, send, pressed };
}

describe('keys that come up unseen', () => {
  it.each(['away', 'gone'] as const)('come up in the page, once each, when the person is %s', async (reason) => {
    const { send, pressed, hostHooks } = await start();
    for (const key of ['Shift', 'a', 'b']) send('down', key, { modifiers: INPUT_FLAGS.shift });
    send('down', 'a', { repeat: true });
    send('up', 'b');
    await pressed();
    hostHooks.inputLost.call({ reason });
    expect(await pressed()).toEqual(['keyUp Shift', 'keyUp a']);
    hostHooks.inputLost.call({ reason });
    expect(await pressed()).toEqual([]);
  });

  it('are forgotten with the page: the next one has heard of none', async () => {
    const { send, pressed, hostHooks } = await start();
    send('down', 'a');
    await pressed();
    hostHooks.replaced.call({ reason: 'crashed' });
    hostHooks.inputLost.call({ reason: 'away' });
    expect(await pressed()).toEqual([]);
  });

  it('come up with Command on a Mac, which reports no release while it is down', async () => {
    const { send, pressed } = await start();
    send('down', 'Shift');
    send('down', 'Meta');
    send('down', 'k', { modifiers: INPUT_FLAGS.meta });
    send('up', 'Meta');
    expect((await pressed()).slice(3)).toEqual(['keyUp Meta', 'keyUp k']);
  });

  it('are a bounded set, whatever a client sends: past it the oldest comes up', async () => {
    const { send, pressed, hostHooks } = await start();
    const sent: string[] = [];
    for (let key = 0; key < 10 * MAX_HELD; key += 1) {
      send('down', `x${key}`);
      sent.push(...(await pressed()));
    }
    expect(sent.filter((each) => each.startsWith('keyUp'))).toHaveLength(9 * MAX_HELD);
    hostHooks.inputLost.call({ reason: 'away' });
    expect(await pressed()).toHaveLength(MAX_HELD);
  });

  it('come up before the next key where their release was dropped', () => {
    const pressed: string[] = [];
    const held = new HeldKeys((_turn, { type, key }) => void pressed.push(`${type} ${key}`));
    const turn = {} as InputTurn; // what it is given is passed on
    const key = { ...KEY, type: 'down', key: 'a', text: 'a' } as const;
    held.apply(turn, key);
    held.owe({ ...key, type: 'up' });
    held.apply(turn, { ...key, key: 'b', code: 'KeyB' });
    expect(pressed).toEqual(['down a', 'up a', 'down b']);
  });
});

it('puts text there that is longer than Chromium takes with a key', async () => {
  const harness = await start();
  harness.send('down', 'cʼh', { text: 'cʼh' });
  harness.send('down', 'long', { text: 'long!' });
  await allTurns(harness);
  expect(harness.cdp.sent.map(({ method, params }) => [method, (params as { text?: string }).text])).toEqual([
    ['Input.dispatchKeyEvent', 'cʼh'],
    ['Input.dispatchKeyEvent', undefined],
    ['Input.insertText', 'long!'],
  ]);
});

it('refuses keys that are none', async () => {
  const { client, faults, pressed } = await start();
  const long = 'x'.repeat(51);
  const bad = [{ type: 'press' }, { text: long }, { code: long }, { modifiers: 4096 }];
  for (const each of bad)
    client.commands.send(keyboard, { ...KEY, type: 'down', key: 'a', text: '', ...each } as never); // none of its type
  expect(await pressed()).toEqual([]);
  expect(faults.map(({ code }) => code)).toEqual(bad.map(() => 'bad-message'));
});

describe('shortcuts of the browser', () => {
  it('[M-022] [M-093] are held back where key_ctrl_wait is on, each until a page leaves it to the browser', async () => {
    const harness = pluginHarness(manifest);
    const { host, hostHooks, page, flush } = harness;
    let waits = true;
    const policy = (): ReturnType<typeof host.tab.policy> => {
      const { site_capabilities: site, ...rest } = host.tab.policy();
      return { ...rest, site_capabilities: { ...site, key_ctrl_wait: waits } };
    };
    const heard: string[] = [];
    harness.client.commands.handle(keyControl, ({ held }) => void heard.push(held));
    await activate({ ...host, tab: { ...host.tab, policy } });
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    page.in(1).send(pageLeaves, { shortcut: 'mod+l' });
    page.in(1).send(pageLeaves, { shortcut: 'mod+t' }); // none that a page may have
    await flush();
    expect(heard).toEqual([PREVENTABLE.join(' '), PREVENTABLE.filter((each) => each !== 'mod+l').join(' ')]);
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/#part', sameDocument: true });
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/next', sameDocument: false });
    waits = false;
    hostHooks.policyChanged.call({ policy: policy() });
    await flush();
    expect(heard.slice(2)).toEqual([PREVENTABLE.join(' '), '']);
    waits = true;
    hostHooks.policyChanged.call({ policy: policy() });
    for (const fresh of [false, true]) hostHooks.clientAttached.call({ fresh }); // one that is new has heard nothing
    await flush();
    expect(heard.slice(4)).toEqual([PREVENTABLE.join(' '), PREVENTABLE.join(' ')]);
  });
});
