import { afterEach, expect, it, vi } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { start as startClient } from '../client/start.ts';
import type { TrayProps } from '../client/tray.tsx';
import { activate } from '../host/index.ts';
import { runningUploadsToken } from '../host/session.ts';
import type { Upload } from '../host/upload.ts';
import { manifest } from '../manifest.ts';
import {
  abortUpload,
  pasteFiles,
  upload,
  uploadAborted,
  uploadComplete,
  uploadPassword,
  uploadProgress,
  uploadUnlock,
  uploadsDisabled,
  UPLOAD_END,
} from '../protocol.ts';
import { chosen, inChunks, PlayedFile, settled } from './played-upload.ts';

afterEach(() => void vi.unstubAllGlobals());

it('[M-080] the client hears of bytes and of passwords that are wanted, and ends an upload', async () => {
  const harness = pluginHarness(manifest);
  const { client, cdp, host, hostServices, flush } = harness;
  const running = new Set<Upload>();
  const locked = [1, 2].map((attempt) => ({ is: 'locked', attempt }) as const);
  hostServices.provide(runningUploadsToken, {
    desk: { begin: async ({ name }) => new PlayedFile(name, locked), limitOf: () => undefined },
    stage: () => Promise.reject(new Error('not part of this test')),
    room: () => ({ most: Infinity, left: Infinity }),
    get: () => undefined,
    add: (each) => void running.add(each),
    delete: (each) => void running.delete(each),
  });
  cdp.answer('DOM.describeNode', () => ({ node: { nodeName: 'INPUT', attributes: [], backendNodeId: 9 } }));
  const heard: unknown[][] = [];
  for (const each of [uploadProgress, uploadPassword])
    client.commands.handle(each as typeof uploadProgress, (params) => void heard.push([each.name, params]));
  const transfers = { uploads: true, max_upload_megabytes: 2, max_files: 2 };
  const policy = () => ({ ...host.tab.policy(), transfers });
  await activate({ ...host, tab: { ...host.tab, policy } });
  cdp.emit('Page.fileChooserOpened', { frameId: 'F1', mode: 'selectSingle', backendNodeId: 9 });
  await flush();
  client.commands.send(upload, { id: 1, files: [chosen('a.zip', 6)] });
  await flush();
  const [one] = running;
  await one?.receive(0, 0, inChunks('secret'), new AbortController().signal);
  await settled();
  client.commands.send(uploadUnlock, { id: 1, file: 0, password: 'wrong' });
  await flush();
  await settled();
  await flush();
  expect(heard).toEqual([
    ['upload_progress', { id: 1, file: 0, received: 6 }],
    ['upload_password', { id: 1, file: 0, isAgain: false }],
    ['upload_password', { id: 1, file: 0, isAgain: true }],
  ]);
  client.commands.send(abortUpload, { id: 1, why: 'canceled' });
  await flush();
  expect(one?.isOver).toBe(true);
});

const { pageLeft, host: lost, diskFull, changed, notTaken, pageFull, noRoom } = UPLOAD_END;
it.each([
  [uploadComplete.name, {}, { state: 'done' }],
  [uploadAborted.name, { reason: pageLeft }, { state: 'failed', reason: 'uploads.page-left' }],
  [uploadAborted.name, { reason: lost }, { state: 'failed', reason: 'uploads.host-failed' }],
  [uploadAborted.name, { reason: diskFull }, { state: 'failed', reason: 'uploads.disk-full' }],
  [uploadAborted.name, { reason: changed }, { state: 'failed', reason: 'uploads.changed' }],
  [uploadAborted.name, { reason: notTaken }, { state: 'failed', reason: 'uploads.not-taken' }],
  [uploadAborted.name, { reason: pageFull }, { state: 'failed', reason: 'uploads.page-full' }],
  [uploadAborted.name, { reason: noRoom, most: 8 }, { state: 'failed', reason: 'uploads.no-room', most: 8 }],
])('[M-080] the tray says how an upload has ended: %s %j', async (name, facts, row) => {
  vi.stubGlobal('window', {}); // its storage is forbidden
  const { client, host, flush, overlay } = pluginHarness(manifest);
  host.commands.handle(pasteFiles, () => ({ id: 7 }));
  host.commands.handle(upload, () => undefined);
  const { paste, take } = await startClient(client);
  await paste(1, [new File(['a'], 'a.txt')]);
  await flush();
  const { uploads } = overlay.filled[0]?.props as TrayProps;
  expect(uploads.rows()[0]).toMatchObject({ state: 'sending' });
  take(name, { id: 7, ...facts });
  expect(uploads.rows()[0]).toMatchObject(row);
});

it('[M-041] the person hears that the policy lets nobody upload', async () => {
  vi.stubGlobal('window', {}); // its storage is forbidden
  const { client, overlay } = pluginHarness(manifest);
  const { take } = await startClient(client);
  void take(uploadsDisabled.name, { site: 'site.test' });
  expect(overlay.asked.map(({ props }) => props)).toMatchObject([
    { title: 'uploads.disabled-title', text: 'uploads.disabled-text' },
  ]);
});
