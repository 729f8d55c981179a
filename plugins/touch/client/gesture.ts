import type { Commands, DeviceView, ParamsOf } from '../../../core/index.ts';
import { modifierFlags } from '../../../core/protocol/input-flags.ts';
import { MOST_TOUCHES, panned, touch } from '../protocol.ts';
import { kindOf } from './patience.ts';
import type { Patience } from './patience.ts';

type TouchParams = ParamsOf<typeof touch>;

interface GestureOptions {
  readonly id: number;
  /** The document in which it has begun. */
  readonly view: DeviceView;
  readonly commands: Commands;
  readonly patience: Patience;
  /** The elements under the first finger, outwards. */
  readonly path: readonly EventTarget[];
}

/** The fingers of one document, from the first that comes down to the last that comes up. */
export class Gesture {
  readonly id: number;
  readonly #options: GestureOptions;
  /** Numbers of the fingers that are down, by those of the browser. */
  readonly #ids = new Map<number, number>();
  #start: Touch | undefined;
  #kind: string | undefined;
  /** Until when it is held, while the page has not answered. */
  #heldUntil = 0;
  /** Whether the page keeps it; undefined until it has answered. */
  #isKept: boolean | undefined;
  #isPanned = false;
  #isHeld = false;

  constructor(options: GestureOptions) {
    this.id = options.id;
    this.#options = options;
  }

  started(event: TouchEvent): void {
    const touches: TouchParams['touches'] = [];
    for (const finger of event.changedTouches) {
      const target = this.#options.view.renderer.hitTest(finger);
      const id = this.#freeId();
      if (!target || id === undefined) continue;
      this.#ids.set(finger.identifier, id);
      this.#start ??= finger;
      touches.push(recordOf(finger, id, target));
    }
    if (touches.length > 0) this.#send('start', event, touches);
  }

  moved(event: TouchEvent): void {
    this.#send('move', event, this.#records(event.touches));
    // The browser asks no more once it scrolls.
    if (!event.cancelable) return;
    if (this.#isKept ?? this.#awaits(event)) event.preventDefault();
  }

  ended(event: TouchEvent): void {
    const touches = this.#records(event.changedTouches);
    for (const { identifier } of event.changedTouches) this.#ids.delete(identifier);
    if (touches.length > 0) this.#send(event.type === 'touchend' ? 'end' : 'cancel', event, touches);
  }

  /** The view has begun to scroll or zoom. */
  panned(): void {
    if (this.#isPanned || this.#ids.size === 0) return;
    this.#isPanned = true;
    this.#options.commands.send(panned, { frame: this.#options.view.frame, event_id: this.id });
  }

  /** A finger has rested, and the view has answered it with a menu. */
  held(): void {
    if (this.#isHeld || this.#ids.size === 0) return;
    this.#isHeld = true;
    const { commands, view } = this.#options;
    commands.send(touch, { frame: view.frame, phase: 'hold', event_id: this.id, touches: [], modifiers: 0 });
  }

  /** The page has handled a movement. */
  answer(isKept: boolean): void {
    this.#isKept = isKept;
    if (this.#kind !== undefined) this.#options.patience.learn(this.#kind, isKept);
  }

  /** Whether the page is still to answer, and may keep the gesture. */
  #awaits(event: TouchEvent): boolean {
    const [finger] = event.changedTouches;
    if (this.#kind === undefined && finger && this.#start) {
      const isX = Math.abs(finger.clientX - this.#start.clientX) > Math.abs(finger.clientY - this.#start.clientY);
      this.#kind = kindOf(this.#options.path, isX ? 'x' : 'y');
      this.#heldUntil = canWait() ? event.timeStamp + this.#options.patience.for(this.#kind) : 0;
    }
    return event.timeStamp < this.#heldUntil;
  }

  #records(fingers: TouchList): TouchParams['touches'] {
    const { frame } = this.#options.view;
    return [...fingers].flatMap((finger) => {
      const id = this.#ids.get(finger.identifier);
      const { clientX: x, clientY: y } = finger;
      return id === undefined ? [] : [recordOf(finger, id, { frame, x, y })];
    });
  }

  #freeId(): number | undefined {
    const used = new Set(this.#ids.values());
    for (let id = 0; id < MOST_TOUCHES; id++) if (!used.has(id)) return id;
    return undefined;
  }

  #send(phase: TouchParams['phase'], event: TouchEvent, touches: TouchParams['touches']): void {
    const { commands, view } = this.#options;
    commands.send(touch, {
      frame: view.frame,
      phase,
      event_id: this.id,
      touches,
      modifiers: modifierFlags(event),
    });
  }
}

/** WebKit scrolls no more in a gesture whose first movement was held. */
const canWait = (): boolean => !('GestureEvent' in window);

function recordOf(
  { radiusX, radiusY, force }: Touch,
  id: number,
  target: TouchParams['touches'][number]['target'],
): TouchParams['touches'][number] {
  const size = (radius: number): number => Math.min(500, Math.max(0, radius));
  return { id, target, radius_x: size(radiusX), radius_y: size(radiusY), force: Math.min(1, Math.max(0, force)) };
}
