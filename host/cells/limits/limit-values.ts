import { statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ChosenLimits } from '../../base/chosen-limits.ts';

/** A process with limits of its own. */
export type ProcessKind = 'cell' | 'browser' | 'decoder';

/** Limits of one person's processes, each with its children, and of their profile. */
export interface LimitValues {
  /** Size of the profile of a browser on disk, in bytes. */
  readonly profileBytes: number;
  readonly cell: ProcessLimits;
  readonly browser: ProcessLimits;
  /** Of the decoder of one person's pictures, or of the machine's fonts. */
  readonly decoder: ProcessLimits;
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

/**
 * Limits for this machine: half of its memory for one browser, from 1 to 4 GiB; a tenth of the free disk for one profile, from 256 MiB to
 * 4 GiB.
 */
export function defaultLimits(totalBytes = os.totalmem(), freeDiskBytes = 40_960 * MIB): LimitValues {
  const browser = Math.min(4096, Math.max(1024, Math.floor(totalBytes / 2 / MIB)));
  const profile = Math.min(4096, Math.max(256, Math.floor(freeDiskBytes / 10 / MIB)));
  return {
    profileBytes: profile * MIB,
    cell: { memoryBytes: 1024 * MIB, tasks: 256 },
    browser: { memoryBytes: browser * MIB, tasks: 4096 },
    decoder: { memoryBytes: 768 * MIB, tasks: 64 },
  };
}

/** Returns the free space of the file system of a folder, or of the nearest one above it, in bytes. */
export function freeDisk(folder: string): number {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    try {
      const { bavail, bsize } = statfsSync(at);
      return bavail * bsize;
    } catch (thrown) {
      if (at === path.dirname(at)) throw thrown;
    }
  }
}

/** Returns the limits for a machine, with those that were chosen in place of the defaults. */
export function chosenLimits(chosen: ChosenLimits, defaults: LimitValues): LimitValues {
  const { cell, browser } = defaults;
  return {
    ...defaults,
    cell: { ...cell, memoryBytes: chosen.cellMemoryBytes ?? cell.memoryBytes },
    browser: {
      memoryBytes: chosen.browserMemoryBytes ?? browser.memoryBytes,
      tasks: chosen.browserTasks ?? browser.tasks,
    },
    profileBytes: chosen.profileBytes ?? defaults.profileBytes,
    ...(chosen.cpuPercent !== undefined && { cpuPercent: chosen.cpuPercent }),
  };
}
