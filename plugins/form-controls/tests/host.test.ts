import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { pageOver, pageReport, validateForm, validationOver } from '../protocol.ts';

const REPORT = { epoch: 5, node: 7, problem: 'short', limit: '8', words: '' } as const;

async function start() {
  const harness = pluginHarness(manifest);
  const { client, host, page, hostHooks } = harness;
  const flush = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn++) await harness.flush(); // from the page to the host, then to the client
  };
  const shown: unknown[] = [];
  client.commands.handle(validateForm, (params) => void shown.push(params));
  client.commands.handle(validationOver, () => void shown.push('over'));
  harness.frames.load({ id: 3, url: 'https://site.test/frame' });
  await activate(host);
  client.reached(3, 5, 0);
  const report = async (frame: number): Promise<void> => {
    page.in(frame).send(pageReport, { ...REPORT, seq: 0 });
    await flush();
  };
  const over = async (frame: number): Promise<void> => {
    page.in(frame).send(pageOver, undefined);
    await flush();
  };
  const navigate = async (frame: number, sameDocument: boolean): Promise<void> => {
    hostHooks.navigated.call({ frame, url: 'https://site.test/', sameDocument });
    await flush();
  };
  const remove = async (frame: number): Promise<void> => {
    harness.frames.remove(frame);
    await flush();
  };
  return { shown, report, over, navigate, remove };
}

it('[M-064] passes on why a form is not sent, with its frame, until the control was changed or left', async () => {
  const { shown, report, over } = await start();
  await report(3);
  expect(shown).toEqual([{ ...REPORT, frame: 3 }]);
  await over(3);
  await over(3);
  expect(shown.slice(1)).toEqual(['over']);
});

it('[M-064] ends it with its document, not with that of another frame, nor by another frame', async () => {
  const { shown, report, over, navigate } = await start();
  await report(3);
  await over(1);
  await navigate(1, false);
  await navigate(3, true);
  expect(shown).toHaveLength(1);
  await navigate(3, false);
  await navigate(3, false);
  expect(shown.slice(1)).toEqual(['over']);
});

it('[M-064] ends it with its frame', async () => {
  const { shown, report, remove } = await start();
  await report(3);
  await remove(3);
  expect(shown.slice(1)).toEqual(['over']);
});
