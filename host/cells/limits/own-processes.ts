import { processTable, type ProcessEntry } from './process-table.ts';

/** Criteria for the host's own processes. */
interface Kin {
  readonly table?: readonly ProcessEntry[];
  /** Process id of the host. */
  readonly host?: number;
  /** Whether processes that have started the host are included. */
  readonly ancestors: boolean;
}

/**
 * Whether all of these processes are the host (the launcher's parent), its descendants, or, if included, its ancestors.
 */
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
