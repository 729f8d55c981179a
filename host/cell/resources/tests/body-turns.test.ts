import { describe, expect, it } from 'vitest';
import { BodyTurns, MAX_CONCURRENT, MAX_WAITING } from '../body-turns.ts';
import { MAX_SENT_BYTES, SentBodies } from '../sent-bodies.ts';

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

it('[M7] a cell fetches a bounded number of bodies at a time, for all tabs together, and tabs take turns', async () => {
  const turns = new BodyTurns();
  const [busy, other] = [{}, {}];
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const start = async (name: string, tab: object): Promise<void> => {
    const release = await turns.take(tab);
    order.push(name);
    releases.push(release);
  };
  for (let at = 0; at < MAX_CONCURRENT + 3; at++) void start('busy', busy);
  void start('other', other);
  await settled();
  expect(order).toHaveLength(MAX_CONCURRENT);
  releases[0]?.();
  releases[1]?.();
  await settled();
  expect(order.slice(MAX_CONCURRENT)).toEqual(['busy', 'other']);
  for (let at = 2; at < MAX_CONCURRENT + 4; at++) {
    releases[at]?.();
    await settled();
  }
  expect(order).toHaveLength(MAX_CONCURRENT + 4);
  await turns.take(busy);
});

it('[L12] a resource is refused when too many wait', async () => {
  const turns = new BodyTurns();
  const tab = {};
  for (let at = 0; at < MAX_CONCURRENT + MAX_WAITING; at++) void turns.take(tab);
  await expect(turns.take(tab)).rejects.toMatchObject({ code: 'resource-busy', retryable: true });
});

describe('bodies on their way to the gateway', () => {
  const bytes = new Uint8Array(32 * 1024 * 1024);
  const busy = expect.objectContaining({ code: 'resource-busy', retryable: true }) as Error;

  it('[M7] count until they are sent, and past the bound none is begun', async () => {
    const sent = new SentBodies();
    const bodies = Array.from({ length: MAX_SENT_BYTES / bytes.length }, () => sent.expect().body(bytes));
    expect(() => sent.expect()).toThrow(busy);
    let read = 0;
    for await (const chunk of bodies[0] ?? []) read += chunk.length;
    expect(read).toBe(bytes.length);
    sent.expect().body(bytes);
    expect(() => sent.expect()).toThrow(busy);
    await bodies[1]?.[Symbol.asyncIterator]().return?.(); // the gateway has given it up
    sent.expect().release();
  });

  it('[M7] count from before they are fetched: those fetched at the same time do not pass the bound together', () => {
    const sent = new SentBodies();
    const fetching = Array.from({ length: 256 }, () => sent.expect());
    let room = 0;
    for (const one of fetching) {
      try {
        one.body(bytes);
        room += bytes.length;
      } catch (thrown) {
        expect(thrown).toEqual(busy);
        one.release();
      }
    }
    expect(room).toBeGreaterThan(MAX_SENT_BYTES / 2);
    expect(room).toBeLessThanOrEqual(MAX_SENT_BYTES);
    expect(() => Array.from({ length: 1000 }, () => sent.expect())).toThrow(busy);
  });
});
