import type { Stage } from './stage.ts';

/** One figure of a measure, for every subject that has it. */
export interface Row {
  /** Name of the figure within its measure. */
  readonly name: string;
  /** Every unit here is better when it is smaller. */
  readonly unit: 'ms' | 'bytes' | '%' | 'MiB' | 'per 1,000';
  /** By subject; `vitrine` is the product, the others are its peers. */
  readonly values: Readonly<Record<string, number>>;
}

/** Exports of a module in `measures/`. */
export interface Measure {
  readonly name: string;
  /** Takes the figures. Reports failures for a subject with `stage.fault`; throws when it can take none. */
  run(stage: Stage): Promise<readonly Row[]>;
}

/** Builds rows from the figures of each subject; a figure that only some subjects have has a value for those alone. */
export function rowsOf(unit: Row['unit'], taken: ReadonlyMap<string, Readonly<Record<string, number>>>): Row[] {
  const names = new Set([...taken.values()].flatMap((figures) => Object.keys(figures)));
  return [...names].map((name) => {
    const values: Record<string, number> = {};
    for (const [subject, figures] of taken) {
      const value = figures[name];
      if (value !== undefined) values[subject] = value;
    }
    return { name, unit, values };
  });
}

/** The smallest value that a share of `share` (0 to 1) of the values does not exceed. Throws when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('There are no values.');
  return value;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
