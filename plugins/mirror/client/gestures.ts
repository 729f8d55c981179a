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
      document.addEventListener(type, (event) => this.#note(type, event), { capture: true, passive: true, signal });
  }

  /** Whether the person has caused this event. */
  caused(event: Event): boolean {
    return event.timeStamp - this.#last < GESTURE_MS;
  }

  /** The same of a scroll event: a scroll bar may be held still for a while before it is moved on. */
  scrolled(event: Event): boolean {
    return this.isHeld || this.caused(event);
  }

  /** Called when the event continues a gesture: momentum. */
  goesOn(event: Event): void {
    this.#last = event.timeStamp;
  }

  #note(type: (typeof TYPES)[number], event: Event): void {
    const { button, buttons } = event as PointerEvent; // undefined for others
    if (type === 'pointermove') {
      if (buttons === 0) this.isHeld = false; // no event says that a menu of the browser took the release
      if (!this.isHeld && !this.#isRoaming) return;
    } else if (type !== 'pointerup') this.#isRoaming = type === 'pointerdown' && button === 1;
    if (type === 'pointerdown') this.isHeld = true;
    if (type === 'pointerup' || type === 'pointercancel') this.isHeld = false;
    this.#last = event.timeStamp + (type === 'wheel' ? WHEEL_MS : 0);
  }
}
