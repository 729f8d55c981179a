import { describe, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import type { SettingValues } from '../../../core/contracts/setting.ts';
import { clipboardToken } from '../host/clipboard.ts';
import { Incoming, PIECE_DEADLINE_MS } from '../host/incoming.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import * as protocol from '../protocol.ts';
import type { Copied, PasteRequest, Refusal } from '../protocol.ts';
import { after, arriving } from './arriving.ts';
import { stopClock, surrogate } from './surrogate.ts';

type Policy = ReturnType<ReturnType<typeof pluginHarness<typeof manifest>>['host']['tab']['policy']>;
type Rules = SettingValues<typeof manifest>['copy_paste'];

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A paste of nothing. */
const REQUEST = { text: 0, html: 0, rtf: 0, picture: 0, own: false, plain: false, by_key: true, meta: false };

stopClock();

/** A tab over a surrogate's clipboard, and the order of its input, as a test plays them. */
async function start(rules: Partial<Rules> = {}, { done, held, clipboard } = surrogate()) {
  const state = {
    get content() {
      return held.content;
    },
    set content(content) {
      held.content = content;
    },
    actedAt: performance.now(),
    rules: rules as Partial<Rules> | Error,
  };
  let turn = Promise.resolve();
  const order = (run: () => Promise<void>): void => void (turn = turn.then(run));
  const harness = pluginHarness(manifest, { order, actedAt: () => state.actedAt });
  const { client, cdp, host, page, flush } = harness;
  const settings = host.tab.policy();
  cdp.answer('Input.dispatchKeyEvent', ({ type, commands }: { type: string; commands?: string[] }) => {
    done.push(`${type} ${commands?.join() ?? ''}: ${JSON.stringify(state.content.text)}`);
  });
  const policy = (): Policy => {
    if (state.rules instanceof Error) throw state.rules;
    return { ...settings, copy_paste: { ...settings.copy_paste, ...state.rules } };
  };
  harness.hostServices.provide(clipboardToken, clipboard);
  await activate({ ...host, tab: { ...host.tab, policy } });
  const told: (Copied & { readonly picture?: Buffer })[] = [];
  const refusals: Refusal[] = [];
  const modals: unknown[] = [];
  const guards: unknown[] = [];
  client.commands.handle(protocol.copied, async (content, body) => {
    const picture = await body.bytes();
    told.push({ ...content, ...(picture.length > 0 && { picture: Buffer.from(picture) }) });
  });
  client.commands.handle(protocol.refused, (refusal) => void refusals.push(refusal));
  client.commands.handle(protocol.displayCopyPasteModal, () => void modals.push(1));
  page.in(1).handle(protocol.guard, (may) => void guards.push(may));
  const settle = async (): Promise<void> => {
    for (let times = 0; times < 5; times += 1) {
      await flush();
      await turn;
    }
  };
  const paste = async (
    content: { readonly text?: string; readonly html?: string; readonly picture?: Uint8Array },
    more: Partial<PasteRequest> = {},
  ): Promise<void> => {
    const text = Buffer.from(content.text ?? '');
    const html = Buffer.from(content.html ?? '');
    const picture = content.picture ?? Buffer.of();
    const request = { ...REQUEST, text: text.length, html: html.length, picture: picture.length, ...more };
    client.commands.send(protocol.paste, request, { body: Buffer.concat([text, html, picture]) });
    await settle();
  };
  const command = async (name: protocol.Command, byKey = true): Promise<void> => {
    client.commands.send(protocol.execCommand, { command: name, by_key: byKey });
    await settle();
  };
  const change = async (sure = true): Promise<void> => {
    page.in(1).send(protocol.changed, { sure, here: false });
    await settle();
  };
  return { ...harness, clipboard, state, done, told, refusals, modals, guards, paste, command, change, settle };
}

describe('a paste', () => {
  it('[R-097] is put into the surrogate’s clipboard, pasted by a trusted key, and taken out again', async () => {
    const { paste, done, refusals, faults } = await start();
    await paste({ text: 'text', html: '<b>' });
    await paste({ text: 'plain' }, { plain: true, by_key: false });
    expect(done).toEqual([
      ...['write text,html', 'rawKeyDown paste: "text"', 'write '],
      ...['write text', 'rawKeyDown pasteAndMatchStyle: "plain"', 'keyUp : "plain"', 'write '],
    ]);
    expect([refusals, faults]).toEqual([[], []]);
  });

  it('of files presses the key, and keeps the page from pasting what the clipboard has', async () => {
    const { command, done, guards, refusals } = await start();
    await command('file-paste');
    expect(done).toEqual(['write ', 'rawKeyDown paste: undefined', 'write ']);
    expect(guards).toEqual([
      { copy: true, paste: false },
      { copy: true, paste: true },
    ]);
    expect(refusals).toEqual([]);
  });

  it('of what the page has copied goes by the surrogate’s own clipboard, which has all of it', async () => {
    const { paste, command, change, done, state, modals } = await start();
    state.content = { text: 'two\r\nlines' };
    await paste({ text: 'two\nlines' }, { own: true });
    state.content = { text: 'own' };
    await change();
    await paste({ text: 'of the view' }, { own: true });
    await command('paste');
    const raw = 'rawKeyDown paste:';
    expect(done).toEqual([`${raw} "two\\r\\nlines"`, `${raw} "own"`, `${raw} "own"`]);
    state.content = {};
    await paste({ text: 'of the view' }, { own: true });
    expect(done).toContain('rawKeyDown paste: "of the view"');
    await command('paste');
    expect(modals).toHaveLength(1);
  });

  it('of what the page has copied is never what another page has put there since', async () => {
    const { paste, command, change, done, state, modals } = await start();
    state.content = { text: 'harmless' };
    await change();
    state.actedAt = performance.now() - 2001;
    state.content = { text: 'evil' };
    await change();
    await command('paste');
    expect([done, modals.length]).toEqual([[], 1]);
    await paste({ text: 'harmless' }, { own: true });
    expect(done).toEqual(['write text', 'rawKeyDown paste: "harmless"', 'write ']);
  });

  it('[R-060] is judged by the policy of the page that is there when it is its turn', async () => {
    const { paste, clipboard, state, done, refusals, settle } = await start();
    const { promise, resolve } = Promise.withResolvers<void>();
    void clipboard.use(() => promise);
    const pasting = paste({ text: 'too long', html: '<b>' });
    await new Promise((done) => setTimeout(done));
    state.rules = { restrict_paste: true, char_len_limit_if_paste_restricted: 5 };
    resolve();
    await pasting;
    await settle();
    expect([done, refusals]).toEqual([[], [{ action: 'paste', reason: 'policy', limit: 5 }]]);
  });

  it('[R-097] is announced, and may be of nothing', async () => {
    const { command, done, state } = await start();
    state.content = { text: 'own' };
    await command('pre-paste');
    await command('empty-paste');
    await command('cut', false);
    expect(done).toEqual([
      'warm',
      'write ',
      'rawKeyDown paste: undefined',
      'write ',
      'rawKeyDown cut: undefined',
      'keyUp : undefined',
    ]);
  });

  it('[R-060] [S-091] [S-092] is held to the policy here, whatever the client lets pass', async () => {
    const rules = { restrict_paste: true, char_len_limit_if_paste_restricted: 5 };
    const { paste, command, change, done, refusals, state, guards } = await start(rules);
    await paste({ text: '123456' });
    await paste({ text: '1', html: '<b>1</b>' });
    await paste({ picture: PNG });
    expect(done).toEqual([]);
    expect(refusals).toEqual(Array.from({ length: 3 }, () => ({ action: 'paste', reason: 'policy', limit: 5 })));
    await paste({ text: '12345', html: '<b>' });
    expect(done).toEqual(['write text', 'rawKeyDown paste: "12345"', 'write ']);
    // The page's own is no exception: it may be another page's.
    state.content = { text: 'much too long' };
    await change();
    await command('paste');
    expect(refusals).toHaveLength(4);
    expect(done).toHaveLength(3);
    expect(guards).toEqual([false, true, false].map((paste) => ({ copy: true, paste })));
  });

  it('[R-066] is refused where the policy cannot be read', async () => {
    const { paste, change, state, refusals, told, done } = await start();
    state.rules = new Error('no policy');
    state.content = { text: 'secret' };
    await paste({ text: 'x' });
    await change();
    expect(refusals).toEqual([
      { action: 'paste', reason: 'no-policy' },
      { action: 'copy', reason: 'no-policy' },
    ]);
    expect([told, done]).toEqual([[], ['write ']]);
  });

  it('waits in its place for what is on its way', async () => {
    const { client, paste, done, settle } = await start();
    const rest = Promise.withResolvers<Uint8Array>();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('fi');
      yield await rest.promise;
    }
    client.commands.send(protocol.paste, { ...REQUEST, text: 4 }, { body: slow() });
    const second = paste({ text: 'second' });
    await new Promise((done) => setTimeout(done));
    expect(done).toEqual([]);
    rest.resolve(Buffer.from('rs'));
    await second;
    await settle();
    expect(done.filter((each) => each.startsWith('raw'))).toEqual([
      'rawKeyDown paste: "firs"',
      'rawKeyDown paste: "second"',
    ]);
  });

  it('that never comes, for its client begins anew, keeps no input waiting, nor the next one', async () => {
    const { client, paste, hostHooks, done } = await start();
    client.commands.send(
      protocol.paste,
      { ...REQUEST, text: 4 },
      { body: after(new Promise(() => undefined), Buffer.of()) },
    );
    await new Promise((done) => setTimeout(done));
    hostHooks.clientAttached.call({ fresh: true });
    await paste({ text: 'next' });
    expect(done).toEqual(['write text', 'rawKeyDown paste: "next"', 'write ']);
  });

  it('may take any time, as long as more of it comes', async () => {
    vi.useFakeTimers();
    try {
      const incoming = new Incoming();
      const body = arriving();
      const slow = incoming.expect({ ...REQUEST, text: 3 }, body);
      const none = incoming.expect({ ...REQUEST, text: 3 }, arriving());
      for (const [at, data] of ['a', 'b', 'c'].entries()) {
        await vi.advanceTimersByTimeAsync(PIECE_DEADLINE_MS - 1);
        body.take(Buffer.from(data), at === 2);
      }
      expect(await slow).toEqual({ text: 'abc' });
      expect(await none).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it('that ends early brings what has come whole, and no picture by half', async () => {
    const { client, done, settle } = await start();
    const body = Buffer.concat([Buffer.from('text'), PNG.subarray(0, -1)]);
    client.commands.send(protocol.paste, { ...REQUEST, text: 4, picture: PNG.length }, { body });
    await settle();
    expect(done).toEqual(['write text', 'rawKeyDown paste: "text"', 'write ']);
  });

  it('may bring pictures that are some by their own look, of a size that can be shown', async () => {
    const { paste, done, refusals } = await start();
    await paste({ picture: PNG });
    expect(done[0]).toBe('write picture');
    const huge = Buffer.from(PNG);
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const bytes of [huge, svg, Buffer.from('not a picture')]) await paste({ picture: bytes });
    expect(refusals).toEqual(Array.from({ length: 3 }, () => ({ action: 'paste', reason: 'unusable' })));
    await paste({ text: 'kept', picture: svg });
    expect(done.filter((each) => each === 'write text')).toHaveLength(1);
  });

  it('of a hostile client is bounded: what is longer than announced or than it may be, or too many pastes', async () => {
    const { client, paste, done, refusals, faults, settle } = await start();
    await paste({ text: 'longer' }, { text: 3 });
    await paste({ text: 'x'.repeat(protocol.MAX_TEXT + 1) });
    expect(refusals).toEqual(Array.from({ length: 2 }, () => ({ action: 'paste', reason: 'unusable' })));
    const body = Buffer.from('x');
    client.commands.send(protocol.paste, { ...REQUEST, text: 3 * protocol.MAX_TEXT + 1 }, { body });
    await settle();
    expect(faults.map(({ code }) => code)).toEqual(['bad-message']);
    const bodies = Array.from({ length: 20 }, () => Promise.withResolvers<void>());
    for (const { promise } of bodies)
      client.commands.send(protocol.paste, { ...REQUEST, text: 1 }, { body: after(promise, body) });
    await new Promise((done) => setTimeout(done));
    for (const { resolve } of bodies) resolve();
    await settle();
    expect(done.filter((each) => each.startsWith('raw'))).toHaveLength(4);
  });

  it('that does not come about is told to the person', async () => {
    const { paste, cdp, refusals, log } = await start();
    cdp.answer('Input.dispatchKeyEvent', () => Promise.reject(new Error('gone')));
    await paste({ text: 'x' });
    expect(refusals).toEqual([{ action: 'paste', reason: 'unusable' }]);
    expect(log).toEqual([expect.objectContaining({ level: 'warn' })]);
  });
});

describe('what the page copies', () => {
  it('[R-127] is told to the client within two seconds of a gesture of the person, once', async () => {
    const { change, state, told } = await start();
    state.content = { text: 'copied', picture: PNG };
    await change();
    await change();
    expect(told).toEqual([{ text: 'copied', picture: PNG }]);
    state.actedAt = performance.now() - 2001;
    state.content = { text: 'later' };
    await change();
    expect(told).toHaveLength(1);
    state.actedAt = performance.now() - 1900;
    await change();
    expect(told.at(-1)).toEqual({ text: 'later' });
    state.content = {};
    await change();
    expect(told).toHaveLength(2);
  });

  it('is told when it is new, or surely copied again: what is there already may be anybody’s', async () => {
    const { change, state, told, clipboard } = await start();
    state.content = { text: 'copied' };
    await change(false);
    state.actedAt += 1;
    await change(false);
    expect(told).toEqual([{ text: 'copied' }]);
    await change(true);
    expect(told).toHaveLength(2);
    const other = await start({}, { clipboard, done: [], held: state });
    other.state.actedAt = state.actedAt + 1;
    for (const isSure of [true, false]) await other.change(isSure);
    expect(other.told).toEqual([]);
  });

  it('is looked at for the tab alone in which the person has acted last', async () => {
    const one = await start();
    const two = await start({ disable_copy: true }, { clipboard: one.clipboard, done: one.done, held: one.state });
    one.state.actedAt = two.state.actedAt + 1;
    one.state.content = { text: 'copied' };
    await two.change();
    await one.change();
    expect([one.told, two.refusals, one.done]).toEqual([[{ text: 'copied' }], [], []]);
  });

  it('[R-062] is taken away from the other pages of the person where copying is disabled, whenever it is copied', async () => {
    const sealed = await start({ disable_copy: true });
    const { clipboard, done, state } = sealed;
    sealed.state.content = { text: 'secret' };
    await sealed.change();
    expect([state.content, sealed.refusals]).toEqual([{}, [{ action: 'copy', reason: 'policy' }]]);
    sealed.state.actedAt = performance.now() - 2001;
    sealed.state.content = { text: 'late secret' };
    await sealed.change();
    expect([state.content, sealed.refusals.length]).toEqual([{}, 1]);
    const open = await start({}, { clipboard, done, held: state });
    await open.change();
    await open.command('paste');
    expect([open.told, open.modals.length]).toEqual([[], 1]);
  });

  it('[R-062] is nothing where a paste has only been taken out again', async () => {
    const { paste, change, refusals } = await start({ disable_copy: true });
    const pasting = paste({ text: 'text' });
    await change();
    await pasting;
    await change();
    expect(refusals).toEqual([]);
  });

  it('[R-062] is told to nobody where copying is disabled, and pages are kept from it', async () => {
    const { change, page, frames, hostHooks, state, told, refusals, guards, settle, host } = await start({
      disable_copy: true,
    });
    state.content = { text: 'secret' };
    await change();
    page.in(1).send(protocol.held, undefined);
    await settle();
    expect(told).toEqual([]);
    expect(refusals).toEqual([
      { action: 'copy', reason: 'policy' },
      { action: 'copy', reason: 'policy' },
    ]);
    frames.load({ id: 1, url: 'https://site.test/next' });
    await settle();
    const sealed = { copy: false, paste: true };
    expect(guards).toEqual([sealed, sealed]);
    state.rules = {};
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await settle();
    expect(guards).toEqual([sealed, sealed, { copy: true, paste: true }]);
  });
});
