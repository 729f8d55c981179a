import { setTimeout as delay } from 'node:timers/promises';
import type { HostInput, InputTurn, ParamsOf, Place } from '../../../host/plugin.ts';
import { cdpModifiers } from '../../../core/protocol/input-flags.ts';
import type { touch } from '../protocol.ts';

type TouchInput = ParamsOf<typeof touch>;
type Finger = TouchInput['touches'][number];

/** Longest time for which the end of pointers waits for the page to have handled the last event, in ms: a page that shows a dialog never answers. */
const HANDLED_MS = 300;

/** Fingers that are down in the page of one tab. A gesture belongs to the session where its first finger came down. */
export class PageFingers {
  readonly #input: HostInput;
  /** By what the page had moved where each finger came down. It keeps that, as what is under a finger may move with it. */
  readonly #down = new Map<number, Place['shift']>();
  #session: number | undefined;
  #gesture: number | undefined;
  #isPanned = false;
  /** Until the page has handled the last event. */
  #handled: Promise<unknown> = Promise.resolve();

  constructor(input: HostInput) {
    this.#input = input;
  }

  /** Number of the gesture that goes on in the page. */
  get gesture(): number | undefined {
    return this.#gesture;
  }

  /** Whether the view scrolls with it. */
  get isPanned(): boolean {
    return this.#isPanned;
  }

  async apply(event: TouchInput, turn: InputTurn): Promise<void> {
    const { event_id: id, phase } = event;
    if (phase === 'start' && id !== this.#gesture) {
      // The end of the last one may never have come.
      this.cancel(turn);
      this.#gesture = id;
    }
    if (id !== this.#gesture) return;
    if (phase === 'start') await this.#press(event, turn);
    else if (phase === 'move') await this.#move(event, turn);
    else if (phase === 'end') this.#lift(event, turn);
    else this.cancel(turn);
  }

  /** The view scrolls or zooms with the gesture of that number. Answers whether the page has it still, once it has handled what came before. */
  async pan(id: number): Promise<boolean> {
    if (id !== this.#gesture || this.#down.size === 0) return false;
    this.#isPanned = true;
    await Promise.race([this.#handled, delay(HANDLED_MS, undefined, { ref: false })]);
    return true;
  }

  /** Takes all fingers away. */
  cancel(turn: InputTurn): void {
    if (this.#down.size > 0) this.#send(turn, 'touchCancel', []);
    this.forget();
  }

  /** The page is another: nothing is touched in it. */
  forget(): void {
    this.#down.clear();
    this.#session = undefined;
    this.#gesture = undefined;
    this.#isPanned = false;
  }

  async #press({ touches, modifiers }: TouchInput, turn: InputTurn): Promise<void> {
    for (const finger of touches) {
      const place = this.#down.has(finger.id) ? undefined : await this.#input.place(finger.target);
      if (!place || place.session !== (this.#session ?? place.session)) continue;
      this.#session = place.session;
      this.#down.set(finger.id, place.shift);
      this.#send(turn, 'touchStart', [pointOf(finger, place)], modifiers);
    }
  }

  async #move({ touches, modifiers }: TouchInput, turn: InputTurn): Promise<void> {
    const points = [];
    for (const finger of touches) {
      const shift = this.#down.get(finger.id);
      const place = shift && (await this.#input.place(finger.target, shift));
      if (place && place.session === this.#session) points.push(pointOf(finger, place));
    }
    if (points.length > 0) this.#send(turn, 'touchMove', points, modifiers);
  }

  #lift({ touches, modifiers }: TouchInput, turn: InputTurn): void {
    const lifted = touches.filter(({ id }) => this.#down.delete(id));
    if (lifted.length === 0) return;
    const points = lifted.map((finger) => pointOf(finger, finger.target));
    this.#send(turn, 'touchEnd', this.#down.size > 0 ? points : [], modifiers);
    if (this.#down.size === 0) this.forget();
  }

  #send(
    turn: InputTurn,
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    touchPoints: ReturnType<typeof pointOf>[],
    modifiers = 0,
  ): void {
    const options = this.#session === undefined ? {} : { session: this.#session };
    this.#handled = turn
      .send('Input.dispatchTouchEvent', { type, touchPoints, modifiers: cdpModifiers(modifiers) }, options)
      .catch(() => undefined);
  }
}

function pointOf(
  { id, radius_x: radiusX, radius_y: radiusY, force }: Finger,
  { x, y }: { readonly x: number; readonly y: number },
): { x: number; y: number; id: number; radiusX: number; radiusY: number; force: number } {
  return { x, y, id, radiusX, radiusY, force };
}
