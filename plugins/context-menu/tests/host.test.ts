import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { copyPasteToken, personLinksToken } from '../../../host/plugin.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { nameOf } from '../host/picture-name.ts';
import { MAX_ADDRESS, MENU_MS } from '../limits.ts';
import { manifest } from '../manifest.ts';
import { askMenu, chosen, menuFound, menuOffered } from '../protocol.ts';
import type { Found, Item, Offer } from '../protocol.ts';

const FOUND: Found = { editable: false, selection: false, edits: ['select-all'] };

async function start() {
  const harness = pluginHarness(manifest);
  const { client, host, hostServices, page, flush } = harness;
  const offers: Offer[] = [];
  const opened: unknown[] = [];
  let keys = 0;
  hostServices.provide(copyPasteToken, { mayCopy: () => true, mayPaste: () => true, showKeys: () => void (keys += 1) });
  hostServices.provide(personLinksToken, { open: (...link) => void opened.push(link) });
  client.commands.handle(menuOffered, (offer) => void offers.push(offer));
  await activate(host);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await flush();
  };
  const ask = async (late = false, frame = 1) => {
    client.commands.send(askMenu, { frame, late });
    await settle();
  };
  const find = async (found: Partial<Found> = {}, frame = 1) => {
    page.in(frame).send(menuFound, { ...FOUND, ...found });
    await settle();
  };
  const choose = async (id: number, item: Item, failed = false) => {
    client.commands.send(chosen, { id, item, failed });
    await settle();
  };
  return { ...harness, offers, opened, keys: () => keys, settle, ask, find, choose };
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
  client.commands.send(askMenu, { frame: 1, late: false, press: { frame: 1, x: 3, y: 4 } });
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
