/** How long a lost tab waits before it reloads: a host that restarts is often back by then. */
const RELOAD_AFTER_MS = 3000;
/** Between two messages of the countdown (S-077). */
export const TICK_MS = 1000;
/** From a check that did not say "go" to the next countdown (S-033). */
export const RETRY_AFTER_MS = 2000;
/** What the traffic check answers when the host takes tabs. */
const GO = 'go';

/** What a countdown works with. */
interface CountdownOptions {
  /** The traffic check; rejects when nobody answers. */
  readonly check: () => Promise<string>;
  readonly onTick: (secondsLeft: number) => void;
  /** The check said otherwise, or failed; the countdown begins again after a while. */
  readonly onError: () => void;
  readonly onGo: () => void;
}

/** Counts down, asks the host whether it takes tabs, and begins again until it does (S-033, S-077). Answers with what stops it. */
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
