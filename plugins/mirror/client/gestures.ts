/** What happens within this time after a wheel, touch, key or press, or while a button is held, is the person's doing; ms. */
export const GESTURE_MS = 400;

const TYPES = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove', 'pointerup'] as const;

/** Tells what the person does in a document from what happens by itself. */
export class Gestures {
  #last = -Infinity;
  #isHeld = false;

  constructor(document: Document, signal: AbortSignal) {
    for (const type of TYPES)
      document.addEventListener(
        type,
        (event) => {
          if (type === 'pointerdown') this.#isHeld = true;
          if (type !== 'pointermove' || this.#isHeld) this.#last = event.timeStamp;
          if (type === 'pointerup') this.#isHeld = false;
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
