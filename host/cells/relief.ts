import type { PersonCell } from './person-cell.ts';

type Relieved = Pick<PersonCell, 'person' | 'bytes' | 'relieve'>;

/**
 * Has the cells of people save memory: those that use at least as much as the mean of all, so that others do not make up for what one page
 * takes. `isUrgent`: all of them. Never rejects.
 */
export async function relieveCells(cells: Iterable<Relieved>, isUrgent: boolean): Promise<void> {
  const used = [...cells].filter(({ person }) => person !== undefined);
  const sizes = isUrgent ? used.map(() => 0) : await Promise.all(used.map((cell) => cell.bytes()));
  const mean = sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length;
  for (const [index, cell] of used.entries()) if ((sizes[index] ?? 0) >= mean) cell.relieve();
}
