import { processTable } from '../process-table.ts';

/**
 * Whether all of these processes are this host's: the host (the launcher's parent), what it has started, and, in a container (its first
 * process is among them), what has started it.
 */
export function isOfThisHost(pids: readonly number[], table = processTable(), host = process.ppid): boolean {
  const parents = new Map(table.map(({ pid, parent }) => [pid, parent]));
  const line = (pid: number): number[] => {
    const above = [pid];
    for (let next = parents.get(pid); next !== undefined && next > 0 && !above.includes(next); next = parents.get(next))
      above.push(next);
    return above;
  };
  const allowed = new Set(pids.includes(1) ? line(host) : [host]);
  return pids.every((pid) => allowed.has(pid) || line(pid).includes(host));
}
