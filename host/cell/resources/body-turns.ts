import { AppError } from '../../../core/protocol/errors.ts';
import { BodyRoom } from './body-room.ts';

/** Maximum number of bodies of all tabs that are fetched at a time, and of those that wait for it. */
export const MAX_CONCURRENT = 24;
export const MAX_WAITING = 2000;

/** Turns for bodies of a cell's tabs: their number bounds memory. Tabs take turns, so that one does not delay the others. */
export class BodyTurns {
  /** Memory for the bodies that are read. */
  readonly room = new BodyRoom();
  /** Waiting bodies by tab; the next tab is first. */
  readonly #waiting = new Map<object, (() => void)[]>();
  #count = 0;
  #running = 0;

  /** Waits for a turn; call the returned function at its end. @throws AppError `resource-busy`, retryable, when too many wait. */
  async take(tab: object): Promise<() => void> {
    if (this.#running < MAX_CONCURRENT) this.#running++;
    else await this.#wait(tab);
    return () => this.#next();
  }

  #wait(tab: object): Promise<void> {
    if (this.#count >= MAX_WAITING)
      throw new AppError('resource-busy', 'Too many resources are being fetched.', { retryable: true });
    this.#count++;
    const waiting = this.#waiting.get(tab) ?? [];
    this.#waiting.set(tab, waiting);
    return new Promise((go) => waiting.push(go));
  }

  #next(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#running--;
      return;
    }
    const [tab, waiting] = first;
    this.#waiting.delete(tab);
    const go = waiting.shift();
    if (waiting.length > 0) this.#waiting.set(tab, waiting);
    this.#count--;
    go?.();
  }
}
