import os from 'node:os';

/** Limits of one person's two processes, each with its children. */
export interface LimitValues {
  readonly cell: ProcessLimits;
  readonly browser: ProcessLimits;
  /** Processor time of a person's processes together, in hundredths of one processor. Undefined: only a fair share. */
  readonly cpuPercent?: number;
  /** Whether to try cgroups. Default: yes. */
  readonly cgroups?: boolean;
}

export interface ProcessLimits {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly tasks: number;
}

const MIB = 1024 * 1024;

/** Limits for this machine: half of its memory for one browser, from 1 to 4 GiB. */
export function defaultLimits(totalBytes = os.totalmem()): LimitValues {
  const browser = Math.min(4096, Math.max(1024, Math.floor(totalBytes / 2 / MIB)));
  return {
    cell: { memoryBytes: 1024 * MIB, tasks: 256 },
    browser: { memoryBytes: browser * MIB, tasks: 4096 },
  };
}
