import { setTimeout as delay } from 'node:timers/promises';

/** A half that takes longer to activate goes on without being waited for. */
const ACTIVATION_DEADLINE_MS = 5000;

/** Waits for an activation, for a bounded time. Answers whether it is over; its failure within the time is thrown. */
export async function activatedInTime(activated: Promise<void>): Promise<boolean> {
  const late = new AbortController();
  const isLate = delay(ACTIVATION_DEADLINE_MS, true, { signal: late.signal, ref: false }).catch(() => false);
  try {
    return !(await Promise.race([activated.then(() => false), isLate]));
  } finally {
    late.abort();
  }
}
