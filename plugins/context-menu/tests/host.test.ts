import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppError, copyPasteToken, personDownloadsToken, personLinksToken } from '../../../host/plugin.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { nameOf } from '../host/picture-name.ts';
import { MAX_ADDRESS, MENU_MS } from '../limits.ts';
import { manifest } from '../manifest.ts';
import { askMenu, chosen, menuFound, menuOffered, notSaved } from '../protocol.ts';
import type { Found, Item, Offer } from '../protocol.ts';

const FOUND: Found = { editable: false, selection: false, edits: ['select-all'] };

async function start({ mayOpen = true, session = {}, copying = {} } = {}) {
  const harness = pluginHarness(manifest);
  const { client, host, hostServices, page, flush } = harness;
  const offers: Offer[] = [];
  const opened: unknown[] = [];
  const saved: unknown[] = [];
  let keys = 0;
  hostServices.provide(copyPasteToken, { mayCopy: () => true, mayPaste: () => true, showKeys: () => void (keys += 1) });
  hostServices.provide(personLinksToken, { mayOpen: () => mayOpen, open: (...link) => void opened.push(link) });
  hostServices.provide(personDownloadsToken, { save: (...file) => void saved.push(file) });
  client.commands.handle(menuOffered, (offer) => void offers.push(offer));
  const settings = host.tab.policy();
  const policy = () => ({
    ...settings,
    session: { ...settings.session, ...session },
    copy_paste: { ...settings.copy_paste, ...copying },
  });
  await activate({ ...host, tab: { ...host.tab, policy } });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await flush();
  };
  let serial = 0;
  const ask = async (late = false, frame = 1) => {
    client.commands.send(askMenu, { frame, serial: (serial += 1), late });
    await settle();
  };
  const find = async (found: Partial<Found> & { readonly age?: number } = {}, frame = 1) => {
    page.in(frame).send(menuFound, { age: 0, ...FOUND, ...found });
    await settle();
  };
  const choose = async (id: number, item: Item, failed = false) => {
    client.commands.send(chosen, { id, item, failed });
    await settle();
  };
  return { ...harness, offers, opened, saved, keys: () => keys, settle, ask, find, choose };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

it('offers one menu for each press of the person, and none without', async () => {
  const { offers, ask, find } = await start();
  await find();
  expect(offers).toEqual([]);
  await ask();
  await find();
  await find();
  expect(offers.map(({ id }) => id)).toEqual([1]);
  await ask();
  await find();
  expect(offers.map(({ id }) => id)).toEqual([1, 2]);
});

it('[S-094] offers no tabs and windows where the policy lets pages open none', async () => {
  const { offers, opened, ask, find, choose } = await start({ mayOpen: false });
  await ask();
  await find({ link: 'https://a.test/', picture: 'https://b.test/' });
  expect(offers[0]?.disabled).toEqual(['picture-window', 'link-tab', 'link-window']);
  await choose(1, 'link-tab');
  expect(opened).toEqual([]);
});

it.each([{ session: { disable_all_context_menus: true } }, { copying: { disable_all_ctx_menu_for_copy: true } }])(
  '[S-101] [R-065] offers nothing where the policy has no menus, whatever the client asks: %j',
  async (policy) => {
    const { offers, ask, find } = await start(policy);
    await ask();
    await find({ link: 'https://a.test/' });
    expect(offers).toEqual([]);
  },
);

it('answers the press that it was asked for last, with the facts of no earlier one', async () => {
  const { offers, ask, find } = await start();
  await ask();
  vi.advanceTimersByTime(100);
  await ask();
  vi.advanceTimersByTime(10);
  await find({ link: 'https://first.test/', age: 105 }); // a busy page
  expect(offers).toEqual([]);
  await find({ link: 'https://second.test/', age: 8 });
  expect(offers.map(({ serial, link }) => [serial, link])).toEqual([[2, 'https://second.test/']]);
});

it('takes facts that have overtaken the first press, and no stale ones', async () => {
  const { offers, ask, find } = await start();
  await find();
  await ask(true);
  expect(offers).toHaveLength(1);
  await find();
  vi.advanceTimersByTime(MENU_MS + 1);
  await ask(true);
  expect(offers).toHaveLength(1);
  vi.advanceTimersByTime(MENU_MS + 1);
  await find();
  expect(offers).toHaveLength(1);
});

it('takes the facts of the frame alone in which the person has pressed', async () => {
  const { offers, frames, ask, find } = await start();
  frames.load({ id: 2, url: 'https://other.test/' });
  await ask(false, 1);
  await find({ link: 'https://evil.test/' }, 2);
  expect(offers).toEqual([]);
  await find({ link: 'https://good.test/' }, 1);
  expect(offers.map(({ link }) => link)).toEqual(['https://good.test/']);
});

it.each([
  ['javascript:alert(1)', ''],
  ['data:text/html,x', ''],
  ['file:///etc/passwd', ''],
  ['not an address', ''],
  ['mailto:a@b.test', 'mailto:a@b.test'],
  ['tel:+49123', 'tel:+49123'],
  ['HTTPS://A.test/ü', 'https://a.test/%C3%BC'],
  [`https://a.test/${'ü'.repeat(2000)}`, ''], // too long once it is written out
])('[S-023] takes of %s what may be copied', async (link, copied) => {
  const { offers, ask, find } = await start();
  await ask();
  await find({ link });
  expect(offers[0]?.link).toBe(copied);
});

it('refuses facts that are too long', async () => {
  const { offers, faults, ask, find } = await start();
  await ask();
  await find({ link: `https://a.test/${'x'.repeat(MAX_ADDRESS)}` });
  expect(offers).toEqual([]);
  expect(faults.map(({ code }) => code)).toEqual(['bad-message']);
});

it('[S-130] carries out what was offered under this number, once', async () => {
  const { opened, log, ask, find, choose } = await start();
  await ask();
  await find({ link: 'https://b.test/', picture: 'https://c.test/p.png' });
  await choose(2, 'link-tab');
  await choose(1, 'reload');
  expect(opened).toEqual([]);
  await choose(1, 'link-window');
  await choose(1, 'link-tab');
  expect(opened).toEqual([[1, 'https://b.test/', 'window']]);
  expect(log.filter(({ message }) => message === 'an item was chosen that was not offered')).toHaveLength(3);
});

it('[S-130] [S-023] refuses items that are disabled, and those of a page that is gone', async () => {
  const { opened, hostHooks, ask, find, choose } = await start();
  await ask();
  await find({ link: 'mailto:a@b.test' });
  await choose(1, 'link-tab');
  await ask();
  await find({ link: 'https://b.test/' });
  hostHooks.navigated.call({ frame: 1, url: 'https://site.test/next', sameDocument: false });
  await choose(2, 'link-tab');
  expect(opened).toEqual([]);
});

it('[S-021] opens the links of a frame that is gone, or shows another document, without it', async () => {
  const { opened, frames, hostHooks, ask, find, choose } = await start();
  for (const id of [2, 3]) {
    frames.load({ id, url: 'https://inner.test/' });
    await ask(false, id);
    await find({ link: 'https://b.test/', edits: ['select-all'] }, id);
  }
  frames.remove(3);
  await choose(2, 'link-tab');
  await ask(false, 2);
  await find({ picture: 'https://b.test/p' }, 2);
  hostHooks.navigated.call({ frame: 2, url: 'https://other.test/', sameDocument: false });
  await choose(3, 'picture-window');
  expect(opened).toEqual([
    [undefined, 'https://b.test/', 'tab'],
    [undefined, 'https://b.test/p', 'window'],
  ]);
});

it('[S-021] presses no keys in the document that has taken the place of another', async () => {
  const { cdp, frames, hostHooks, ask, find, choose } = await start();
  frames.load({ id: 2, url: 'https://inner.test/' });
  await ask(false, 2);
  await find({}, 2);
  hostHooks.navigated.call({ frame: 2, url: 'https://other.test/', sameDocument: false });
  await choose(1, 'select-all');
  expect(cdp.sent).toEqual([]);
});

it('[S-021] saves what a frame shows by the host, with the policy of the frame that it was in', async () => {
  const { cdp, frames, saved, offers, ask, find, choose } = await start();
  cdp.answer('Page.getResourceContent', () => ({ content: 'AAEC', base64Encoded: true }));
  cdp.answer('Network.loadNetworkResource', () => Buffer.from([3]));
  frames.load({ id: 2, url: 'https://inner.test/form', origin: 'null' }); // sandboxed
  const picture = 'https://c.test/p.png';
  const file = { name: 'p.png', url: picture, addresses: ['https://inner.test/form'] };
  await ask(false, 2);
  await find({ picture }, 2);
  expect(offers.at(-1)?.disabled).toEqual([]);
  await choose(1, 'picture-save');
  expect(saved.splice(0)).toEqual([['tab', { ...file, bytes: Buffer.from([0, 1, 2]) }]]);
  await ask(false, 2);
  await find({ picture }, 2);
  frames.remove(2);
  await choose(2, 'picture-save');
  expect(saved).toEqual([['tab', { ...file, bytes: Buffer.from([3]) }]]);
  const options = { disableCache: false, includeCredentials: false };
  expect(cdp.sent.at(-1)).toMatchObject({ frame: 1, params: { url: picture, options } });
});

it('lets the person know that a picture is gone, or has nothing in it', async () => {
  const { cdp, client, saved, ask, find, choose } = await start();
  let said = 0;
  client.commands.handle(notSaved, () => void (said += 1));
  cdp.answer('Page.getResourceContent', () => {
    throw new AppError('cdp-error', 'No resource with given URL found');
  });
  const loaded = [() => Buffer.from([]), () => Promise.reject(new AppError('cdp-error', 'the site does not answer'))];
  for (const [at, answer] of loaded.entries()) {
    cdp.answer('Network.loadNetworkResource', answer);
    await ask();
    await find({ picture: 'https://c.test/p.png' });
    await choose(at + 1, 'picture-save');
    expect([said, saved]).toEqual([at + 1, []]);
  }
});

it('[S-130] presses the keys of edits in the page', async () => {
  const { cdp, ask, find, choose } = await start();
  cdp.answer('Input.dispatchKeyEvent', () => ({}));
  for (const [index, item] of (['undo', 'redo', 'select-all'] as const).entries()) {
    await ask();
    await find({ editable: true, edits: ['undo', 'redo', 'select-all'] });
    await choose(index + 1, item);
  }
  const commands = cdp.sent.flatMap(({ params }) => (params as { commands?: string[] }).commands ?? []);
  expect(commands).toEqual(['undo', 'redo', 'selectAll']);
});

it('shows the keys where the browser has not let the client copy or paste', async () => {
  const { keys, ask, find, choose } = await start();
  await ask();
  await find({ selection: true, edits: ['copy'] });
  await choose(1, 'copy', true);
  expect(keys()).toBe(1);
});

it('presses the right button for a finger', async () => {
  const { cdp, client, settle } = await start();
  cdp.answer('Input.dispatchMouseEvent', () => ({}));
  client.commands.send(askMenu, { frame: 1, serial: 1, late: false, press: { frame: 1, x: 3, y: 4 } });
  await settle();
  expect(cdp.sent.map(({ params }) => (params as { type: string; button: string }).type)).toEqual([
    'mousePressed',
    'mouseReleased',
  ]);
});

it('names a picture by its address, with the suffix of its type', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  expect(nameOf('https://a.test/x/y%20z.jpg?1', png)).toBe('y z.jpg');
  expect(nameOf('https://a.test/x/', png)).toBe('picture.png');
  expect(nameOf('https://a.test/%ff', png)).toBe('%ff.png');
});
