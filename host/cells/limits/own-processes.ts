import { processTable, type ProcessEntry } from './process-table.ts';

/** Processes to judge by, and how. */
interface Kin {
  readonly table?: readonly ProcessEntry[];
  /** Process id of the host. */
  readonly host?: number;
  /** Whether those that have started the host count. */
  readonly ancestors: boolean;
}

/** Whether all of these processes are the host (the launcher's parent), what it has started, or, where they count, what has started it. */
export function isOfThisHost(
  pids: readonly number[],
  { table = processTable(), host = process.ppid, ancestors }: Kin,
): boolean {
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  const line = (pid: number): number[] => {
    const above = [pid];
    for (let next = parents.get(pid); next !== undefined && next > 0 && !above.includes(next); next = parents.get(next))
      above.push(next);
    return above;
  };
  const allowed = ancestors ? line(host) : [];
  return pids.every((pid) => allowed.includes(pid) || line(pid).includes(host));
}
