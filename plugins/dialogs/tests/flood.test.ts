import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { alertDismiss, dialogFlood, dialogFloodOver, dialogOpen, dialogsSilence } from '../protocol.ts';

async function start() {
  let actedAt = 0;
  const harness = pluginHarness(manifest, { actedAt: () => actedAt });
  const { client, cdp, host, flush } = harness;
  const said: string[] = [];
  let last = 0;
  client.commands.handle(dialogOpen, ({ id, site }) => {
    said.push(`dialog of ${site}`);
    last = id;
  });
  client.commands.handle(dialogFlood, ({ id, site }) => {
    said.push(`flood of ${site}`);
    last = id;
  });
  client.commands.handle(dialogFloodOver, () => void said.push('over'));
  await activate(host);
  const open = async (url = 'https://site.test/', type = 'alert'): Promise<void> => {
    cdp.emit('Page.javascriptDialogOpening', { url, message: 'Hello', type });
    await flush();
  };
  const close = async (): Promise<void> => {
    client.commands.send(alertDismiss, { id: last });
    await flush();
    cdp.emit('Page.javascriptDialogClosed', {});
    await flush();
  };
  const silence = async (silenced: boolean): Promise<void> => {
    client.commands.send(dialogsSilence, { id: last, silenced });
    await flush();
  };
  const act = (): void => void (actedAt = performance.now() + 1);
  const row = async (): Promise<void> => {
    for (let times = 0; times < 5; times += 1) {
      await open();
      await close();
    }
    said.length = 0;
    cdp.sent.length = 0;
  };
  return { ...harness, said, open, close, silence, act, row };
}

it('asks before a site shows a sixth dialog in a row, and shows it when the person agrees', async () => {
  const { said, open, close, silence, row, cdp } = await start();
  await row();
  await open();
  expect([said, cdp.sent]).toEqual([['flood of site.test'], []]);
  await silence(false);
  expect(said).toEqual(['flood of site.test', 'dialog of site.test']);
  await close();
  await open();
  expect(said.at(-1)).toBe('dialog of site.test');
});

it('closes dialogs of a silenced site unseen, also on pages that it goes to by itself, until the person acts', async () => {
  const { said, open, silence, row, act, cdp, hostHooks } = await start();
  const arrive = () => hostHooks.navigated.call({ frame: 1, url: 'https://site.test/2', sameDocument: false });
  await row();
  await open();
  await silence(true);
  await open();
  arrive();
  await open();
  expect(said).toEqual(['flood of site.test']);
  expect(cdp.sent.map(({ params }) => params)).toEqual([{ accept: false }, { accept: false }, { accept: false }]);
  act();
  arrive();
  await open();
  expect(said.at(-1)).toBe('dialog of site.test');
});

it('counts neither after an act of the person, nor other sites, nor the question before leaving', async () => {
  const { said, open, row, act } = await start();
  await row();
  await open('https://frame.test/');
  await open('https://site.test/', 'beforeunload');
  act();
  await open();
  expect(said.filter((line) => line.startsWith('flood'))).toEqual([]);
});

it('forgets the question when the page closes the dialog, and asks again after a reload of the client', async () => {
  const { said, open, row, silence, flush, cdp, hostHooks } = await start();
  await row();
  await open();
  hostHooks.clientAttached.call({ fresh: true });
  await flush();
  cdp.emit('Page.javascriptDialogClosed', {});
  await flush();
  await silence(false);
  expect(said).toEqual(['flood of site.test', 'flood of site.test', 'over']);
});
