/** Time for a person's browser to show a window that a page has opened, in ms: within a second or two, unless the person is asked. */
const UNCLAIMED_MS = 60_000;
/** Maximum number of windows of a person that wait to be shown. */
const MAX_WAITING = 5;

interface WaitingWindow<T> {
  readonly timer: NodeJS.Timeout;
  tab: T | undefined;
}

/**
 * Windows that pages have opened (as tabs, `T`) until the person's browser shows them: by the token of each, used once. Those that are never
 * claimed are ended.
 */
export class WaitingWindows<T> {
  readonly #end: (tab: T, token: string) => void;
  readonly #waiting = new Map<string, WaitingWindow<T>>();

  constructor(end: (tab: T, token: string) => void) {
    this.#end = end;
  }

  /** Keeps a place for a window under a token; false when too many wait. */
  reserve(token: string): boolean {
    if (this.#waiting.size >= MAX_WAITING) return false;
    const timer = setTimeout(() => this.drop(token), UNCLAIMED_MS);
    timer.unref();
    this.#waiting.set(token, { timer, tab: undefined });
    return true;
  }

  /** The window in a place that was kept; it is ended where the place is gone. */
  fill(token: string, tab: T): void {
    const waiting = this.#waiting.get(token);
    if (waiting) waiting.tab = tab;
    else this.#end(tab, token);
  }

  /** The window of a token, while it waits. */
  find(token: string): T | undefined {
    return this.#waiting.get(token)?.tab;
  }

  /** Claims a window. Undefined: there is none, or not any more. */
  take(token: string): T | undefined {
    const waiting = this.#waiting.get(token);
    if (!waiting?.tab) return undefined;
    this.#forget(token, waiting);
    return waiting.tab;
  }

  /** Gives a place up, and ends the window in it. */
  drop(token: string): void {
    const waiting = this.#waiting.get(token);
    if (!waiting) return;
    this.#forget(token, waiting);
    if (waiting.tab) this.#end(waiting.tab, token);
  }

  #forget(token: string, { timer }: WaitingWindow<T>): void {
    clearTimeout(timer);
    this.#waiting.delete(token);
  }
}
