import { expect, it, vi } from 'vitest';
import { OP } from '../../ops.ts';
import * as protocol from '../../protocol.ts';
import { batch, doc, element, harness, received, send, SHEETS, pageMessages, useMirror } from './host-half.ts';

useMirror();

it('[S-075] sheets delay their batches until all of them are loaded, for 3000 ms at most', async () => {
  const linked = (id: number, address: string): (number | string)[][] => [
    element(id, 'link'),
    [OP.sheet, id, 2, address, '', 0],
  ];
  const pass = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
    await harness.flush();
  };
  await send(1, batch(1, [doc, ...linked(2, '/soon.css'), ...linked(3, '/a.css')]));
  await send(1, batch(2, [element(4, 'body')]));
  await pass(1000);
  expect(received).toEqual([]);
  SHEETS['https://site.test/soon.css'] = 's{t:u}';
  await pass(1000);
  expect(received.map(({ batch: { seq } }) => seq)).toEqual([1, 2]);

  await send(1, batch(3, linked(5, '/never.css')));
  await send(1, batch(4, [element(6, 'p')]));
  await pass(2999);
  expect(received).toHaveLength(2);
  await pass(1);
  expect(received.slice(2).map(({ batch: { seq } }) => seq)).toEqual([3, 4]);
  delete SHEETS['https://site.test/soon.css'];
});

// Nothing is retried: a sheet is sent with its disabled state, however late it is; 100 tries of 200 ms would be 20 s.
it('[M-109] sheets that are disabled before their text is loaded are disabled when it arrives, also 20 s later', async () => {
  const sheet = (disabled: number): (number | string)[] => [OP.sheet, 2, 2, '/slow.css', '', disabled];
  await send(1, batch(1, [doc, element(2, 'link'), sheet(0)]));
  await vi.advanceTimersByTimeAsync(5000);
  await send(1, batch(2, [sheet(1)]));
  await vi.advanceTimersByTimeAsync(14_000);
  SHEETS['https://site.test/slow.css'] = 's{l:o}';
  await vi.advanceTimersByTimeAsync(5000);
  await harness.flush();
  delete SHEETS['https://site.test/slow.css'];
  const sheets = received.flatMap(({ batch: { ops, strings } }) =>
    ops.filter(([code]) => code === OP.sheet).map((op) => [strings[op[3] ?? -1], op[5]]),
  );
  expect(sheets).toEqual([
    ['', 0],
    ['', 1],
    ['s{l:o}', 1],
  ]);
});

it('[M-109] the owner element of a nested frame is queried every 100 ms while it is missing, for 10 s', async () => {
  await send(1, batch(1, [doc, element(9, 'iframe')]));
  const asked = vi.spyOn(harness.host.frames, 'ownerOf');
  harness.frames.load({ id: 2, url: 'https://frame.test/' });
  await send(2, batch(1, [doc], 8));
  const first = asked.mock.calls.length;
  for (let tenths = 1; tenths <= 30; tenths++) {
    await vi.advanceTimersByTimeAsync(100);
    expect(asked.mock.calls.length - first).toBe(tenths);
  }
  harness.frames.own(2, { epoch: 5, node: 9 });
  await vi.advanceTimersByTimeAsync(100);
  await harness.flush();
  expect(received.map(({ frame }) => frame)).toEqual([1, 1, 2]);

  harness.frames.load({ id: 3, url: 'https://nowhere.test/' });
  await vi.advanceTimersByTimeAsync(60_000);
  const askedFor = (): number => asked.mock.calls.filter(([frame]) => frame === 3).length;
  expect(askedFor()).toBe(101);
  // A batch of its page may have brought it.
  await send(1, batch(2, [element(10, 'p')]));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedFor()).toBe(202);
});

it('[M-079] a frame is requested again where the client has attached it elsewhere', async () => {
  const [page, frame] = [pageMessages(1), pageMessages(2)];
  await send(1, batch(1, [doc]));
  harness.frames.load({ id: 2, url: 'https://frame.test/' });
  await send(2, batch(1, [doc]));
  harness.client.commands.send(protocol.graft, { frame: 2 });
  await harness.flush();
  expect([page.resyncs, frame.resyncs]).toEqual([0, 1]);
});
