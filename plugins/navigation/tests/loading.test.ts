import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Slots } from '../../../core/index.ts';
import { Loading } from '../client/loading.ts';
import type { LoadingAddressProps } from '../client/loading.ts';

let shown: LoadingAddressProps | undefined;
let updates: number;
const slots = {
  fill: (_slot: unknown, _contribution: unknown, props: LoadingAddressProps) => {
    shown = props;
    const leave = props.address.subscribe(() => void (updates += 1));
    return () => {
      leave();
      shown = undefined;
    };
  },
} as unknown as Slots; // all of them that is used

beforeEach(() => {
  shown = undefined;
  updates = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('[M-084] shows the address of a load that takes more than a second, and of the next in its place', () => {
  const loading = new Loading(slots);
  loading.show('https://one.test/');
  vi.advanceTimersByTime(500);
  loading.show('https://two.test/');
  vi.advanceTimersByTime(499);
  expect(shown).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(shown?.address.get()).toBe('https://two.test/');
  expect(updates).toBe(0);
  loading.show('https://three.test/');
  expect([shown?.address.get(), updates]).toEqual(['https://three.test/', 1]);
  loading.show();
  expect(shown).toBeUndefined();
  loading.show('https://four.test/');
  loading.show();
  vi.advanceTimersByTime(5000);
  expect(shown).toBeUndefined();
  loading.show('https://five.test/');
  vi.advanceTimersByTime(1000);
  expect(shown?.address.get()).toBe('https://five.test/');
});
