import { describe, expect, it, vi } from 'vitest';
import { AppError, copyPasteToken } from '../../../host/plugin.ts';
import * as protocol from '../protocol.ts';
import { startFramed } from './framed-page.ts';
import { stopClock } from './surrogate.ts';

stopClock();

const SITES = `
      - { match: sealed.test, policy: { copy_paste: { disable_copy: true } } }
      - { match: five.test, policy: { copy_paste: { restrict_paste: true, char_len_limit_if_paste_restricted: 5 } } }
      - { match: nine.test, policy: { copy_paste: { restrict_paste: true, char_len_limit_if_paste_restricted: 9 } } }
      - { match: none.test, policy: { copy_paste: { restrict_paste: true } } }`;
const OPEN = { copy: true, paste: true };
const REFUSED = { action: 'copy', reason: 'policy', site: 'sealed.test' };

describe('the client hears of a frame', () => {
  it('[R-060] what may be pasted there, and whose limit that is', async () => {
    const { add, rules } = await startFramed(SITES);
    await add(2, 'https://five.test/');
    expect(rules).toEqual([
      { frame: 2, rules: { copy: true, isUnreadable: false, pasteLimit: 5, pasteSite: 'five.test' } },
    ]);
  });

  it('nothing anew where it attaches again without having lost anything, or where there was nothing', async () => {
    const { add, rules, hostHooks, settle } = await startFramed(SITES);
    await add(2, 'https://open.test/');
    hostHooks.clientAttached.call({ fresh: true });
    await settle();
    expect(rules).toEqual([]);
    await add(3, 'https://sealed.test/');
    hostHooks.clientAttached.call({ fresh: false });
    await settle();
    expect(rules).toHaveLength(1);
  });

  it('the host of a blob’s site, with its port', async () => {
    const { add, change, hold, refusals } = await startFramed(
      "[{ match: 'sealed.test:8443', policy: { copy_paste: { disable_copy: true } } }]",
    );
    await add(2, 'blob:https://sealed.test:8443/0', { origin: 'https://sealed.test:8443' });
    hold('secret');
    await change(2, true);
    expect(refusals).toEqual([{ ...REFUSED, site: 'sealed.test:8443' }]);
  });
});

describe('a refusal', () => {
  it('[R-062] names no site where the page itself may not copy', async () => {
    const { add, change, hold, page, refusals, settle } = await startFramed(`${SITES}
      - { match: site.test, policy: { copy_paste: { disable_copy: true } } }`);
    await add(2, 'https://sealed.test/');
    hold('secret');
    await change(2, true);
    page.in(2).send(protocol.held, undefined);
    await settle();
    expect(refusals).toEqual([
      { action: 'copy', reason: 'policy' },
      { action: 'copy', reason: 'policy' },
    ]);
  });

  it('[R-060] names of two sites that restrict pasting the one with the lower limit', async () => {
    const { add, paste, refusals } = await startFramed(SITES);
    await add(2, 'https://nine.test/');
    await add(3, 'https://five.test/');
    await paste('123456'); // no frame says that it has the focus
    expect(refusals).toEqual([{ action: 'paste', reason: 'policy', site: 'five.test', limit: 5 }]);
  });

  it('[R-061] of all that is pasted is what a menu shows, too', async () => {
    const { add, hostServices } = await startFramed(SITES);
    await add(2, 'https://none.test/');
    await add(3, 'https://five.test/');
    const may = hostServices.find(copyPasteToken);
    expect([1, 2, 3].map((id) => may?.mayPaste(id))).toEqual([true, false, true]);
  });

  it('[M-009] is not needed for the keys to be shown by a menu', async () => {
    const { client, hostServices, settle } = await startFramed(SITES);
    const shown: unknown[] = [];
    client.commands.handle(protocol.displayCopyPasteModal, () => void shown.push(1));
    hostServices.find(copyPasteToken)?.showKeys();
    await settle();
    expect(shown).toHaveLength(1);
  });
});

it('[R-060] a frame that could paste for once may not any more where the keys did not reach the page', async () => {
  const { add, cdp, focus, guards, paste, settle } = await startFramed(SITES);
  await add(2, 'https://five.test/');
  focus.add(2);
  guards.length = 0;
  cdp.answer('Input.dispatchKeyEvent', () => {
    throw new AppError('frame-gone', 'It is gone.');
  });
  await paste('1234');
  await settle();
  expect(guards).toEqual([
    [2, { copy: true, paste: true }],
    [2, { copy: true, paste: false }],
  ]);
});

describe('a frame that has gone', () => {
  it.each([
    [2000, [REFUSED], []],
    [2001, [], ['by whom?']],
  ])('may have copied what another one reports %i ms later', async (after, refused, copied) => {
    const { add, change, frames, hold, focus, act, told, refusals, settle } = await startFramed(SITES);
    await add(2, 'https://sealed.test/');
    await add(3, 'https://open.test/');
    focus.add(1);
    hold('by whom?');
    frames.remove(2);
    await settle();
    vi.advanceTimersByTime(after);
    act();
    await change(1, false);
    expect([refusals, told]).toEqual([refused, copied]);
  });

  it('and that could only not paste refuses no copy', async () => {
    const { add, change, frames, hold, focus, told, settle } = await startFramed(SITES);
    await add(2, 'https://five.test/');
    focus.add(1);
    hold('of the page');
    frames.remove(2);
    await settle();
    await change(1, false);
    expect(told).toEqual(['of the page']);
  });
});

it('an event in a frame is a copy of that frame, whichever has the focus now', async () => {
  const { add, change, hold, focus, asked, told } = await startFramed(SITES);
  await add(2, 'https://sealed.test/');
  focus.add(2);
  hold('of the page');
  await change(1, true);
  expect([told, asked]).toEqual([['of the page'], []]);
});

it('a frame that hangs once is guarded as soon as something changes', async () => {
  const { add, failing, guards, hostHooks, host, settle } = await startFramed(SITES);
  const change = async (): Promise<void> => {
    hostHooks.policyChanged.call({ policy: host.tab.policy() });
    await settle();
  };
  failing.set(2, 0);
  await add(2, 'https://sealed.test/');
  expect(failing.get(2)).toBe(1);
  await change();
  expect([failing.get(2), guards]).toEqual([2, []]);
  failing.delete(2);
  for (let times = 0; times < 2; times += 1) await change();
  expect(guards).toEqual([[2, { copy: false, paste: true }]]);
});

it('a frame whose next document is awaited is guarded with that, and anew once it is there', async () => {
  const { add, failing, fault, frames, guards, settle } = await startFramed(SITES);
  fault.code = 'document-awaited';
  failing.set(2, 0);
  await add(2, 'https://sealed.test/');
  expect([failing.get(2), guards]).toEqual([2, []]); // the call, and what waits for the document
  failing.delete(2);
  frames.load({ id: 2, url: 'https://sealed.test/next' });
  await settle();
  expect(guards).toEqual([[2, { copy: false, paste: true }]]);
});

it('a navigation within a page says nothing new to frames that are not in that frame', async () => {
  const sites = "[{ match: '*/sealed', policy: { copy_paste: { disable_copy: true } } }]";
  const { add, frames, rules, hostHooks, settle } = await startFramed(sites);
  await add(2, 'https://b.test/open');
  await add(3, 'https://b.test/open');
  frames.begin({ id: 2, url: 'https://b.test/sealed' });
  frames.begin({ id: 3, url: 'https://b.test/sealed' });
  hostHooks.navigated.call({ frame: 2, url: 'https://b.test/sealed', sameDocument: true });
  await settle();
  expect(rules).toEqual([{ frame: 2, rules: { copy: false, isUnreadable: false, copySite: 'b.test' } }]);
  hostHooks.navigated.call({ frame: 1, url: 'https://site.test/', sameDocument: true });
  await settle();
  expect(rules).toHaveLength(2);
});

describe('while something is pasted', () => {
  it('[S-091] a frame that gets only its text stays shut for the rest of it', async () => {
    const { add, paste, focus, done } = await startFramed(SITES);
    await add(2, 'https://five.test/');
    await add(3, 'https://open.test/');
    focus.add(3);
    await paste('123', '<i>');
    expect(done[1]).toBe('paste {"text":"123","html":"<i>"}, guards open in ');
  });

  it('[R-097] a frame that may not get all gets nothing, as it is nothing', async () => {
    const { add, client, guards, settle } = await startFramed(SITES);
    await add(2, 'https://none.test/');
    guards.length = 0;
    client.commands.send(protocol.execCommand, { command: 'empty-paste', by_key: true });
    await settle();
    expect(guards).toEqual([
      [2, OPEN],
      [2, { copy: true, paste: false }],
    ]);
  });
});
