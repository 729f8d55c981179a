import { expect, it } from 'vitest';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import {
  digestOf,
  editorSeq,
  editorSeqDone,
  lechoHash,
  pageDigest,
  pageMark,
  precheck,
  precheckFailure,
} from '../protocol.ts';

const TARGET = { frame: 1, epoch: 3, node: 9, x: 0, y: 0 };
const ACT = { frame: 1, isRich: false, is_exact: false, echoed: 0, wrong: 0 };

/** The host half over a page that holds this text, and marks `until` then; undefined for one that has no page half. */
async function start(text?: string, until?: Promise<void>) {
  const harness = pluginHarness(manifest);
  const { client, host, page } = harness;
  const heard: unknown[] = [];
  const marked: boolean[] = [];
  if (text !== undefined) {
    page.in(1).handle(pageMark, async ({ isRich }) => {
      marked.push(isRich);
      await until;
      return { epoch: 3, seq: 7 };
    });
    page.in(1).handle(pageDigest, () => ({ ...digestOf(text)!, epoch: 3, seq: 7 })); // none is too long
  }
  client.commands.handle(
    editorSeqDone,
    ({ seq, is_exact: isExact }) => void heard.push(isExact ? `exactly ${seq}` : seq),
  );
  client.commands.handle(precheckFailure, ({ length }) => void heard.push(`${length} units`));
  await activate(host);
  return { ...harness, heard, marked };
}

it('answers how far the page is after what it has drawn, and counts echoes', async () => {
  const { client, flush, heard, marked, recorded } = await start('abc');
  client.commands.send(editorSeq, { ...ACT, seq: 4, isRich: true, echoed: 3, wrong: 1 });
  await flush();
  client.reached(1, 3, 6);
  await flush();
  expect(heard).toEqual([]);
  client.reached(1, 3, 7);
  await flush();
  expect([heard, marked]).toEqual([[4], [true]]);
  expect(Object.fromEntries(recorded.counts)).toEqual({ echoed: 3, wrong: 1 });
});

it('lets later input wait for an exact answer', async () => {
  const held = Promise.withResolvers<void>();
  const { client, host, flush, heard } = await start('abc', held.promise);
  client.reached(1, 3, 7);
  client.commands.send(editorSeq, { ...ACT, seq: 4, is_exact: true });
  await flush();
  const later = host.input.enqueue(async () => void heard.push('later'));
  await flush();
  expect(heard).toEqual([]);
  held.resolve();
  await later;
  await flush();
  expect(heard).toEqual(['later', 'exactly 4']);
});

it('answers of a frame that has gone as well: nothing of it is to be waited for', async () => {
  const { client, flush, heard } = await start();
  client.commands.send(editorSeq, { ...ACT, frame: 12, seq: 1 });
  await flush();
  expect(heard).toEqual([1]);
});

it('[M-092] says that the page has another text, of a control and of rich text, and nothing where it has the same', async () => {
  const { client, flush, heard } = await start('abc');
  client.reached(1, 3, 7);
  client.commands.send(precheck, { target: TARGET, ...digestOf('abc')! });
  client.commands.send(lechoHash, { target: TARGET, ...digestOf('abc')! });
  await flush();
  expect(heard).toEqual([]);
  client.commands.send(precheck, { target: TARGET, ...digestOf('abd')! });
  client.commands.send(lechoHash, { target: TARGET, ...digestOf('ab')! });
  await flush();
  expect(heard).toEqual(['3 units', '3 units']);
});

it('asks the page of a flood of questions no more than it can answer, and answers them all', async () => {
  const { client, flush, heard, marked } = await start('abc');
  client.reached(1, 3, 7);
  for (let seq = 1; seq <= 500; seq += 1) client.commands.send(editorSeq, { ...ACT, seq });
  await flush();
  expect(heard.length).toBe(500);
  expect(marked.length).toBeLessThan(100);
});
