import { expect, it, vi } from 'vitest';
import { lateTransport } from '../late-transport.ts';
import type { ConnectionEvents, Transport } from '../transport.ts';

const NAMES = { query: { cid: 'c' }, received: () => 0 };

function played(websocketsPass?: Transport['websocketsPass']) {
  const calls: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Transport>();
  const transport: Transport = {
    mode: 'xhr',
    open: (names) => {
      calls.push(`open ${names.query['cid']}`);
      return {
        send: (text) => calls.push(`send ${text}`),
        close: () => calls.push('close'),
        wake: () => calls.push('wake'),
      };
    },
    ...(websocketsPass && { websocketsPass }),
  };
  const load = vi.fn(() => promise);
  const closed = vi.fn();
  const events = { closed } as unknown as ConnectionEvents; // all that is used of it
  return {
    late: lateTransport('xhr', load),
    load,
    calls,
    closed,
    events,
    come: () => resolve(transport),
    fail: reject,
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('loads its code once, when it is first used or told to', async () => {
  const { late, load, calls, events, come } = played();
  expect([late.mode, load.mock.calls.length]).toEqual(['xhr', 0]);
  late.load();
  const connection = late.open(NAMES, events);
  connection.send('too early'); // the channel sends again what was not answered
  connection.wake?.();
  come();
  await turn();
  connection.send('a');
  connection.wake?.();
  connection.close();
  expect(calls).toEqual(['open c', 'send a', 'wake', 'close']);
  expect(load).toHaveBeenCalledTimes(1);
});

it('opens nothing that was closed before the code came', async () => {
  const { late, calls, closed, events, come } = played();
  late.open(NAMES, events).close();
  come();
  await turn();
  expect([calls, closed.mock.calls]).toEqual([[], []]);
});

it('is a connection that cannot be made where the code does not come, and asks for it again', async () => {
  const { late, load, closed, events, fail } = played();
  late.open(NAMES, events);
  const left = late.open(NAMES, { closed: () => closed('of one that was closed') } as unknown as ConnectionEvents);
  left.close();
  late.load();
  fail(new Error('no network'));
  await turn();
  expect([closed.mock.calls, load.mock.calls.length]).toEqual([[['network']], 1]);
  late.open(NAMES, events);
  expect(load).toHaveBeenCalledTimes(2);
  await turn();
});

it('asks its transport whether websockets pass', async () => {
  for (const [pass, expected] of [
    [() => Promise.resolve(true), true],
    [() => Promise.resolve(false), false],
    [undefined, false],
  ] as const) {
    const { late, come } = played(pass);
    const asked = late.websocketsPass?.();
    come();
    expect(await asked).toBe(expected);
  }
});
