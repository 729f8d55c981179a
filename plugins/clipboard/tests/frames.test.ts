import { describe, expect, it } from 'vitest';
import { copyPasteToken } from '../../../host/plugin.ts';
import * as protocol from '../protocol.ts';
import { startFramed as start } from './framed-page.ts';
import { stopClock } from './surrogate.ts';

stopClock();

const SEALED = { copy: false, isUnreadable: false, copySite: 'sealed.test' };
const OPEN = { copy: true, paste: true };

describe('a frame of a site that may not copy, in a page that may', () => {
  it('is guarded before it shows anything, also when it comes by a navigation, and the client knows', async () => {
    const { add, frames, guards, rules, hostHooks, settle } = await start();
    await add(2, 'https://sealed.test/');
    expect(guards).toEqual([[2, { copy: false, paste: true }]]);
    expect(rules).toEqual([{ frame: 2, rules: SEALED }]);
    await add(3, 'https://open.test/');
    expect([guards.length, rules.length]).toEqual([1, 1]);
    // Before its document has a page half.
    frames.begin({ id: 3, url: 'https://sealed.test/next' });
    hostHooks.navigated.call({ frame: 3, url: 'https://sealed.test/next', sameDocument: false });
    await settle();
    expect([rules.at(-1), guards.length]).toEqual([{ frame: 3, rules: SEALED }, 1]);
    frames.load({ id: 3, url: 'https://sealed.test/next' });
    await settle();
    expect(guards.slice(1)).toEqual([[3, { copy: false, paste: true }]]);
    frames.load({ id: 3, url: 'https://open.test/' });
    frames.remove(2);
    await settle();
    expect(rules.slice(2)).toEqual([
      { frame: 2, rules: null },
      { frame: 3, rules: null },
    ]);
    expect(guards).toHaveLength(2);
  });

  it('is one also as a blank document of that site, or in a frame of it', async () => {
    const { add, rules } = await start();
    await add(2, 'about:blank', { origin: 'https://sealed.test' });
    await add(3, 'https://sealed.test/');
    await add(4, 'about:srcdoc', { parent: 3, origin: 'https://sealed.test' });
    expect(rules).toEqual([2, 3, 4].map((frame) => ({ frame, rules: SEALED })));
  });

  it('is one only as long as its address is, and with it blank frames in it', async () => {
    const sites = "[{ match: '*/sealed', policy: { copy_paste: { disable_copy: true } } }]";
    const { add, frames, guards, hostHooks, settle } = await start(sites);
    const go = async (path: string): Promise<void> => {
      frames.begin({ id: 2, url: `https://b.test/${path}` });
      hostHooks.navigated.call({ frame: 2, url: `https://b.test/${path}`, sameDocument: true });
      await settle();
    };
    await add(2, 'https://b.test/open');
    await add(3, 'about:srcdoc', { parent: 2, origin: 'https://b.test' });
    await go('sealed');
    await go('open');
    const sealed = { copy: false, paste: true };
    expect(guards).toEqual([
      [2, sealed],
      [3, sealed],
      [2, OPEN],
      [3, OPEN],
    ]);
  });

  it('copies nothing, and says which site refuses; the page around it copies', async () => {
    const { add, change, page, hold, held, focus, told, refusals, settle } = await start();
    await add(2, 'https://sealed.test/');
    focus.add(1);
    hold('of the page');
    for (const here of [false, true]) await change(1, here);
    expect([told, refusals]).toEqual([['of the page'], []]);
    page.in(2).send(protocol.held, undefined);
    await settle();
    const refusal = { action: 'copy', reason: 'policy', site: 'sealed.test' };
    expect(refusals).toEqual([refusal]);
    hold('of a frame that was late to be guarded');
    await change(2, true);
    expect([held.content, refusals]).toEqual([{}, [refusal, refusal]]);
    // By navigator.clipboard, which all documents around the frame with the focus hear of.
    focus.delete(1);
    focus.add(2);
    hold('by a script of the frame');
    await change(1, false);
    expect([held.content, refusals.length, told.length]).toEqual([{}, 3, 1]);
  });

  it('is found out by the browser’s own word where its process gives another site', async () => {
    const { add, frames, change, hold, told, refusals } = await start();
    await add(2, 'https://open.test/');
    frames.tellOrigin(2, 'https://sealed.test');
    hold('secret');
    await change(2, true);
    expect([told, refusals]).toEqual([[], [{ action: 'copy', reason: 'policy', site: 'sealed.test' }]]);
  });

  it('is one for menus, too', async () => {
    const { add, hostServices } = await start();
    await add(2, 'https://sealed.test/');
    await add(3, 'https://limited.test/');
    const may = hostServices.find(copyPasteToken);
    expect([1, 2, 3].map((id) => may?.mayCopy(id))).toEqual([true, false, true]);
    expect([1, 2, 3].map((id) => may?.mayPaste(id))).toEqual([true, true, true]);
  });

  it('is told again to a client that has lost what it was told', async () => {
    const { add, rules, frames, hostHooks, settle } = await start();
    await add(2, 'https://sealed.test/');
    hostHooks.clientAttached.call({ fresh: true });
    await settle();
    expect(rules.filter((each) => JSON.stringify(each).includes('"frame":2'))).toEqual(
      [1, 2].map(() => ({ frame: 2, rules: SEALED })),
    );
    // Also of what is over, which it may have lost.
    frames.load({ id: 2, url: 'https://open.test/' });
    await settle();
    rules.length = 0;
    hostHooks.clientAttached.call({ fresh: true });
    await settle();
    expect(rules).toContainEqual({ frame: 2, rules: null });
  });

  it('follows the address of the page that the browser says after its process has', async () => {
    const { add, guards, rules, hostHooks, move, settle } = await start(`
      - { match: site.test/secret, policy: { copy_paste: { disable_copy: true } } }
      - { match: limited.test, policy: { copy_paste: { restrict_paste: true, char_len_limit_if_paste_restricted: 5 } } }`);
    await add(2, 'https://limited.test/');
    const to = async (url: string): Promise<void> => {
      hostHooks.navigated.call({ frame: 1, url, sameDocument: true });
      await settle();
      move(url);
      hostHooks.addressChanged.call({ url });
      await settle();
    };
    rules.length = guards.length = 0;
    await to('https://site.test/secret');
    expect(guards).toContainEqual([1, { copy: false, paste: true }]);
    expect(guards).toContainEqual([2, { copy: false, paste: false }]);
    expect(rules.at(-1)).toMatchObject({ frame: 2, rules: { copy: false } });
    await to('https://site.test/open');
    expect(guards).toContainEqual([1, { copy: true, paste: true }]);
    expect(rules.at(-1)).toMatchObject({ frame: 2, rules: { copy: true } });
  });

  it('counts for what is written just before it goes, or hands the focus on', async () => {
    const { add, change, frames, hold, focus, told, refusals, settle } = await start();
    await add(2, 'https://sealed.test/');
    focus.add(1);
    hold('sealed text');
    frames.remove(2);
    await settle();
    await change(1, false);
    expect([told, refusals]).toEqual([[], [{ action: 'copy', reason: 'policy', site: 'sealed.test' }]]);
    await add(3, 'https://sealed.test/');
    hold('more of it');
    await change(3, false);
    expect(told).toEqual([]);
  });
});

describe('a frame of a site that restricts pasting, in a page that does not', () => {
  const REFUSED = { action: 'paste', reason: 'policy', site: 'limited.test', limit: 5 };

  it('gets what it may, as the frame with the focus; others get all', async () => {
    const { add, paste, focus, done, refusals, guards } = await start();
    await add(2, 'https://limited.test/');
    await add(3, 'https://open.test/');
    focus.add(2);
    await paste('123456');
    expect([done, refusals]).toEqual([[], [REFUSED]]);
    guards.length = 0;
    await paste('12345', '<b>');
    expect(done).toEqual(['write text', 'paste {"text":"12345"}, guards open in 2', 'write ']);
    expect(guards).toEqual([
      [2, OPEN],
      [2, { copy: true, paste: false }],
    ]);
    done.length = 0;
    focus.delete(2);
    focus.add(3);
    // The focus may move on before the key: this frame stays shut for what it may not get.
    await paste('123456', '<i>');
    expect(done[1]).toBe('paste {"text":"123456","html":"<i>"}, guards open in ');
    expect(refusals).toHaveLength(1);
  });

  it('is taken to have the focus where no frame says that it does, and keeps nobody waiting where it hangs', async () => {
    const { add, hanging, paste, focus, refusals, done } = await start();
    await add(2, 'https://limited.test/');
    await paste('123456');
    expect([refusals, done]).toEqual([[REFUSED], []]);
    focus.add(1);
    await paste('123456');
    expect([refusals.length, done.length]).toEqual([1, 3]);
    hanging.add(2);
    await paste('123456');
    expect([refusals.length, done.length]).toEqual([1, 6]);
  });

  it('gets of what the page itself has copied no more', async () => {
    const { add, client, change, hold, focus, done, refusals, settle } = await start();
    await add(2, 'https://limited.test/');
    hold('of the page');
    await change(1, true);
    focus.add(2);
    client.commands.send(protocol.execCommand, { command: 'paste', by_key: true });
    await settle();
    expect([done, refusals]).toEqual([[], [REFUSED]]);
  });

  it('is found out by the browser’s own word', async () => {
    const { add, frames, paste, focus, refusals } = await start();
    await add(2, 'https://open.test/');
    frames.tellOrigin(2, 'https://limited.test');
    focus.add(2);
    await paste('123456');
    expect(refusals).toEqual([REFUSED]);
  });
});

it('a tab without restrictions costs no message', async () => {
  const { add, change, paste, hold, frames, hostHooks, guards, rules, asked, told, done, settle } = await start();
  await add(2, 'https://open.test/');
  frames.load({ id: 2, url: 'https://open.test/next' });
  hostHooks.navigated.call({ frame: 1, url: 'https://site.test/', sameDocument: true });
  await settle();
  hold('text');
  await change(1, false);
  await change(2, true);
  await paste('text', '<b>');
  expect([guards, rules, asked]).toEqual([[], [], []]);
  expect([told.length, done.length]).toEqual([1, 3]);
});
