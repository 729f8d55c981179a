import type { HostInput, InputTurn, ParamsOf, Place } from '../../../host/plugin.ts';
import { cdpModifiers, INPUT_FLAGS } from '../../../core/protocol/input-flags.ts';
import type { Target } from '../../../core/protocol/target.ts';
import { BUTTONS } from '../protocol.ts';
import type { mouse } from '../protocol.ts';

type MouseInput = ParamsOf<typeof mouse>;

/** Where a button went down: by what the page had moved there, and in which document. */
type Press = Pick<Target, 'frame' | 'epoch'> & Pick<Place, 'shift'>;

/** The pointer in the page of one tab. A drag belongs to the session where the button went down. */
export class Pointer {
  readonly #input: HostInput;
  /** The last place of a drag in the session where the button went down. */
  #drag: Place | undefined;
  /** Document and shift of the last press. A drag keeps this shift, as the element under the pointer may move with the pointer. */
  #press: Press | undefined;

  constructor(input: HostInput) {
    this.#input = input;
  }

  async apply(input: MouseInput, turn: InputTurn): Promise<void> {
    const { target, type } = input;
    if (type === 'leave') {
      if (!this.#drag) turn.leave(target.frame);
      return;
    }
    const buttons = input.modifiers & 31;
    // The release of the last press may never have come: its document has gone, or it was lost on its way.
    if (type === 'down' ? isOne(buttons) : buttons === 0 && type === 'move') this.release();
    try {
      const place = await this.#input.place(target, this.#shiftOf(target));
      if (place) this.#point(input, place, turn);
    } finally {
      if (type === 'up' && buttons === 0) this.release();
    }
  }

  /** Nothing is pressed any more. */
  release(): void {
    this.#drag = undefined;
    this.#press = undefined;
  }

  #point(
    { target, type, button, click_count: clickCount, modifiers }: MouseInput,
    place: Place,
    turn: InputTurn,
  ): void {
    const buttons = modifiers & 31;
    const common = { modifiers: cdpModifiers(modifiers), buttons, pointerType: 'mouse' as const };
    const send = ({ session, x, y }: Place, event: Event): void => {
      void turn.send('Input.dispatchMouseEvent', { ...common, ...event, x, y }, { session });
    };
    if (type === 'move') {
      const held = BUTTONS.find((name) => buttons & INPUT_FLAGS[name]) ?? 'none';
      send(this.#dragged(place), { type: 'mouseMoved', button: held });
    } else if (type === 'down') {
      this.#drag = place;
      this.#press = { ...target, shift: place.shift };
      send(place, { type: 'mouseMoved', button: 'none', buttons: 0 });
      send(place, { type: 'mousePressed', button, clickCount });
    } else {
      send(this.#dragged(place), { type: 'mouseReleased', button, clickCount });
    }
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

/** Whether one button alone is down. */
function isOne(buttons: number): boolean {
  return (buttons & (buttons - 1)) === 0;
}
