import { cgroupTree, noCgroups, type CellGroups, type CgroupSources } from './cgroup-tree.ts';
import { ProcessorWatch } from './processor-watch.ts';
import type { LimitValues, ProcessKind, ProcessLimits } from './limit-values.ts';

/** The mechanism that enforces each limit, found by trying at start. */
export interface LimitsReport {
  readonly memory: 'cgroup2' | 'cgroup1' | 'statm';
  readonly cpu: 'cgroup2' | 'cgroup1' | 'nice';
  readonly processes: 'cgroup2' | 'cgroup1' | 'rlimit' | 'none';
  /** Own user ids for every cell and browser, or the host's own user for all. */
  readonly users: 'range' | 'none';
}

/** Limits of one cell and its browsers. */
export interface CellLimits {
  /** Limits for one process and its children. `name` is used once. @throws Error when a group cannot be made. */
  place(kind: ProcessKind, name: string): Placement;
  /** Removes its groups, after all processes in them have ended. */
  close(): Promise<void>;
}

/** Start options of a process under its limits. */
export interface Placement {
  /** `cgroup.procs` files of the groups to join. */
  readonly cgroups: readonly string[];
  readonly maxTasks?: number;
  readonly nice?: number;
  readonly oomScoreAdj: number;
  /** Memory limit to watch in bytes, where no group limits memory. */
  readonly watchedBytes?: number;
  /** Processes in its groups. */
  members(): number[];
  /** Number of processes that the kernel has ended in them because memory ran out. */
  oomKills(): number;
  /** Removes its groups, after all processes in them have ended. */
  close(): Promise<void>;
}

/** Limits of all cells of a launcher. */
export interface Limits {
  readonly report: LimitsReport;
  forCell(name: string): CellLimits;
  close(): Promise<void>;
}

/** The kernel ends pages first (Chromium gives them 300), then browsers and decoders, then cells, then the host. */
const OOM_SCORE = { cell: 100, browser: 200, decoder: 200 } as const;
/** Niceness of browsers and decoders: they yield to hosts and cells where no group shares processors. */
const BROWSER_NICE = 5;

/**
 * Finds the limits that this machine permits: each is written, read back, and tried on a process.
 *
 * @param ownUsers whether every process has a user of its own.
 */
export async function openLimits(values: LimitValues, ownUsers: boolean, sources?: CgroupSources): Promise<Limits> {
  const tree = await (values.cgroups === false ? noCgroups(values) : cgroupTree(values, sources));
  const { memory, cpu, pids } = tree.holds;
  const report: LimitsReport = {
    memory: memory ?? 'statm',
    cpu: cpu ?? 'nice',
    processes: pids ?? (ownUsers ? 'rlimit' : 'none'),
    users: ownUsers ? 'range' : 'none',
  };
  const watch = new ProcessorWatch();
  return {
    report,
    forCell: (name) => cellLimits(tree.forCell(name), values, report, watch),
    close: () => {
      watch.close();
      return tree.close();
    },
  };
}

function cellLimits(
  groups: CellGroups,
  values: LimitValues,
  report: LimitsReport,
  processors: ProcessorWatch,
): CellLimits {
  const unwatch = groups.processors && processors.watch(groups.processors);
  return {
    place(kind, name) {
      const limits: ProcessLimits = values[kind];
      const group = groups.leaf(kind, name);
      return {
        cgroups: group.procs,
        oomScoreAdj: OOM_SCORE[kind],
        ...(report.processes === 'rlimit' && { maxTasks: limits.tasks }),
        ...(report.cpu === 'nice' && kind !== 'cell' && { nice: BROWSER_NICE }),
        ...(report.memory === 'statm' && { watchedBytes: limits.memoryBytes }),
        members: () => group.members(),
        oomKills: () => group.oomKills(),
        close: () => group.close(),
      };
    },
    close: () => {
      unwatch?.();
      return groups.close();
    },
  };
}
