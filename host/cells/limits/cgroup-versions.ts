import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isOfThisHost } from './own-processes.ts';
import { groupMembers, set, trySet } from './cgroup-files.ts';
import type { Hierarchy, Resource } from './cgroup-hierarchies.ts';
import type { LimitValues, ProcessLimits } from './limit-values.ts';

/** Group for the host's own processes: a v2 group whose children have limits cannot contain processes itself. */
const HOST_GROUP = 'vitrine-host';
const CPU_PERIOD_US = 100_000;

/** Operations of one version of cgroups. Each function throws when a setting does not take effect. */
export interface CgroupVersion {
  /** Makes the controller usable below this process's group. @returns the group in which to create ours. */
  prepare(hierarchy: Hierarchy, resource: Resource): string;
  /** Enables a controller of a group for the groups below it. */
  delegate(folder: string, resource: Resource): void;
  /** Limits of all cells together. */
  base(folder: string, resource: Resource): void;
  /** Limits of one cell with its browser. */
  cell(folder: string, resource: Resource, values: LimitValues): void;
  /** Limits of one process with its children. */
  leaf(folder: string, resource: Resource, limits: ProcessLimits, kind: 'cell' | 'browser'): void;
}

/** Against one busy thread of the host, all cells together get two shares of each processor. */
const CELLS_TO_HOST = 2 * os.availableParallelism();
/** Processor shares of a cell's Node, which answers its person, against its browser. */
const CELL_TO_BROWSER = 2;

/** The unified hierarchy. */
export const version2: CgroupVersion = {
  prepare({ folder }, resource) {
    const group = path.basename(folder) === HOST_GROUP ? path.dirname(folder) : folder;
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
    if (resource === 'cpu') set(folder, { 'cpu.weight': String(Math.min(100 * CELLS_TO_HOST, 10_000)) });
  },
  cell(folder, resource, { cpuPercent }) {
    if (resource !== 'cpu') return;
    set(folder, { 'cpu.weight': '100' });
    if (cpuPercent !== undefined) set(folder, { 'cpu.max': `${(cpuPercent * CPU_PERIOD_US) / 100} ${CPU_PERIOD_US}` });
  },
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
  prepare: ({ folder }) => folder,
  delegate: () => undefined,
  base(folder, resource) {
    if (resource === 'cpu') set(folder, { 'cpu.shares': String(Math.min(1024 * CELLS_TO_HOST, 262_144)) });
  },
  cell(folder, resource, { cpuPercent }) {
    if (resource !== 'cpu') return;
    set(folder, { 'cpu.shares': '1024' });
    if (cpuPercent === undefined) return;
    set(folder, { 'cpu.cfs_period_us': String(CPU_PERIOD_US) });
    set(folder, { 'cpu.cfs_quota_us': String((cpuPercent * CPU_PERIOD_US) / 100) });
  },
  leaf(folder, resource, { memoryBytes, tasks }, kind) {
    if (resource === 'cpu') set(folder, { 'cpu.shares': String(kind === 'cell' ? 1024 * CELL_TO_BROWSER : 1024) });
    if (resource === 'pids') set(folder, { 'pids.max': String(tasks) });
    if (resource !== 'memory') return;
    set(folder, { 'memory.limit_in_bytes': String(memoryBytes) });
    trySet(folder, { 'memory.memsw.limit_in_bytes': String(memoryBytes) });
  },
};

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
