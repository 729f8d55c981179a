import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { runningUploadsToken } from '../host/session.ts';
import type { Upload } from '../host/upload.ts';
import { manifest } from '../manifest.ts';
import {
  abortUpload,
  dragOver,
  dropFiles,
  fileChooserCancelled,
  pasteFiles,
  runFileChooser,
  upload,
  uploadAck,
  uploadBlocked,
  uploadsDisabled,
} from '../protocol.ts';

const MIB = 1024 * 1024;
const FILE = { size: 1, name: 'a.txt', type: 'n/a', lastModified: 0, path: '' };

async function start({
  uploads = true,
  isActing = true,
  isPasteRestricted = false,
  attributes = [] as string[],
  limit = Infinity,
  mayDrag = true,
} = {}) {
  const harness = pluginHarness(manifest);
  const { client, cdp, host, hostServices, flush, hostHooks } = harness;
  const running = new Set<Upload>();
  hostServices.provide(runningUploadsToken, {
    desk: {
      begin: () => Promise.reject(new Error('not part of this test')),
      limitOf: ({ name, addresses }) => {
        expect(addresses).toEqual(['https://site.test/']);
        return name.endsWith('.exe') ? { bytes: limit, rule: 'r[0]', message: 'Ask us' } : undefined;
      },
    },
    stage: () => Promise.reject(new Error('not part of this test')),
    get: () => undefined,
    add: (each) => void running.add(each),
    delete: (each) => void running.delete(each),
  });
  const transfers = { uploads, max_upload_megabytes: 2, max_files: 2 };
  const copy_paste = { restrict_paste: isPasteRestricted };
  const session = { ...host.tab.policy().session, backend_drag_drop: mayDrag };
  const tab = { ...host.tab, policy: () => ({ ...host.tab.policy(), transfers, copy_paste, session }) };
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
  for (const each of [runFileChooser, uploadAck, uploadBlocked, uploadsDisabled])
    client.commands.handle(each as typeof uploadAck, (params) => void heard.push([each.name, params]));
  await activate({ ...host, tab, input });
  const ask = async (mode = 'selectSingle'): Promise<void> => {
    cdp.emit('Page.fileChooserOpened', { frameId: 'F1', mode, backendNodeId: 9 });
    await flush();
  };
  const choose = async (id: number, ...files: object[]): Promise<void> => {
    client.commands.send(upload, { id, files: files as (typeof FILE)[] });
    await flush();
  };
  return { ...harness, heard, ask, choose, running, hostHooks, called };
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
  for (const policy of [{ uploads: false }, { isPasteRestricted: true }]) {
    const { ask, heard } = await start(policy);
    await ask();
    expect(heard).toEqual([['uploads_disabled', { site: 'site.test' }]]);
  }
});

it('takes files within the limits of the policy, and of the chooser, once', async () => {
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

it('an upload ends with its document', async () => {
  const { ask, choose, running, hostHooks, client, flush } = await start();
  await ask();
  await choose(1, FILE);
  client.commands.send(abortUpload, { id: 7, hasFailed: true }); // of none
  await flush();
  expect(running.size).toBe(1);
  hostHooks.replaced.call({ reason: 'crashed' });
  expect(running.size).toBe(0);
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

it('[S-090] takes files that are pasted as those of a chooser, unless the policy lets none in', async () => {
  const { client, choose, heard, running } = await start();
  expect(await client.commands.call(pasteFiles, { frame: 1 })).toEqual({ id: 1 });
  await choose(1, FILE);
  expect(heard.at(-1)).toMatchObject(['upload_ack', { id: 1 }]);
  expect(running.size).toBe(1);

  for (const policy of [{ mayDrag: false }, { uploads: false }, { isPasteRestricted: true }]) {
    const off = await start(policy);
    expect(await off.client.commands.call(pasteFiles, { frame: 1 })).toEqual({ id: null });
    await off.flush();
    expect(off.heard).toEqual([['uploads_disabled', { site: 'site.test' }]]);
  }
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
