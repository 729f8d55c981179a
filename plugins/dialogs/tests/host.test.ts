import { describe, expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { alertDismiss, confirmDismiss, dialogClose, dialogOpen, MAX_DIALOG_TEXT, promptDismiss } from '../protocol.ts';
import type { DialogKind, DialogRequest } from '../protocol.ts';

async function start() {
  const harness = pluginHarness(manifest);
  const { client, cdp, host, flush } = harness;
  const opened: DialogRequest[] = [];
  const closed: number[] = [];
  client.commands.handle(dialogOpen, (request) => void opened.push(request));
  client.commands.handle(dialogClose, ({ id }) => void closed.push(id));
  await activate(host);
  const open = async (type: DialogKind, more: object = {}): Promise<void> => {
    cdp.emit('Page.javascriptDialogOpening', { url: 'https://site.test:8443/x', message: 'Well?', type, ...more });
    await flush();
  };
  return { ...harness, opened, closed, open, answers: () => cdp.sent.splice(0).map(({ params }) => params) };
}

describe('a dialog of the page', () => {
  it.each<[DialogKind, (send: Awaited<ReturnType<typeof start>>['client']['commands']['send']) => void, object]>([
    ['alert', (send) => send(alertDismiss, { id: 1 }), { accept: true }],
    ['confirm', (send) => send(confirmDismiss, { id: 1, accepted: true }), { accept: true }],
    ['confirm', (send) => send(confirmDismiss, { id: 1, accepted: false }), { accept: false }],
    ['beforeunload', (send) => send(confirmDismiss, { id: 1, accepted: true }), { accept: true }],
    [
      'prompt',
      (send) => send(promptDismiss, { id: 1, accepted: true, text: 'Ada' }),
      { accept: true, promptText: 'Ada' },
    ],
    ['prompt', (send) => send(promptDismiss, { id: 1, accepted: false, text: '' }), { accept: false, promptText: '' }],
  ])('of kind %s stays open until the answer, which the page sees', async (kind, answer, seen) => {
    const { client, open, opened, closed, answers, flush, cdp } = await start();
    await open(kind, { defaultPrompt: 'Bob' });
    expect(opened).toEqual([{ id: 1, kind, site: 'site.test:8443', message: 'Well?', defaultText: 'Bob' }]);
    expect(answers()).toEqual([]);
    answer(client.commands.send);
    await flush();
    expect(answers()).toEqual([seen]);
    cdp.emit('Page.javascriptDialogClosed', {});
    await flush();
    expect(closed).toEqual([]);
  });

  it('is answered once, and never by an answer to another', async () => {
    const { client, open, answers, flush } = await start();
    await open('confirm');
    client.commands.send(confirmDismiss, { id: 7, accepted: true });
    await flush();
    expect(answers()).toEqual([]);
    client.commands.send(confirmDismiss, { id: 1, accepted: false });
    client.commands.send(confirmDismiss, { id: 1, accepted: true });
    await flush();
    expect(answers()).toEqual([{ accept: false }]);
    await open('confirm');
    client.commands.send(confirmDismiss, { id: 1, accepted: true });
    await flush();
    expect(answers()).toEqual([]);
  });

  it('of another frame takes its place: an alert stays, and what Chromium takes no answer to is left', async () => {
    const { client, cdp, host, open, opened, closed, flush } = await start();
    let released = 0;
    Object.assign(host.tab, { release: async () => (released += 1) > 0 });
    const replacedBy = async (kind: DialogKind): Promise<void> => {
      await open('confirm');
      await open(kind); // of another frame: Chromium closes the first for it
      cdp.emit('Page.javascriptDialogClosed', {});
      await flush();
    };
    await replacedBy('alert');
    expect([opened.map(({ kind }) => kind), closed, released]).toEqual([['confirm', 'alert'], [1], 0]);
    cdp.answer('Page.handleJavaScriptDialog', () => Promise.reject(new Error('No dialog is showing')));
    client.commands.send(alertDismiss, { id: 2 });
    await flush();
    expect(released).toBe(1);
    cdp.emit('Page.javascriptDialogClosed', {});
    await replacedBy('confirm');
    expect(released).toBe(2);
    cdp.emit('Page.javascriptDialogClosed', {});
    await flush();
    expect(closed).toEqual([1, 3, 4]);
  });

  it('is removed when it was closed without an answer', async () => {
    const { client, open, closed, cdp, flush, answers, hostHooks } = await start();
    await open('alert');
    cdp.emit('Page.javascriptDialogClosed', {});
    await flush();
    expect(closed).toEqual([1]);
    client.commands.send(alertDismiss, { id: 1 });
    await flush();
    expect(answers()).toEqual([]);

    // The page's process has ended with its dialog, without an event; its successor loads.
    await open('alert');
    hostHooks.navigated.call({ frame: 2, url: '', sameDocument: false });
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: true });
    await flush();
    expect(closed).toEqual([1]);
    hostHooks.navigated.call({ frame: 1, url: '', sameDocument: false });
    await flush();
    expect(closed).toEqual([1, 2]);
  });

  it('is shown again to a reloaded client, while it is open', async () => {
    const { client, open, opened, hostHooks, flush } = await start();
    await open('confirm');
    hostHooks.clientAttached.call({ fresh: false });
    await flush();
    expect(opened).toHaveLength(1);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(opened.map(({ id }) => id)).toEqual([1, 1]);
    client.commands.send(confirmDismiss, { id: 1, accepted: true });
    await flush();
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(opened).toHaveLength(2);
  });

  it('may have any text: it is cut, and addresses without a host shown by their scheme', async () => {
    const { open, opened, faults } = await start();
    const long = 'x'.repeat(3 * MAX_DIALOG_TEXT);
    await open('prompt', { message: long, defaultPrompt: long, url: `https://${'a'.repeat(60)}.test/` });
    await open('alert', { url: 'blob:https://made.test/5e1f' });
    await open('alert', { url: 'about:srcdoc' });
    await open('alert', { url: 'data:text/html,x' });
    await open('alert', { url: 'no address' });
    expect(opened[0]?.message).toHaveLength(MAX_DIALOG_TEXT);
    expect(opened[0]?.defaultText).toHaveLength(MAX_DIALOG_TEXT);
    expect(opened.map(({ site }) => site)).toEqual([`${'a'.repeat(60)}.test`, 'made.test', '', '', '']);
    expect(faults).toEqual([]);
  });

  it('of a document without an address has the site that the browser knows for it, and none where that is opaque', async () => {
    const { open, opened, closed, frames, cdp, flush } = await start();
    frames.tellOrigin(3, 'https://around.test:8443');
    frames.tellOrigin(4, 'null');
    for (const frameId of ['F3', 'F4', 'unknown']) await open('alert', { url: 'about:srcdoc', frameId });
    expect(opened.map(({ site }) => site)).toEqual(['around.test:8443', '', '']);

    // It is over before the answer comes, or another has taken its place.
    for (let open = 3; open > 0; open--) cdp.emit('Page.javascriptDialogClosed', {});
    await flush();
    const before = opened.length;
    cdp.emit('Page.javascriptDialogOpening', { url: 'about:blank', message: '', type: 'alert', frameId: 'F3' });
    cdp.emit('Page.javascriptDialogClosed', {});
    await flush();
    expect(opened.length).toBe(before);
    cdp.emit('Page.javascriptDialogOpening', { url: 'about:blank', message: '', type: 'alert', frameId: 'F3' });
    await open('confirm');
    expect(opened.slice(before).map(({ site }) => site)).toEqual(['site.test:8443']);
    expect(closed).not.toContain(opened.at(-1)?.id);
  });

  it('that can no longer be answered is only logged', async () => {
    const { client, open, cdp, flush, faults, log } = await start();
    cdp.answer('Page.handleJavaScriptDialog', () => Promise.reject(new Error('No dialog is showing')));
    await open('alert');
    client.commands.send(alertDismiss, { id: 1 });
    await flush();
    expect(faults).toEqual([]);
    expect(log).toEqual([expect.objectContaining({ level: 'info' })]);
  });
});

describe('a page that hangs', () => {
  const hangs = (frame = 1): { frame: number; unresponsive: boolean } => ({ frame, unresponsive: true });

  it('is stopped when the person wants that, and offered again while it continues to hang', async () => {
    const { client, opened, cdp, hostHooks, flush } = await start();
    hostHooks.unresponsive.call(hangs());
    hostHooks.unresponsive.call(hangs());
    await flush();
    expect(opened).toMatchObject([{ id: 1, kind: 'unresponsive' }]);
    client.commands.send(confirmDismiss, { id: 1, accepted: false });
    await flush();
    expect(cdp.sent).toEqual([]);
    hostHooks.unresponsive.call(hangs());
    client.commands.send(confirmDismiss, { id: 2, accepted: true });
    await flush();
    expect(cdp.sent).toMatchObject([{ method: 'Runtime.terminateExecution' }]);
  });

  it('is no longer offered to be stopped once it responds, or opens a dialog', async () => {
    const { open, opened, closed, hostHooks, flush } = await start();
    hostHooks.unresponsive.call(hangs());
    hostHooks.unresponsive.call({ frame: 1, unresponsive: false });
    await flush();
    expect(closed).toEqual([1]);
    hostHooks.unresponsive.call(hangs());
    await open('alert');
    hostHooks.unresponsive.call({ frame: 1, unresponsive: false });
    await flush();
    expect(closed).toEqual([1, 2]);
    expect(opened.at(-1)).toMatchObject({ id: 3, kind: 'alert' });
  });
});
