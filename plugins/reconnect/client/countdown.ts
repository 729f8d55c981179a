/** Delay before a lost tab reloads, in ms: a restarting host is often back by then. */
const RELOAD_AFTER_MS = 3000;
/** Interval between two messages of the countdown, in ms (S-077). */
const TICK_MS = 1000;
/** Delay between a check without "go" and the next countdown, in ms (S-033). */
export const RETRY_AFTER_MS = 2000;
/** Response of the traffic check when the host accepts tabs. */
const GO = 'go';

/** Dependencies of a countdown. */
interface CountdownOptions {
  /** The traffic check; rejects when the host does not respond. */
  readonly check: () => Promise<string>;
  readonly onTick: (secondsLeft: number) => void;
  /** The check had another result, or failed; the countdown restarts after a delay. */
  readonly onError: () => void;
  readonly onGo: () => void;
}

/** Counts down, asks the host whether it accepts tabs, and restarts until it does (S-033, S-077). Returns a function that stops it. */
export function countDown({ check, onTick, onError, onGo }: CountdownOptions): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  const tick = (left: number): void => {
    if (left <= 0) {
      void ask();
      return;
    }
    onTick(left / TICK_MS);
    timer = setTimeout(() => tick(left - TICK_MS), TICK_MS);
  };
  const ask = async (): Promise<void> => {
    const answer = await check().catch(() => undefined);
    if (isStopped) return;
    if (answer === GO) {
      onGo();
      return;
    }
    onError();
    timer = setTimeout(() => tick(RELOAD_AFTER_MS), RETRY_AFTER_MS);
  };
  tick(RELOAD_AFTER_MS);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
