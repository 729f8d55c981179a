import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../host/plugin.ts';
import { Incoming, PIECE_DEADLINE_MS } from '../host/incoming.ts';
import * as protocol from '../protocol.ts';
import { after, arriving } from './arriving.ts';
import { stopClock } from './surrogate.ts';
import { REQUEST, start } from './tab.ts';

/** A PNG of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

stopClock();

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

  it('of a text that the browser did not give is what a client was sent just now, if that is still there', async () => {
    const { command, change, done, state } = await start();
    state.content = { text: 'cut' };
    await change();
    await command('empty-paste');
    expect(done).toEqual(['rawKeyDown paste: "cut"']);
    state.content = { text: 'of another page' };
    await command('empty-paste');
    const nothing = ['write ', 'rawKeyDown paste: undefined', 'write '];
    expect(done.splice(0)).toEqual(['rawKeyDown paste: "cut"', ...nothing]);
    state.content = { text: 'cut' };
    vi.advanceTimersByTime(2001);
    await command('empty-paste');
    expect(done).toEqual(nothing);
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
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // in time it would be given up
    onTestFinished(() => void vi.useRealTimers());
    const { client, paste, hostHooks, done } = await start();
    client.commands.send(
      protocol.paste,
      { ...REQUEST, text: 4 },
      { body: after(new Promise(() => undefined), Buffer.of()) },
    );
    await vi.advanceTimersByTimeAsync(0);
    hostHooks.clientAttached.call({ fresh: true });
    void paste({ text: 'next' });
    for (let turn = 0; turn < 20 && done.length < 3; turn += 1) await vi.advanceTimersByTimeAsync(0);
    expect(done).toEqual(['write text', 'rawKeyDown paste: "next"', 'write ']);
  });

  it('still comes where its client has only been away', async () => {
    const { client, settle, hostHooks, done } = await start();
    const rest = Promise.withResolvers<void>();
    const body = after(rest.promise, Buffer.from('text'));
    client.commands.send(protocol.paste, { ...REQUEST, text: 4 }, { body });
    await new Promise((done) => setTimeout(done));
    hostHooks.clientAttached.call({ fresh: false });
    rest.resolve();
    await settle();
    expect(done).toEqual(['write text', 'rawKeyDown paste: "text"', 'write ']);
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

describe('a paste or a copy by a menu', () => {
  it('[S-129] [M-009] presses the key, and where the surrogate has nothing shows the keys', async () => {
    const { command, done, modals } = await start();
    await command('copy', false);
    expect(done).toEqual(['rawKeyDown copy: undefined', 'keyUp : undefined']);
    await command('paste');
    expect([done.length, modals.length]).toEqual([2, 1]);
  });

  it('that fails says whether it was to copy or to paste, and nothing of a page that is left', async () => {
    const { command, cdp, refusals, log } = await start();
    cdp.answer('Input.dispatchKeyEvent', () => Promise.reject(new AppError('frame-gone', 'gone')));
    await command('cut');
    expect([refusals, log]).toEqual([[], []]);
    cdp.answer('Input.dispatchKeyEvent', () => Promise.reject(new AppError('cdp-failed', 'no')));
    for (const name of ['copy', 'cut', 'empty-paste', 'file-paste'] as const) await command(name);
    expect(refusals).toEqual(['copy', 'copy', 'paste', 'paste'].map((action) => ({ action, reason: 'unusable' })));
    expect(log).toHaveLength(4);
    expect(log[0]).toMatchObject({ level: 'warn', data: { code: 'cdp-failed', error: 'no' } });
  });
});

describe('a paste that brings nothing', () => {
  it('does nothing, and is no fault of anybody', async () => {
    const { paste, done, refusals } = await start();
    await paste({});
    expect([done, refusals]).toEqual([[], []]);
  });

  it.each(['text', 'html', 'rtf', 'picture'] as const)('though it announces %s is told to the person', async (kind) => {
    const { paste, done, refusals } = await start();
    await paste({}, { [kind]: 5 });
    expect([done, refusals]).toEqual([[], [{ action: 'paste', reason: 'unusable' }]]);
  });

  it('is the page’s own where that is what the client was told', async () => {
    const { paste, change, done, state, refusals } = await start();
    state.content = { text: 'own' };
    await change();
    await paste({}, { own: true, text: 3 });
    expect([done, refusals]).toEqual([['rawKeyDown paste: "own"'], []]);
  });
});
