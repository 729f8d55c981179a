import { expect, it } from 'vitest';
import { Inflow } from '../inflow.ts';
import { LINK_LIMITS } from '../limits.ts';
import { Outflow } from '../outflow.ts';
import type { LinkWriter } from '../writer.ts';

/** A flow's place, whose writer takes only what is asked of it. */
const place = () => ({
  writer: {
    unconsumed: 0,
    ready: () => undefined,
    owe: () => undefined,
    reserve: () => undefined,
    release: () => undefined,
    forget: () => undefined,
  } as unknown as LinkWriter, // as much of it as a flow uses
  limits: LINK_LIMITS,
  id: 1,
  side: 0,
});

it('a flow that is discarded takes up nothing of its link, read or not', () => {
  const received = { bytes: 7 };
  const flow = new Inflow(place(), received, LINK_LIMITS.windowBytes);
  for (let nr = 0; nr < 3; nr += 1) flow.part(new Uint8Array(1000), true, undefined);
  flow.part(new Uint8Array(500), false, undefined);
  flow.shift();
  flow.consumed(1000);
  flow.shift();
  expect(received.bytes).toBe(2507);
  flow.discard();
  flow.consumed(1000); // of the chunk that was being read
  flow.part(new Uint8Array(1000), true, undefined);
  flow.discard();
  expect(received.bytes).toBe(7);
});

it('chunks that wait in a long queue go out in order, each once', () => {
  const flow = new Outflow(place(), true);
  const count = 5000;
  for (let nr = 0; nr < count; nr += 1) flow.push(Uint8Array.of(nr >> 8, nr & 0xff));
  const out: number[] = [];
  for (; out.length < count; flow.credit(2, 1)) {
    const { payload } = flow.take();
    out.push(((payload?.[0] ?? 0) << 8) | (payload?.[1] ?? 0));
  }
  expect(out).toEqual(Array.from({ length: count }, (_, nr) => nr));
  expect([flow.pending, flow.cost]).toEqual([0, 0]);
});
