import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../core/contracts/scope.ts';
import type { Surrogate } from '../../surrogate/launch.ts';

/** Maximum wait for the end of a process whose connection is lost, in ms, so that its exit can be logged. */
const EXIT_KNOWN_MS = 2000;
/** Last lines of its output that are logged. */
const STDERR_LINES = 5;

/** Logs why a surrogate was lost: the exit of its process, unless the host has ended it, and its last output. */
export async function reportLoss(
  { pid, exited, stderr }: Surrogate,
  facts: { readonly cid: string; readonly why: string; readonly tabs: number },
  log: Log,
): Promise<void> {
  const late = delay(EXIT_KNOWN_MS, undefined, { ref: false });
  const exit = facts.why === 'hung' ? undefined : await Promise.race([exited, late]);
  log.error('surrogate lost', { ...facts, surrogatePid: pid, ...exit, stderr: stderr.slice(-STDERR_LINES) });
}
