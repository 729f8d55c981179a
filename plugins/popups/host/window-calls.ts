/** Time in which a call becomes a window, in ms: Chromium opens it at once, and the host waits some seconds for its address. */
const CALL_MS = 10_000;
/** Maximum number of calls that are remembered. */
const MAX_CALLS = 10;

/** A call of a page that opens a window, as its renderer reports it. */
interface WindowCall {
  readonly url: string;
  readonly features: readonly string[];
  /** Number of the request that the person has allowed, where the host has made the call. */
  readonly id: number | undefined;
  /** The origin of the frame that calls. */
  readonly origin: Promise<string>;
  readonly at: number;
}

/** Calls that open windows, until there is the window: CDP reports the two apart from each other. The values of a call are hostile. */
export class WindowCalls {
  #calls: WindowCall[] = [];

  add(call: Omit<WindowCall, 'at'>): void {
    this.#calls = [...this.#recent(), { ...call, at: performance.now() }].slice(-MAX_CALLS);
  }

  /** Takes the call that has opened a window: the first with its address, or the first without one. */
  take(url: string): WindowCall | undefined {
    this.#calls = this.#recent();
    const same = this.#calls.findIndex((call) => call.url === url);
    const at = same >= 0 ? same : this.#calls.findIndex((call) => !/^https?:/i.test(call.url));
    return at < 0 ? undefined : this.#calls.splice(at, 1)[0];
  }

  #recent(): WindowCall[] {
    const now = performance.now();
    return this.#calls.filter(({ at }) => now - at < CALL_MS);
  }
}
