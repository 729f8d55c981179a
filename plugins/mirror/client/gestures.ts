/** Time after a wheel, touch, key or press event in which changes are attributed to the person, as while a button is held; ms. */
export const GESTURE_MS = 400;
/** Extra time for a wheel: a browser with asynchronous scrolling reports it late; ms. */
const WHEEL_MS = 600;

const TYPES = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

/** Distinguishes changes by the person in a document from other changes. */
export class Gestures {
  #last = -Infinity;
  /** Whether a button or a finger is down. */
  isHeld = false;
  /** Whether the middle button was pressed last: some browsers scroll by the pointer then, until the next act. */
  #isRoaming = false;

  constructor(document: Document, signal: AbortSignal) {
    for (const type of TYPES)
      document.addEventListener(
        type,
        (event) => {
          const { button, buttons } = event as Partial<PointerEvent>; // by its type
          if (buttons !== undefined) this.isHeld = buttons > 0; // right also where a menu of the browser took the release
          if (type !== 'pointermove') this.#isRoaming = button === 1;
          else if (!this.isHeld && !this.#isRoaming) return;
          this.#last = event.timeStamp + (type === 'wheel' ? WHEEL_MS : 0);
        },
        { capture: true, passive: true, signal },
      );
  }

  /** Whether the person has caused this event. */
  caused(event: Event): boolean {
    return event.timeStamp - this.#last < GESTURE_MS;
  }

  /** Called when the event continues a gesture: momentum. */
  goesOn(event: Event): void {
    this.#last = event.timeStamp;
  }
}
