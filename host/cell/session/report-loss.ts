import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../core/contracts/scope.ts';
import type { Surrogate } from '../../surrogate/launch.ts';

/** Longest wait for the end of a process whose connection is lost, in ms, so that the log can say how it ended. */
const EXIT_KNOWN_MS = 2000;
/** Last lines of its output that are logged. */
const STDERR_LINES = 5;

/** Logs why a surrogate is lost: how its process has ended, unless the host has ended it, and what it wrote last. */
export async function reportLoss(
  { pid, exited, stderr }: Surrogate,
  facts: { readonly cid: string; readonly why: string; readonly tabs: number },
  log: Log,
): Promise<void> {
  const late = delay(EXIT_KNOWN_MS, undefined, { ref: false });
  const exit = facts.why === 'hung' ? undefined : await Promise.race([exited, late]);
  log.error('surrogate lost', { ...facts, surrogatePid: pid, ...exit, stderr: stderr.slice(-STDERR_LINES) });
}
