/** Time within which the end of a transport belongs to the goodbye that the client has said before, in ms. */
const GOODBYE_MS = 5000;

/** Who is at a tab: `expected` has never been there yet, `left` has said goodbye, `silent` has not. */
type Presence = 'expected' | 'attached' | 'left' | 'silent';

/** Whether a person is at a tab, and since when. */
export class TabPresence {
  #state: Presence = 'expected';
  #since = performance.now();
  #goodbyeAt = -Infinity;

  get state(): Presence {
    return this.#state;
  }

  /** When that began, in `performance.now()` milliseconds. */
  get since(): number {
    return this.#since;
  }

  /** A client has attached. */
  attached(): void {
    this.#goodbyeAt = -Infinity;
    this.#set('attached');
  }

  /** A client has asked for the tab, and is about to attach. */
  asked(): void {
    if (this.#state === 'expected' || this.#state === 'attached') this.#since = performance.now();
    else this.#set('silent');
  }

  /** The client says that its document is being unloaded, or that its browser has frozen it: only the first ends its transport at once. */
  goodbye(): void {
    this.#goodbyeAt = performance.now();
  }

  /** The client goes on after a goodbye. */
  resumed(): void {
    this.#goodbyeAt = -Infinity;
  }

  /** The transport is gone; `isLeaving`: it says itself that the client's document was unloaded. */
  detached(isLeaving: boolean): void {
    this.#set(isLeaving || performance.now() - this.#goodbyeAt < GOODBYE_MS ? 'left' : 'silent');
  }

  #set(state: Presence): void {
    this.#state = state;
    this.#since = performance.now();
  }
}
