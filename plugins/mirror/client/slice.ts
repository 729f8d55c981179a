/** Milliseconds of building after which the browser gets a turn. */
export const SLICE_MS = 24;
/** How long it may take longer for what is soon done, in ms: a turn of the browser's is for laying out all that has been built. */
const GRACE_MS = 8;

/** A turn of building. */
export class Slice {
  #end = 0;

  /** Begins a turn. */
  begin(): void {
    this.#end = performance.now() + SLICE_MS;
  }

  /** How long the turn has lasted, in ms. */
  get elapsed(): number {
    return performance.now() - this.#end + SLICE_MS;
  }

  /** Whether the turn has been used up. */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Whether it has been used up for what is soon done, too. */
  get isSpent(): boolean {
    return performance.now() >= this.#end + GRACE_MS;
  }
}

/** Gives the browser a turn: input, then painting, then back here. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Partial<Scheduler> }; // not in every browser
  if (scheduler?.yield) return scheduler.yield();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
