import { expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { runningUploadsToken } from '../host/session.ts';
import type { Upload } from '../host/upload.ts';
import { manifest } from '../manifest.ts';
import {
  abortUpload,
  leaveOut,
  dragOver,
  dropFiles,
  fileChooserCancelled,
  pasteFiles,
  runFileChooser,
  upload,
  uploadAborted,
  uploadAck,
  uploadBlocked,
  uploadsDisabled,
  UPLOAD_END,
} from '../protocol.ts';

const MIB = 1024 * 1024;
const FILE = { size: 1, name: 'a.txt', type: 'n/a', lastModified: 0, path: '' };

async function start({
  uploads = true,
  /** Sites whose policy allows no uploads. */
  refusing = [] as string[],
  isActing = true,
  isPasteRestricted = (): boolean => false,
  attributes = [] as string[],
  limit = Infinity,
  mayDrag = true,
  room = Infinity,
} = {}) {
  const harness = pluginHarness(manifest);
  const { client, cdp, host, hostServices, flush, hostHooks } = harness;
  const running = new Set<Upload>();
  const begun: (readonly string[])[] = [];
  const asked: (readonly string[])[] = [];
  hostServices.provide(runningUploadsToken, {
    desk: {
      begin: ({ addresses }) => {
        begun.push(addresses);
        return Promise.reject(new Error('not part of this test'));
      },
      limitOf: ({ name, addresses }) => {
        asked.push(addresses);
        return name.endsWith('.exe') ? { bytes: limit, rule: 'r[0]', message: 'Ask us' } : undefined;
      },
    },
    stage: () => Promise.reject(new Error('not part of this test')),
    room: () => ({ most: room, left: [...running].reduce((left, each) => left - each.room, room) }),
    get: () => undefined,
    add: (each) => void running.add(each),
    delete: (each) => void running.delete(each),
  });
  const transfers = { uploads, max_upload_megabytes: 2, max_files: 2 };
  const session = { ...host.tab.policy().session, backend_drag_drop: mayDrag };
  const policy = (address: string | readonly string[] = host.tab.url()) => {
    const isRefused = [address].flat().some((each) => refusing.includes(new URL(each).host));
    const copy_paste = { restrict_paste: isPasteRestricted() };
    return { ...host.tab.policy(), copy_paste, transfers: { ...transfers, uploads: uploads && !isRefused }, session };
  };
  const tab = { ...host.tab, policy };
  const input = { ...host.input, gesture: { isActive: () => isActing, actedAt: 0 } };
  const called: string[] = [];
  cdp.answer('DOM.describeNode', () => ({ node: { nodeName: 'INPUT', attributes, backendNodeId: 9 } }));
  cdp.answer('Page.createIsolatedWorld', () => ({ executionContextId: 3 }));
  cdp.answer('Runtime.evaluate', () => ({ result: { objectId: 'made' } }));
  cdp.answer('DOM.resolveNode', () => ({ object: { objectId: 'found' } }));
  cdp.answer('Runtime.callFunctionOn', (params) => {
    called.push(String((params as { readonly objectId?: unknown }).objectId));
    return { result: {} };
  });
  const heard: unknown[][] = [];
  for (const each of [runFileChooser, uploadAborted, uploadAck, uploadBlocked, uploadsDisabled])
    client.commands.handle(each as typeof uploadAck, (params) => void heard.push([each.name, params]));
  await activate({ ...host, tab, input });
  const ask = async (mode = 'selectSingle', frame = 1): Promise<void> => {
    cdp.emit('Page.fileChooserOpened', { frameId: `F${frame}`, mode, backendNodeId: 9 });
    await flush();
  };
  const choose = async (id: number, ...files: object[]): Promise<void> => {
    client.commands.send(upload, { id, files: files as (typeof FILE)[] });
    await flush();
  };
  return { ...harness, heard, ask, choose, running, hostHooks, called, asked, begun };
}

it('opens the picker of the person with the wishes of the page', async () => {
  const { ask, heard } = await start({ attributes: ['accept', '.txt,image/*', 'webkitdirectory', ''] });
  await ask('selectMultiple');
  expect(heard).toEqual([['run_file_chooser', { id: 1, multiple: true, folder: true, accept: '.txt,image/*' }]]);
});

it('is not opened by a page without an act of the person', async () => {
  const { ask, heard } = await start({ isActing: false });
  await ask();
  expect(heard).toEqual([]);
});

it('[M-097] [R-064] is refused where the policy allows no uploads, or restricts pasting', async () => {
  for (const policy of [{ uploads: false }, { isPasteRestricted: () => true }]) {
    const { ask, heard } = await start(policy);
    await ask();
    expect(heard).toEqual([['uploads_disabled', { site: 'site.test' }]]);
  }
});

it('[M-097] takes files within the limits of the policy, and of the chooser, once', async () => {
  const { ask, choose, heard, running } = await start();
  await choose(1, FILE); // of no chooser
  await ask('selectMultiple');
  await choose(1, FILE, FILE, FILE);
  expect(heard.at(-1)).toEqual([
    'upload_blocked',
    { id: 1, left: 0, files: [{ file: 2, reason: 'too-many' }], most: 2 },
  ]);
  await choose(1, FILE); // it has been answered
  await ask();
  await choose(2, FILE, FILE);
  expect(heard.at(-1)?.[1]).toMatchObject({ id: 2, files: [{ reason: 'too-many' }], most: 1 });
  await ask();
  await choose(3, { ...FILE, size: 2 * MIB + 1 });
  expect(heard.at(-1)?.[1]).toMatchObject({ id: 3, files: [{ file: 0, reason: 'too-large' }], most: 2 });
  expect(running.size).toBe(0);
  await ask();
  await choose(4, FILE);
  expect(heard.at(-1)).toEqual(['upload_ack', { id: 4, uploadId: [...running][0]?.id }]);
});

it('[M-097] [R-064] takes none where the policy has changed since the chooser was opened', async () => {
  let isRestricted = false;
  const { ask, choose, heard, called, running } = await start({ isPasteRestricted: () => isRestricted });
  await ask();
  isRestricted = true;
  await choose(1, FILE);
  expect(heard.slice(1)).toEqual([
    ['uploads_disabled', { site: 'site.test' }],
    ['upload_aborted', { id: 1, reason: UPLOAD_END.host }],
  ]);
  expect([running.size, called]).toEqual([0, ['found']]);
});

it('a file that a rule blocks for its size is refused before anything of it is sent', async () => {
  const { ask, choose, heard, running, recorded } = await start({ limit: 10 });
  await ask('selectMultiple');
  await choose(1, { ...FILE, size: 100 }, { ...FILE, name: 'a.exe', size: 11 });
  expect(heard.at(-1)).toEqual([
    'upload_blocked',
    { id: 1, left: 0, files: [{ file: 1, reason: 'rule', message: 'Ask us' }] },
  ]);
  expect(running.size).toBe(0);
  const event = { direction: 'up', site: 'site.test', outcome: 'rule', name: 'a.exe', size: 11, rule: 'r[0]' };
  expect(recorded.events).toEqual([['transfers', event]]);
  await ask();
  await choose(2, { ...FILE, name: 'a.exe', size: 10 });
  expect(heard.at(-1)?.[0]).toBe('upload_ack');
});

it('[M-080] an upload ends with its document, and the client hears of it', async () => {
  const { ask, choose, running, hostHooks, heard, client, flush } = await start();
  await ask();
  await choose(1, FILE);
  client.commands.send(abortUpload, { id: 7, why: 'failed' }); // of none
  await flush();
  expect(running.size).toBe(1);
  hostHooks.replaced.call({ reason: 'crashed' });
  expect(running.size).toBe(0);
  await flush();
  expect(heard.at(-1)).toEqual(['upload_aborted', { id: 1, reason: 1 }]);
});

it('ends with the client that had its files, and says so to one that has only lost what it was sent', async () => {
  const { ask, choose, running, hostHooks, heard, flush } = await start();
  await ask();
  await choose(1, FILE);
  hostHooks.clientAttached.call({ fresh: false });
  expect([...running][0]?.isOver).toBe(false);
  hostHooks.clientAttached.call({ fresh: true });
  hostHooks.clientAttached.call({ fresh: true });
  await flush();
  expect([...running][0]?.isOver).toBe(true);
  expect(heard.slice(2)).toEqual([['upload_aborted', { id: 1, reason: UPLOAD_END.host }]]);
});

it('uploads that have ended make room, those of which a page may have files never do', async () => {
  const { ask, choose, running, client, flush, heard, called } = await start();
  const one = async (id: number): Promise<void> => {
    await ask();
    await choose(id, FILE);
  };
  await one(1);
  await one(2);
  client.commands.send(leaveOut, { id: 2, file: 0 }); // the only one: as if it were canceled
  await flush();
  for (let id = 3; id <= 201; id++) await one(id);
  const [first] = running;
  expect([running.size, first?.isOver]).toEqual([200, false]);
  expect(heard.at(-1)).toMatchObject(['upload_ack', { id: 201 }]);
  const before = called.length;
  await one(202);
  expect(heard.at(-1)).toEqual(['upload_aborted', { id: 202, reason: UPLOAD_END.pageFull }]);
  expect([running.size, [...running][0] === first, first?.isOver]).toEqual([200, true, false]);
  await expect.poll(() => called.length).toBe(before + 1);
});

const OVER = { target: { frame: 1, x: 2, y: 3 }, modifiers: 0 };

it('[S-101] takes files that are dropped as those of a chooser, unless nothing may be dragged into pages', async () => {
  const { client, choose, heard, running } = await start();
  expect(await client.commands.call(dropFiles, OVER)).toEqual({ id: 1 });
  await choose(1, FILE);
  expect(heard.at(-1)).toMatchObject(['upload_ack', { id: 1 }]);
  expect(running.size).toBe(1);

  const off = await start({ mayDrag: false });
  expect(await off.client.commands.call(dragOver, { ...OVER, types: [] })).toEqual({ isTaken: false });
  expect(await off.client.commands.call(dropFiles, OVER)).toEqual({ id: null });
  expect(off.heard).toEqual([]);
});

it('files that are dropped go to no other document than the one they were dropped on', async () => {
  const { client, frames, heard, flush, hostHooks } = await start();
  vi.spyOn(frames, 'originOf').mockImplementationOnce(async (frame) => {
    hostHooks.navigated.call({ frame, url: 'https://next.test/', sameDocument: false });
    return 'https://site.test';
  });
  expect(await client.commands.call(dropFiles, OVER)).toEqual({ id: null });
  expect(await client.commands.call(dropFiles, OVER)).toEqual({ id: 1 });
  await flush();
  expect(heard).toEqual([]);
});

it('[S-090] takes files that are pasted as those of a chooser, unless the policy lets none in', async () => {
  const { client, choose, heard, running } = await start();
  expect(await client.commands.call(pasteFiles, { frame: 1 })).toEqual({ id: 1 });
  await choose(1, FILE);
  expect(heard.at(-1)).toMatchObject(['upload_ack', { id: 1 }]);
  expect(running.size).toBe(1);

  for (const policy of [{ mayDrag: false }, { uploads: false }, { isPasteRestricted: () => true }]) {
    const off = await start(policy);
    expect(await off.client.commands.call(pasteFiles, { frame: 1 })).toEqual({ id: null });
    await off.flush();
    expect(off.heard).toEqual([['uploads_disabled', { site: 'site.test' }]]);
  }
});

it('files that are pasted go to no other document than the one they were pasted into', async () => {
  const { client, cdp, heard, flush, hostHooks } = await start();
  // Chromium holds it back while the next document is awaited, and answers for that one.
  cdp.answer('Page.createIsolatedWorld', () => {
    hostHooks.navigated.call({ frame: 1, url: 'https://next.test/', sameDocument: false });
    return { executionContextId: 4 };
  });
  expect(await client.commands.call(pasteFiles, { frame: 1 })).toEqual({ id: null });
  await flush();
  expect(heard).toEqual([]);
});

it('an element hears once that it gets no files: of a person, a policy or a later chooser', async () => {
  const { ask, choose, client, flush, called } = await start();
  await ask();
  client.commands.send(fileChooserCancelled, { id: 7 }); // of none
  await flush();
  expect(called).toEqual([]);
  client.commands.send(fileChooserCancelled, { id: 1 });
  client.commands.send(fileChooserCancelled, { id: 1 });
  await flush();
  await expect.poll(() => called).toEqual(['found']);
  await ask();
  await ask();
  await expect.poll(() => called.length).toBe(2);
  await choose(3, { ...FILE, size: 3 * MIB });
  await expect.poll(() => called.length).toBe(3);
  const off = await start({ uploads: false });
  await off.ask();
  await expect.poll(() => off.called).toEqual(['found']);
});

it('says so at the drop where the policy allows no uploads', async () => {
  const { client, heard, flush } = await start({ uploads: false });
  expect(await client.commands.call(dragOver, { ...OVER, types: [] })).toEqual({ isTaken: true });
  expect(await client.commands.call(dropFiles, OVER)).toEqual({ id: null });
  await flush();
  expect(heard).toEqual([['uploads_disabled', { site: 'site.test' }]]);
});

it('what the policy refuses has one line, and so have files that are too large', async () => {
  const off = await start({ uploads: false });
  await off.ask();
  expect(off.recorded.events).toEqual([
    ['transfers', { direction: 'up', site: 'site.test', outcome: 'refused', refusing: 'site.test' }],
  ]);

  const { ask, choose, recorded } = await start();
  const large = { ...FILE, name: 'b.txt', size: 3 * MIB };
  await ask('selectMultiple');
  await choose(1, FILE, FILE, large);
  await ask('selectMultiple');
  await choose(2, large, large);
  const line = { direction: 'up', site: 'site.test' };
  expect(recorded.events.map(([, event]) => event)).toEqual([
    { ...line, name: 'a.txt', size: 2 + 3 * MIB, files: 3, outcome: 'too-many' },
    { ...line, name: 'b.txt', size: 6 * MIB, files: 2, outcome: 'too-large' },
  ]);
});

it('[M-097] frames of sites that may have no files get none, whichever way they come', async () => {
  const { ask, choose, called, client, frames, heard, flush, running } = await start({ refusing: ['inner.test'] });
  frames.load({ id: 2, url: 'https://inner.test/form' });
  frames.load({ id: 3, parent: 2, url: 'about:srcdoc', origin: 'null' });
  await ask('selectSingle', 2);
  await expect.poll(() => called).toEqual(['found']); // its element hears of it
  await ask('selectSingle', 3);
  expect(await client.commands.call(dropFiles, { ...OVER, target: { frame: 2, x: 2, y: 3 } })).toEqual({ id: null });
  expect(await client.commands.call(pasteFiles, { frame: 2 })).toEqual({ id: null });
  await flush();
  expect(heard).toEqual(Array(4).fill(['uploads_disabled', { site: 'inner.test' }]));
  // Dragged files do not reach them either.
  const over = { ...OVER, target: { frame: 3, x: 2, y: 3 }, types: ['text/plain'] };
  expect(await client.commands.call(dragOver, over)).toEqual({ isTaken: true });
  // The page itself may have some.
  await ask();
  const [name, params] = heard.at(-1) ?? [];
  expect(name).toBe('run_file_chooser');
  await choose((params as { readonly id: number }).id, FILE);
  expect(running.size).toBe(1);
});

it('rules for sites see the frame that gets the files, whichever way they come', async () => {
  const { ask, asked, begun, choose, client, frames, running } = await start();
  frames.load({ id: 2, url: 'https://inner.test/form' });
  frames.load({ id: 3, parent: 2, url: 'about:srcdoc', origin: 'null' });
  frames.load({ id: 4, url: 'about:blank' });
  frames.tellOrigin(4, 'https://opener.test');
  frames.load({ id: 5, url: 'https://lie.test/' });
  frames.tellOrigin(5, 'https://truth.test');
  const inner = ['https://site.test/', 'https://inner.test/form'];
  const ways: readonly [() => Promise<unknown>, readonly string[]][] = [
    [() => ask('selectSingle', 2), inner],
    [() => ask('selectSingle', 3), inner],
    [() => client.commands.call(dropFiles, { ...OVER, target: { frame: 2, x: 2, y: 3 } }), inner],
    [() => client.commands.call(pasteFiles, { frame: 2 }), inner],
    [() => ask('selectSingle', 4), ['https://site.test/', 'https://opener.test']],
    [() => ask('selectSingle', 5), ['https://site.test/', 'https://lie.test/', 'https://truth.test']],
    [() => ask(), ['https://site.test/']],
  ];
  for (const [at, [way, addresses]] of ways.entries()) {
    await way();
    await choose(at + 1, FILE);
    expect(asked.at(-1)).toEqual(addresses);
    const upload = [...running].at(-1);
    await upload?.receive(0, 0, (async function* () {})(), new AbortController().signal).catch(() => undefined);
    expect(begun.at(-1)).toEqual(addresses);
  }
  expect(begun).toHaveLength(ways.length);
});

it('what has no room beside the files of pages is refused before it is sent, until documents that have some are gone', async () => {
  const { ask, choose, heard, recorded, frames, running, hostHooks } = await start({ room: 3 * MIB });
  frames.load({ id: 2, url: 'https://inner.test/form' });
  frames.load({ id: 3, parent: 2, url: 'https://inner.test/deep' });
  const file = { ...FILE, size: 1.25 * MIB };
  let id = 0;
  const one = async (frame: number): Promise<unknown> => {
    await ask('selectSingle', frame);
    await choose((id += 1), file);
    return heard.at(-1);
  };
  expect(await one(1)).toMatchObject(['upload_ack', { id: 1 }]);
  expect(await one(3)).toMatchObject(['upload_ack', { id: 2 }]);
  expect(await one(1)).toEqual(['upload_aborted', { id: 3, reason: UPLOAD_END.noRoom, most: 3 }]);
  expect(running.size).toBe(2);
  const line = { direction: 'up', site: 'site.test', name: 'a.txt', size: file.size, outcome: 'no-room' };
  expect(recorded.events).toEqual([['transfers', line]]);
  frames.remove(3);
  expect(await one(1)).toMatchObject(['upload_ack', { id: 4 }]);
  hostHooks.replaced.call({ reason: 'crashed' });
  expect(await one(1)).toMatchObject(['upload_ack', { id: 5 }]);
});
