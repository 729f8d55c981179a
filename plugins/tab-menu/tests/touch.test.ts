import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HOLD_MS, twoFingers } from '../client/touch.ts';

/** The horizontal places of fingers; all are at the same height. */
type Fingers = readonly number[];
type Played = readonly [type: string, fingers: Fingers, y?: number];

/** As much of an event as is looked at. */
const event = ([type, fingers, clientY = 100]: Played): TouchEvent =>
  ({ type, touches: fingers.map((clientX) => ({ clientX, clientY })) }) as unknown as TouchEvent;

const [ONE, TWO] = [[10], [10, 80]];

/** Plays events 50 ms apart, and waits; returns how often two fingers have rested. */
function play(...events: readonly Played[]): number {
  let rested = 0;
  const { touch } = twoFingers(() => void (rested += 1));
  for (const each of events) {
    touch(event(each));
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(HOLD_MS);
  return rested;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('hears two fingers that rest, once, though hands tremble', () => {
  expect(play(['touchstart', ONE], ['touchstart', TWO])).toBe(1);
  expect(play(['touchstart', ONE], ['touchstart', TWO], ['touchmove', [13, 84], 95])).toBe(1);
});

it.each<[string, readonly Played[]]>([
  ['one finger', []],
  [
    'three fingers',
    [
      ['touchstart', TWO],
      ['touchstart', [...TWO, 150]],
    ],
  ],
  [
    'fingers that zoom',
    [
      ['touchstart', TWO],
      ['touchmove', [10, 120]],
    ],
  ],
  [
    'fingers that rest after they have zoomed',
    [
      ['touchstart', TWO],
      ['touchmove', [10, 120]],
      ['touchmove', TWO],
    ],
  ],
  [
    'fingers that scroll',
    [
      ['touchstart', TWO],
      ['touchmove', TWO, 60],
    ],
  ],
  [
    'a finger that is lifted',
    [
      ['touchstart', TWO],
      ['touchend', ONE],
    ],
  ],
  [
    'touches that the browser takes over',
    [
      ['touchstart', TWO],
      ['touchcancel', []],
    ],
  ],
])('hears nothing of %s', (_name, events) => {
  expect(play(['touchstart', ONE], ...events)).toBe(0);
});

it('ends with its plugin', () => {
  const onRest = vi.fn();
  const { touch, end } = twoFingers(onRest);
  touch(event(['touchstart', TWO]));
  end();
  vi.advanceTimersByTime(HOLD_MS);
  expect(onRest).not.toHaveBeenCalled();
});
