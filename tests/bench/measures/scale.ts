import { longest } from '../../scale/freezes.ts';
import { LARGE_PAGES } from '../../scale/pages.ts';
import { setStage } from '../../scale/stage.ts';
import type { Opened } from '../../scale/stage.ts';
import type { Row } from '../measure.ts';
import type { Stage } from '../stage.ts';

export const name = 'scale';

const MIB = 1024 * 1024;

/**
 * Pages that are large in one way each, with a host of their own: for how long one task blocks the person's browser
 * while it builds them (tasks below 50 ms count as none), beside the same page opened directly; for how long the host
 * is blocked; the memory that they take.
 */
export async function run({ host, fault }: Stage): Promise<Row[]> {
  if (host === undefined) return [];
  await using stage = await setStage();
  const rows: Row[] = [];
  for (const page of LARGE_PAGES) {
    const size = page.sizes.full;
    try {
      const { direct, mirrored } = await stage.open(page, size);
      const row = (what: string, unit: Row['unit'], of: (opened: Opened) => number): Row => ({
        name: `${page.name} (${size}), ${what}`,
        unit,
        values: { vitrine: of(mirrored), direct: of(direct) },
      });
      const own = (what: string, unit: Row['unit'], vitrine: number): Row => ({
        ...row(what, unit, () => 0),
        values: { vitrine },
      });
      rows.push(
        row('longest task', 'ms', ({ freezes }) => longest(freezes.tasks)),
        row('longest frame', 'ms', ({ freezes }) => longest(freezes.frames.map(({ ms }) => ms))),
        row('whole', 'ms', ({ ms }) => ms),
        row('received', 'bytes', ({ bytes }) => bytes),
        row('heap of the tab', 'MiB', ({ heap }) => heap / MIB),
        own('longest turn of the host', 'ms', mirrored.hostDelay),
        own('heap of the host', 'MiB', mirrored.hostHeap / MIB),
        own('surrogate', 'MiB', mirrored.surrogate / MIB),
      );
    } catch (error) {
      fault(`${name}, ${page.name}`, error);
    }
  }
  return rows;
}
