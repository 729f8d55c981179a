import { token } from '../../core/contracts/token.ts';
import type { WorkKind } from '../base/page-budgets.ts';

/** Counts the work that a page causes: past its budgets the page is slowed, then ended. */
export interface Work {
  /** `amount` is in the unit of the kind's budget (`host/base/page-budgets.ts`). */
  spend(kind: WorkKind, amount: number): void;
}

/** The work of the page of a tab. */
export const workToken = token<Work>('vitrine.work');

/** Runs a function, and counts the processor time of this thread. */
export function counted<T>(work: Work | undefined, kind: WorkKind, run: () => T): T {
  if (!work) return run();
  const begun = process.threadCpuUsage();
  try {
    return run();
  } finally {
    const { user, system } = process.threadCpuUsage(begun);
    work.spend(kind, (user + system) / 1000);
  }
}
