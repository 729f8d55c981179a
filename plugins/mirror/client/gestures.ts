/** What happens within this time after a wheel, touch, key or press, or while a button is held, is the person's doing; ms. */
export const GESTURE_MS = 400;
/** So much longer for a wheel: a browser that scrolls apart from the page tells of it when it comes to it; ms. */
const WHEEL_MS = 600;

const TYPES = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

/** Tells what the person does in a document from what happens by itself. */
export class Gestures {
  #last = -Infinity;
  /** A button is down, or a finger. */
  isHeld = false;

  constructor(document: Document, signal: AbortSignal) {
    for (const type of TYPES)
      document.addEventListener(
        type,
        (event) => {
          if (type === 'pointerdown') this.isHeld = true;
          if (type !== 'pointermove' || this.isHeld) this.#last = event.timeStamp + (type === 'wheel' ? WHEEL_MS : 0);
          if (type === 'pointerup' || type === 'pointercancel') this.isHeld = false;
        },
        { capture: true, passive: true, signal },
      );
  }

  /** Whether the person is behind this event. */
  caused(event: Event): boolean {
    return event.timeStamp - this.#last < GESTURE_MS;
  }

  /** The event carries a gesture on: momentum. */
  goesOn(event: Event): void {
    this.#last = event.timeStamp;
  }
}
