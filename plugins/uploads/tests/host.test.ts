import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { runningUploadsToken } from '../host/session.ts';
import type { Upload } from '../host/upload.ts';
import { manifest } from '../manifest.ts';
import { abortUpload, runFileChooser, upload, uploadAck, uploadBlocked, uploadsDisabled } from '../protocol.ts';

const MIB = 1024 * 1024;
const FILE = { size: 1, name: 'a.txt', type: 'n/a', lastModified: 0, path: '' };

async function start({ uploads = true, isActing = true, isPasteRestricted = false, attributes = [] as string[] } = {}) {
  const harness = pluginHarness(manifest);
  const { client, cdp, host, hostServices, flush, hostHooks } = harness;
  const running = new Set<Upload>();
  hostServices.provide(runningUploadsToken, {
    desk: { begin: () => Promise.reject(new Error('not part of this test')) },
    stage: () => Promise.reject(new Error('not part of this test')),
    get: () => undefined,
    add: (each) => void running.add(each),
    delete: (each) => void running.delete(each),
  });
  const transfers = { uploads, max_upload_megabytes: 2, max_files: 2 };
  const copy_paste = { restrict_paste: isPasteRestricted };
  const tab = { ...host.tab, policy: () => ({ ...host.tab.policy(), transfers, copy_paste }) };
  const input = { ...host.input, gesture: { isActive: () => isActing, actedAt: 0 } };
  cdp.answer('DOM.describeNode', () => ({ node: { nodeName: 'INPUT', attributes } }));
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
  return { ...harness, heard, ask, choose, running, hostHooks };
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
