import type { Gesture, HostInput, InputTurn } from '../../host/plugin.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import type { Target } from '../protocol/target.ts';
import type { TestCdp } from './surrogate.ts';

/** Options of the person's input in a test. */
export interface InputOptions {
  /** Whether the person has just done something in the tab: always, unless given. */
  readonly hasGesture?: () => boolean;
  /** When the person has last pressed something: at the start, and with each press that is taken, unless given. */
  readonly actedAt?: () => number;
  /** Gives events their turns: one after the other, unless given. */
  readonly order?: (run: () => Promise<void>) => void;
  /** The point in the page of a target, in its frame's viewport; undefined where it is gone. Where the person sees it, unless given. */
  readonly pointOf?: (target: Target) => { readonly x: number; readonly y: number } | undefined;
  /** Whether a target is on a scroll bar of the page: never, unless given. */
  readonly isScrollBar?: (target: Target) => boolean;
}

/**
 * The person's input as a host half takes part in it. What it sends to the page is what CDP is asked; each frame is a session of its own, by
 * its number.
 */
export function testInput(cdp: TestCdp, options: InputOptions, onFault: (fault: AppError) => void): HostInput {
  let last = Promise.resolve();
  const { hasGesture = () => true, pointOf = ({ x, y }) => ({ x, y }) } = options;
  const { isScrollBar = () => false, order = (run) => void (last = last.then(run)) } = options;
  let pressedAt = performance.now();
  const { actedAt = () => pressedAt } = options;
  const gesture: Gesture = {
    isActive: hasGesture,
    get actedAt() {
      return actedAt();
    },
  };
  const turn = (isOver: () => boolean): InputTurn => {
    const ask = async (frame: number, method: string, params: unknown): Promise<void> => {
      if (isOver()) throw new AppError('turn-over', `${method} outside of its turn`);
      await cdp.ask(frame, method, params);
    };
    return {
      send: (method, params, { session = 0 } = {}) => {
        const sent = ask(session, method, params);
        sent.catch(() => undefined); // its caller gets the error
        return sent;
      },
      leave: (frame) => {
        const outside = { type: 'mouseMoved', button: 'none', buttons: 0, x: -1, y: -1 };
        void cdp.ask(frame, 'Input.dispatchMouseEvent', outside);
      },
    };
  };
  return {
    gesture,
    place: async (target, shift) => {
      const { frame, x, y } = target;
      const point = shift ? { x: x + shift.x, y: y + shift.y } : pointOf(target);
      const isOnScrollBar = isScrollBar(target);
      return point && { session: frame, ...point, shift: { x: point.x - x, y: point.y - y }, isOnScrollBar };
    },
    handled: () => new Promise((resolve) => order(async () => resolve())),
    enqueue: (apply, { isPress = false } = {}) => {
      if (isPress) pressedAt = performance.now();
      return new Promise((resolve) => {
        order(async () => {
          let isOver = false;
          try {
            await apply(turn(() => isOver));
          } catch (thrown) {
            onFault(toAppError(thrown));
          }
          isOver = true;
          resolve(true);
        });
      });
    },
  };
}
