import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isOfThisHost } from './own-processes.ts';
import { groupMembers, set, trySet } from './cgroup-files.ts';
import { HOST_GROUP } from './host-group.ts';
import type { Hierarchy, Resource } from './cgroup-hierarchies.ts';
import type { LimitValues, ProcessKind, ProcessLimits } from './limit-values.ts';

const CPU_PERIOD_US = 100_000;

/** Operations of one version of cgroups. Each function throws when a setting does not take effect. */
export interface CgroupVersion {
  /** Makes the controller usable below this process's group. @returns the group in which to create ours. */
  prepare(hierarchy: Hierarchy, resource: Resource): string;
  /** Enables a controller of a group for the groups below it. */
  delegate(folder: string, resource: Resource): void;
  /** Limits of all cells together. */
  base(folder: string, resource: Resource): void;
  /** Processor shares of the host's own group. */
  host(folder: string): void;
  /** Limits of one cell with its browser. */
  cell(folder: string, resource: Resource, values: LimitValues): void;
  /** Whether the processes of a group run only while those of its siblings do not want to. */
  idle(folder: string, on: boolean): void;
  /** Limits of one process with its children. */
  leaf(folder: string, resource: Resource, limits: ProcessLimits, kind: ProcessKind): void;
}

/**
 * Processor shares of all cells together, and of the host, which everybody's keys and pictures pass through: against one ordinary process,
 * two of each processor.
 */
const SHARES = 2 * os.availableParallelism();
const WEIGHT = String(Math.min(100 * SHARES, 10_000));
const CPU_SHARES = String(Math.min(1024 * SHARES, 262_144));
/** Processor shares of a cell's Node, which answers its person, against its browser. */
const CELL_TO_BROWSER = 2;

/** Since Linux 5.15, in both versions. Ends with the weight that {@link CgroupVersion.cell} gives, which is the kernel's default. */
function setIdle(folder: string, on: boolean): void {
  trySet(folder, { 'cpu.idle': on ? '1' : '0' });
}

/** The unified hierarchy. */
export const version2: CgroupVersion = {
  prepare({ folder }, resource) {
    const group = aboveHost(folder);
    if (!words(path.join(group, 'cgroup.controllers')).includes(resource))
      throw new Error(`no ${resource} in ${group}`);
    if (words(path.join(group, 'cgroup.subtree_control')).includes(resource)) return group;
    try {
      this.delegate(group, resource);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || !moveHost(group)) throw error; // of a write
      this.delegate(group, resource);
    }
    return group;
  },
  delegate(folder, resource) {
    writeFileSync(path.join(folder, 'cgroup.subtree_control'), `+${resource}`);
  },
  base(folder, resource) {
    if (resource === 'cpu') set(folder, { 'cpu.weight': WEIGHT });
  },
  host(folder) {
    set(folder, { 'cpu.weight': WEIGHT });
  },
  cell(folder, resource, { cpuPercent }) {
    if (resource !== 'cpu') return;
    set(folder, { 'cpu.weight': '100' });
    if (cpuPercent !== undefined) set(folder, { 'cpu.max': `${(cpuPercent * CPU_PERIOD_US) / 100} ${CPU_PERIOD_US}` });
  },
  idle: setIdle,
  leaf(folder, resource, { memoryBytes, tasks }, kind) {
    if (resource === 'cpu') set(folder, { 'cpu.weight': String(kind === 'cell' ? 100 * CELL_TO_BROWSER : 100) });
    if (resource === 'pids') set(folder, { 'pids.max': String(tasks) });
    if (resource !== 'memory') return;
    set(folder, { 'memory.max': String(memoryBytes) });
    // In a browser the kernel ends the process with the largest page; a cell ends whole. Never a group of several
    // cells.
    trySet(folder, { 'memory.swap.max': '0', 'memory.oom.group': kind === 'cell' ? '1' : '0' });
  },
};

/** Separate hierarchies for memory, processor and processes. */
export const version1: CgroupVersion = {
  prepare: ({ folder }) => aboveHost(folder),
  delegate: () => undefined,
  base(folder, resource) {
    if (resource === 'cpu') set(folder, { 'cpu.shares': CPU_SHARES });
  },
  host(folder) {
    set(folder, { 'cpu.shares': CPU_SHARES });
  },
  cell(folder, resource, { cpuPercent }) {
    if (resource !== 'cpu') return;
    set(folder, { 'cpu.shares': '1024' });
    if (cpuPercent === undefined) return;
    set(folder, { 'cpu.cfs_period_us': String(CPU_PERIOD_US) });
    set(folder, { 'cpu.cfs_quota_us': String((cpuPercent * CPU_PERIOD_US) / 100) });
  },
  idle: setIdle,
  leaf(folder, resource, { memoryBytes, tasks }, kind) {
    if (resource === 'cpu') set(folder, { 'cpu.shares': String(kind === 'cell' ? 1024 * CELL_TO_BROWSER : 1024) });
    if (resource === 'pids') set(folder, { 'pids.max': String(tasks) });
    if (resource !== 'memory') return;
    set(folder, { 'memory.limit_in_bytes': String(memoryBytes) });
    trySet(folder, { 'memory.memsw.limit_in_bytes': String(memoryBytes) });
  },
};

/** The group of a launcher; a host that starts another launcher is in its own group by then. */
function aboveHost(folder: string): string {
  return path.basename(folder) === HOST_GROUP ? path.dirname(folder) : folder;
}

/**
 * Moves the processes of a group to one below it, if they all belong to this host. The process that started the host is
 * included in a container, where it is one of the first processes, and in a service of systemd; not in a login session.
 */
export function moveHost(group: string): boolean {
  const members = groupMembers(group);
  const ancestors = members.includes(1) || group.endsWith('.service');
  if (!isOfThisHost(members, { ancestors })) return false;
  const target = path.join(group, HOST_GROUP);
  mkdirSync(target, { recursive: true });
  for (const pid of members) {
    try {
      writeFileSync(path.join(target, 'cgroup.procs'), String(pid));
    } catch {
      // it has ended; if one stays, the next step fails
    }
  }
  return true;
}

function words(file: string): string[] {
  return readFileSync(file, 'utf8').trim().split(/\s+/);
}
