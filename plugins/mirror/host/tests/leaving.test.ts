import { expect, it, vi } from 'vitest';
import { OP } from '../../ops.ts';
import { SHEET_DEADLINE_MS } from '../sheet-texts.ts';
import { batch, doc, element, harness, received, send, SHEETS, told, useMirror } from './host-half.ts';

useMirror();

const url = 'https://next.test/';
const late = [doc, element(2, 'link'), [OP.sheet, 2, 2, '/late.css', '', 0]];
const navigate = (frame: number, sameDocument = false): void =>
  harness.hostHooks.navigated.call({ frame, url, sameDocument });
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
  await harness.flush();
};
const epochs = (): number[][] => received.map(({ frame, batch: { epoch, seq } }) => [frame, epoch, seq]);

it('what waits of a document is not sent once its frame has gone to another, which comes whole', async () => {
  await send(1, batch(1, late));
  await send(1, batch(2, [element(3, 'p')]));
  navigate(1);
  await send(1, batch(3, [element(4, 'p')]));
  await pass(SHEET_DEADLINE_MS);
  expect(received).toEqual([]);
  harness.frames.load({ id: 1, url, parent: 0 });
  await send(1, batch(1, [doc], 6));
  await send(1, batch(2, [element(2, 'p')], 6));
  expect(epochs()).toEqual([
    [1, 6, 1],
    [1, 6, 2],
  ]);
  expect(harness.faults).toEqual([]);
});

it('texts of sheets that come late are not sent once their frame has gone to another document', async () => {
  await send(1, batch(1, late));
  await pass(SHEET_DEADLINE_MS);
  expect(received).toHaveLength(1);
  navigate(1);
  SHEETS['https://site.test/late.css'] = 'l{m:n}';
  await pass(5000);
  delete SHEETS['https://site.test/late.css'];
  expect(received).toHaveLength(1);
});

it('what waits is sent when the frame has gone to another place in its document', async () => {
  await send(1, batch(1, late));
  navigate(1, true);
  await pass(SHEET_DEADLINE_MS);
  expect(epochs()).toEqual([[1, 5, 1]]);
});

it('page halves that were held for what waited are not once it has been dropped', async () => {
  const page = told(1);
  await send(1, batch(1, late));
  for (let seq = 2; seq <= 65; seq++) await send(1, batch(seq, []));
  expect(page.held).toEqual([true]);
  navigate(1);
  await harness.flush();
  expect(page.held).toEqual([true, false]);
});

it('a document that is told of only after its page half has started stays', async () => {
  await send(1, batch(1, [doc, element(9, 'iframe')]));
  harness.frames.own(2, { epoch: 5, node: 9 });
  harness.frames.load({ id: 2, url: '' });
  await send(2, batch(1, [doc], 8));
  navigate(2);
  await send(2, batch(2, [element(2, 'p')], 8));
  expect(epochs().filter(([frame]) => frame === 2)).toEqual([
    [2, 8, 1],
    [2, 8, 2],
  ]);
  navigate(2);
  await send(2, batch(3, [element(3, 'p')], 8));
  expect(received.filter(({ frame }) => frame === 2)).toHaveLength(2);
});
