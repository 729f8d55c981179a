import { afterEach, expect, it, vi } from 'vitest';
import type { Tab } from '../../tab/tab.ts';
import { Departures } from '../departures.ts';
import type { PersonSession } from '../person-session.ts';

afterEach(() => vi.useRealTimers());

const LIMITS = { idleMs: 60_000, leaveMs: 5000 };
const URL_OF_TAB = 'https://site.test/';

/** A session with one tab, whose place is known once `read` is called. */
function made() {
  vi.useFakeTimers();
  const tab = {
    id: 't1',
    safeRid: 'r1',
    presence: { state: 'left', since: 0 },
    channel: { attached: false },
  };
  const places: PromiseWithResolvers<object>[] = [];
  const session = {
    tabs: new Map([[tab.id, tab]]),
    bytes: 0,
    rest: {
      placeOf: () => {
        const place = Promise.withResolvers<object>();
        places.push(place);
        return place.promise;
      },
    },
  };
  const closed: string[] = [];
  const departures = new Departures(session as unknown as PersonSession, 10, ({ id }: Tab, why) => {
    closed.push(`${id} ${why}`);
  });
  const read = async (): Promise<void> => {
    for (const { resolve } of places.splice(0)) resolve({ url: URL_OF_TAB });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { departures, tab, closed, places, read };
}

it('a tab that its client has left ends, and opens its page again for one that comes back', async () => {
  const { departures, closed, places, read } = made();
  departures.look(LIMITS.leaveMs, LIMITS);
  expect(places).toEqual([]);
  departures.look(LIMITS.leaveMs + 1, LIMITS);
  departures.look(LIMITS.leaveMs + 2, LIMITS);
  expect(places).toHaveLength(1); // it is ending already
  await read();
  expect(closed).toEqual(['t1 idle']);
  expect(departures.take('r1')).toEqual({ safeRid: 'r1', url: URL_OF_TAB });
  expect(departures.take('r1')).toBeUndefined();
});

it.each([
  ['has come back', { state: 'attached', since: 7000 }, true],
  ['has come back and left again', { state: 'left', since: 7000 }, false],
])('[S-108] a tab lives whose client %s while its place was read', async (_what, presence, attached) => {
  const { departures, tab, closed, read } = made();
  departures.look(6000, LIMITS);
  Object.assign(tab, { presence, channel: { attached } });
  await read();
  expect(closed).toEqual([]);
  expect(departures.take('r1')).toBeUndefined();
});
