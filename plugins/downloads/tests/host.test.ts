import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { downloadTabsToken } from '../host/download-list.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import {
  cancelDownload,
  dlResume,
  dlSaveProg,
  dlTcUiFinished,
  downloadAgain,
  downloadCancelled,
  downloadIgnored,
  downloadRequested,
  downloadRestoreProg,
  downloadStatusUpdated,
} from '../protocol.ts';

type Tabs = typeof downloadTabsToken extends { readonly type?: infer T } ? T : never;
type Listener = Parameters<NonNullable<Tabs>['attach']>[1];

const RECORD = { id: 1, uri: '', filename: 'a.txt', asked: true, again: true, key: 'K', received: 0 };

it('[M-015] [M-081] each event of a download is a message to the client, and each act of the person reaches the list', async () => {
  const { host, client, hostServices, hostHooks, flush, disposeHost } = pluginHarness(manifest);
  const calls: unknown[][] = [];
  let listener: Listener | undefined;
  hostServices.provide(downloadTabsToken, {
    attach: (tab, given) => {
      calls.push(['attach', tab]);
      listener = given;
      return () => calls.push(['detach']);
    },
    restore: (tab) => calls.push(['restore', tab]),
    cancel: (tab, id) => calls.push(['cancel', tab, id]),
    resume: (tab, id, password) => calls.push(['resume', tab, id, password]),
    again: (tab, id) => calls.push(['again', tab, id]),
    saved: (tab, id) => calls.push(['saved', tab, id]),
    forget: (tab, id) => calls.push(['forget', tab, id]),
    abandon: (tab) => calls.push(['abandon', tab]),
  });
  const heard: unknown[][] = [];
  const messages = [downloadRequested, downloadStatusUpdated, downloadCancelled, downloadIgnored, downloadRestoreProg];
  for (const each of messages)
    client.commands.handle(each as typeof downloadIgnored, (params) => void heard.push([each.name, params]));
  await activate(host);
  listener?.requested(RECORD);
  listener?.requested({ ...RECORD, id: 2 }, 1);
  listener?.updated(1, 'finished', { received: 3, total: 3 });
  listener?.cancelled(1, 2, 5);
  listener?.ignored('a.txt', 'site.test');
  listener?.restored({ ...RECORD, status: 'finished', saved: true, scanned: false });
  await flush();
  expect(heard).toEqual([
    ['download_requested', RECORD],
    ['download_requested', { ...RECORD, id: 2, replaces: 1 }],
    ['download_status_updated', { id: 1, status: 'finished', received: 3, total: 3 }],
    ['download_cancelled', { id: 1, reason: 2, most: 5 }],
    ['download_ignored', { filename: 'a.txt', site: 'site.test' }],
    ['download_restore_prog', { ...RECORD, status: 'finished', saved: true, scanned: false }],
  ]);
  client.commands.send(cancelDownload, { id: 1 });
  client.commands.send(dlResume, { id: 1, password: 'secret' });
  client.commands.send(downloadAgain, { id: 1 });
  client.commands.send(dlSaveProg, { id: 1 });
  client.commands.send(dlTcUiFinished, { id: 1 });
  await flush();
  hostHooks.clientAttached.call({ fresh: false });
  expect(calls.at(-1)).toEqual(['forget', host.tab.id, 1]);
  hostHooks.clientAttached.call({ fresh: true });
  disposeHost();
  const { id } = host.tab;
  expect(calls).toEqual([
    ['attach', id],
    ['cancel', id, 1],
    ['resume', id, 1, 'secret'],
    ['again', id, 1],
    ['saved', id, 1],
    ['forget', id, 1],
    ['restore', id],
    ['detach'],
  ]);
});

it('the downloads of a tab that no client has come for are abandoned when it ends', async () => {
  const { host, hostServices, disposeHost } = pluginHarness(manifest);
  const calls: unknown[][] = [];
  const none = () => undefined;
  hostServices.provide(downloadTabsToken, {
    attach: () => () => calls.push(['detach']),
    restore: none,
    cancel: none,
    resume: none,
    again: none,
    saved: none,
    forget: none,
    abandon: (tab) => calls.push(['abandon', tab]),
  });
  await activate(host);
  disposeHost();
  expect(calls).toEqual([['abandon', host.tab.id], ['detach']]);
});
