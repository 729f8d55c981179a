import type { PersonCell } from './person-cell.ts';
import type { CellCounts } from './protocol.ts';

type Summed = Omit<CellCounts, 'isWarm'>;
const SUMMED = [
  'tabs',
  'attached',
  'hidden',
  'left',
  'frozen',
  'discarded',
  'surrogates',
  'launches',
  'failedLaunches',
  'crashes',
] as const satisfies readonly (keyof Summed)[];

/** Counts of all cells, for metrics: sums of those of each, and: */
export interface WorkerCounts extends Summed {
  /** People with a cell. */
  readonly sessions: number;
  readonly cells: number;
  /** Cells with a person who is at none of their tabs. */
  readonly abandoned: number;
  /** Cells that wait for a person, with a running browser. */
  readonly warm: number;
  /** People who wait for a cell. */
  readonly waiting: number;
  /** People without a cell who can come back to their tabs. */
  readonly asleep: number;
}

/** Counts of running cells, with the sums over those that have ended. */
export function countsOf(
  cells: readonly PersonCell[],
  past: Pick<Summed, 'launches' | 'failedLaunches' | 'crashes'>,
): Summed & Pick<WorkerCounts, 'cells' | 'abandoned'> {
  const sums = Object.fromEntries(
    SUMMED.map((key) => [key, cells.reduce((total, { counts }) => total + counts[key], 0)]),
  ) as Record<keyof Summed, number>; // SUMMED names them all
  return {
    ...sums,
    launches: past.launches + sums.launches,
    failedLaunches: past.failedLaunches + sums.failedLaunches,
    crashes: past.crashes + sums.crashes,
    cells: cells.length,
    abandoned: cells.filter(({ abandonedAt }) => abandonedAt !== undefined).length,
  };
}
