import { setTimeout as delay } from 'node:timers/promises';
import type { HostInput, InputTurn, ParamsOf, Place } from '../../../host/plugin.ts';
import { cdpModifiers, INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import type { Target } from '../../../core/protocol/target.ts';
import { BUTTONS } from '../protocol.ts';
import type { mouse } from '../protocol.ts';

/** The flags of all buttons. */
const BUTTON_FLAGS = 31;

/** Distance from a press past which Chromium may drag what was pressed, in CSS pixels. */
const DRAG_SLOP = 3;
/** Time after a press in which that may still be about to begin, in ms. */
const DRAG_START_MS = 500;
/** Longest time in which a release waits for it, in ms: a page that shows a dialog never answers. */
const DRAG_DEADLINE_MS = 300;

type MouseInput = ParamsOf<typeof mouse>;

/** Where a button went down, and when: by what the page had moved there, and in which document. */
type Press = Pick<Target, 'frame' | 'epoch'> & Pick<Place, 'shift' | 'x' | 'y'> & { readonly at: number };

/** The pointer in the page of one tab. A drag belongs to the session where the button went down. */
export class Pointer {
  readonly #input: HostInput;
  /** The last place of a drag in the session where the button went down. */
  #drag: Place | undefined;
  /** Document and shift of the last press. A drag keeps this shift, as the element under the pointer may move with the pointer. */
  #press: Press | undefined;
  /** Until the page has handled the last movement since the press. */
  #moved: Promise<unknown> | undefined;
  /** The buttons that are down in the page, as INPUT_FLAGS. */
  #held = 0;

  constructor(input: HostInput) {
    this.#input = input;
  }

  async apply(input: MouseInput, turn: InputTurn): Promise<void> {
    const { target, type } = input;
    if (type === 'leave') {
      if (!this.#drag) turn.leave(target.frame);
      return;
    }
    const buttons = input.modifiers & BUTTON_FLAGS;
    const changed = input.button === 'none' ? 0 : INPUT_FLAGS[input.button];
    // The release of a press may never have come: its document has gone, or it was lost on its way.
    if (type !== 'up') this.#releaseBut(buttons & ~changed, turn);
    // Its press was lost, or has ended: the person was away meanwhile.
    else if (!(this.#held & changed)) return;
    try {
      const place = await this.#input.place(target, this.#shiftOf(target));
      if (place && type === 'up' && this.#mayStartDrag(input, place))
        await Promise.race([this.#moved, delay(DRAG_DEADLINE_MS, undefined, { ref: false })]);
      // The page's own bar would scroll it a second time, and further than the person sees.
      const isBar = type === 'down' && input.button === 'left' && place?.isOnScrollBar;
      if (place && !isBar) this.#point(input, place, turn);
    } finally {
      if (type === 'up') this.#held &= ~changed;
      if (type === 'up' && buttons === 0) this.forget();
    }
  }

  /** Has all buttons come up. */
  cancel(turn: InputTurn): void {
    this.#releaseBut(0, turn);
  }

  /** The page is another: nothing is pressed in it. */
  forget(): void {
    this.#drag = undefined;
    this.#press = undefined;
    this.#moved = undefined;
    this.#held = 0;
  }

  /** Has the buttons come up that are down and not among these. It happens outside of the page: a release in place would click there. */
  #releaseBut(buttons: number, turn: InputTurn): void {
    const session = this.#drag?.session;
    for (const button of BUTTONS) {
      if (!(this.#held & ~buttons & INPUT_FLAGS[button])) continue;
      this.#held &= ~INPUT_FLAGS[button];
      const outside = { x: -1, y: -1, buttons: this.#held, button, clickCount: 0, pointerType: 'mouse' } as const;
      void turn.send(
        'Input.dispatchMouseEvent',
        { ...outside, type: 'mouseReleased' },
        session === undefined ? {} : { session },
      );
    }
    if (this.#held === 0) this.forget();
  }

  #point(
    { target, type, button, click_count: clickCount, modifiers }: MouseInput,
    place: Place,
    turn: InputTurn,
  ): void {
    const buttons = modifiers & BUTTON_FLAGS;
    const common = { modifiers: cdpModifiers(modifiers), buttons, pointerType: 'mouse' as const };
    const send = ({ session, x, y }: Place, event: Event): Promise<unknown> =>
      turn.send('Input.dispatchMouseEvent', { ...common, ...event, x, y }, { session }).catch(() => undefined);
    if (type === 'move') {
      const held = BUTTONS.find((name) => buttons & INPUT_FLAGS[name]) ?? 'none';
      this.#moved = send(this.#dragged(place), { type: 'mouseMoved', button: held });
    } else if (type === 'down') {
      this.#drag = place;
      if (button !== 'none') this.#held |= INPUT_FLAGS[button];
      this.#press = { ...target, ...place, at: performance.now() };
      this.#moved = undefined;
      void send(place, { type: 'mouseMoved', button: 'none', buttons: 0 });
      void send(place, { type: 'mousePressed', button, clickCount });
    } else {
      void send(this.#dragged(place), { type: 'mouseReleased', button, clickCount });
    }
  }

  /**
   * Whether the page may still be about to drag what was pressed: a release before that would drop nothing, and the drag would go on without
   * a button.
   */
  #mayStartDrag({ button }: MouseInput, { x, y }: Place): boolean {
    const press = this.#press;
    if (!press || !this.#moved || button !== 'left') return false;
    const isFar = Math.abs(x - press.x) > DRAG_SLOP || Math.abs(y - press.y) > DRAG_SLOP;
    return isFar && performance.now() - press.at < DRAG_START_MS;
  }

  /** By what a target has moved that is dragged to: in the document in which the button went down. */
  #shiftOf({ frame, epoch }: Target): Place['shift'] | undefined {
    const press = this.#press;
    return press?.frame === frame && press.epoch === epoch ? press.shift : undefined;
  }

  /** A drag stays in the session where it began; outside of it, it stays at its last place there. */
  #dragged(place: Place): Place {
    if (!this.#drag) return place;
    if (this.#drag.session !== place.session) return this.#drag;
    this.#drag = place;
    return place;
  }
}

interface Event {
  readonly type: 'mouseMoved' | 'mousePressed' | 'mouseReleased';
  readonly button: MouseInput['button'];
  readonly buttons?: number;
  readonly clickCount?: number;
}
