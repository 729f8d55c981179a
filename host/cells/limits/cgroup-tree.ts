import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  baseName,
  groupMembers,
  groupOomKills,
  groupUsedMs,
  makeGroup,
  removeGroup,
  sweepGroups,
} from './cgroup-files.ts';
import { hierarchies, type CgroupFiles, type Hierarchy, type Resource } from './cgroup-hierarchies.ts';
import { version1, version2, type CgroupVersion } from './cgroup-versions.ts';
import { placeHost } from './host-group.ts';
import { usedMs } from './process-table.ts';
import type { ProcessorShare } from './processor-watch.ts';
import type { LimitValues, ProcessKind } from './limit-values.ts';

/** The system's cgroups, or a test's. */
export interface CgroupSources extends CgroupFiles {
  /** Moves a process into groups by their `cgroup.procs`. @returns its /proc/self/cgroup afterwards. */
  enter(procs: readonly string[]): string;
}

/** The groups of one process. */
interface CgroupLeaf {
  /** `cgroup.procs` files of the groups to join. */
  readonly procs: readonly string[];
  members(): number[];
  oomKills(): number;
  close(): Promise<void>;
}

/** Groups of one cell. */
export interface CellGroups {
  leaf(kind: ProcessKind, name: string): CgroupLeaf;
  /** Its use of the processors; undefined where no group shares them. */
  readonly processors: ProcessorShare | undefined;
  close(): Promise<void>;
}

/** The launcher's own part of the cgroup hierarchies. */
interface CgroupTree {
  /** The cgroup version that limits each resource; absent where none does. */
  readonly holds: Readonly<Partial<Record<Resource, 'cgroup1' | 'cgroup2'>>>;
  forCell(name: string): CellGroups;
  close(): Promise<void>;
}

/** A group of the launcher's in one hierarchy. */
interface Branch {
  readonly version: CgroupVersion;
  readonly number: 1 | 2;
  readonly resources: readonly Resource[];
  readonly base: string;
  /** Moves the host out of its own group again. */
  readonly releaseHost?: () => void;
}

const RESOURCES: readonly Resource[] = ['memory', 'cpu', 'pids'];

/**
 * Creates the launcher's groups where it may, and tries every limit: sets it, reads it back, and moves a process into
 * the group.
 */
export async function cgroupTree(values: LimitValues, sources: CgroupSources = systemCgroups()): Promise<CgroupTree> {
  const branches: Branch[] = [];
  // The unified hierarchy first: a controller is in one hierarchy only.
  for (const hierarchy of hierarchies(sources).sort((a, b) => b.version - a.version)) {
    const branch = await openBranch(hierarchy, values, sources);
    if (branch) branches.push(branch);
  }
  const holder = (resource: Resource): object => {
    const branch = branches.find(({ resources }) => resources.includes(resource));
    return branch ? { [resource]: `cgroup${branch.number}` } : {};
  };
  return {
    holds: Object.assign({}, ...RESOURCES.map(holder)) as CgroupTree['holds'], // resources to versions, by the line above
    forCell: (name) => cellGroups(branches, name, values),
    close: async () => {
      for (const { releaseHost } of branches) releaseHost?.();
      await Promise.all(branches.map(({ base }) => removeGroup(base)));
    },
  };
}

/** A tree without limits. */
export function noCgroups(values: LimitValues): Promise<CgroupTree> {
  return cgroupTree(values, { membership: '', mounts: '', enter: () => '' });
}

/** The cgroups of this system; empty where it has none. */
function systemCgroups(): CgroupSources {
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  return {
    membership: read('/proc/self/cgroup'),
    mounts: read('/proc/self/mountinfo'),
    enter: (procs) => {
      const script = 'for f; do echo 0 >"$f" || exit 1; done; cat /proc/self/cgroup';
      return spawnSync('sh', ['-c', script, 'sh', ...procs], { encoding: 'utf8', timeout: 10_000 }).stdout;
    },
  };
}

async function openBranch(
  hierarchy: Hierarchy,
  values: LimitValues,
  sources: CgroupSources,
): Promise<Branch | undefined> {
  const version = hierarchy.version === 2 ? version2 : version1;
  const wanted = RESOURCES.filter((each) => hierarchy.version === 2 || hierarchy.controllers.includes(each));
  let base: string | undefined;
  const resources: Resource[] = [];
  for (const resource of wanted) {
    try {
      const group = version.prepare(hierarchy, resource);
      if (base === undefined) {
        await sweepGroups(group);
        base = makeGroup(path.join(group, baseName()));
      }
      version.delegate(base, resource);
      version.base(base, resource);
      await tryOut({ version, number: hierarchy.version, resources: [resource], base }, values, sources);
      resources.push(resource);
    } catch {
      // The limit does not work here, which the report says.
    }
  }
  if (base === undefined) return undefined;
  if (resources.length > 0) {
    const releaseHost = resources.includes('cpu') ? placeHost(path.dirname(base), version.host) : undefined;
    return { version, number: hierarchy.version, resources, base, ...(releaseHost && { releaseHost }) };
  }
  await removeGroup(base);
  return undefined;
}

/** @throws Error when a limit cannot be set, or a process cannot be moved into the group. */
async function tryOut(branch: Branch, values: LimitValues, sources: CgroupSources): Promise<void> {
  const name = `probe-${branch.resources.join('-')}`;
  const groups = cellGroups([branch], name, values);
  try {
    for (const kind of ['cell', 'browser'] as const) {
      const { procs } = groups.leaf(kind, kind);
      if (!sources.enter(procs).includes(`${path.basename(branch.base)}/${name}/${kind}`))
        throw new Error('A process could not be moved into the group.');
    }
  } finally {
    await groups.close();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** @param used processor time of the processes in all groups of the cell, where no group counts it. */
function processorShare(
  branches: readonly Branch[],
  folders: readonly string[],
  used: () => number,
): ProcessorShare | undefined {
  const at = branches.findIndex(({ resources }) => resources.includes('cpu'));
  const [branch, folder] = [branches[at], folders[at]];
  if (!branch || folder === undefined) return undefined;
  return {
    usedMs: () => groupUsedMs(folder) ?? used(),
    yields: (on) => branch.version.idle(folder, on),
  };
}

function cellGroups(branches: readonly Branch[], name: string, values: LimitValues): CellGroups {
  const folders = branches.map(({ version, resources, base }) => {
    const folder = makeGroup(path.join(base, name));
    for (const resource of resources) {
      version.delegate(folder, resource);
      version.cell(folder, resource, values);
    }
    return folder;
  });
  const members = new Map<string, () => number[]>();
  const used = (): number => sum([...members.values()].flatMap((list) => list().map(usedMs)));
  return {
    processors: processorShare(branches, folders, used),
    leaf(kind, leafName) {
      const leaves = branches.map(({ version, resources }, index) => {
        const leaf = makeGroup(path.join(folders[index] ?? '', leafName)); // one folder a branch
        for (const resource of resources) version.leaf(leaf, resource, values[kind], kind);
        return leaf;
      });
      const list = (): number[] => [...new Set(leaves.flatMap(groupMembers))];
      members.set(leafName, list);
      return {
        procs: leaves.map((leaf) => path.join(leaf, 'cgroup.procs')),
        members: list,
        oomKills: () => sum(leaves.map(groupOomKills)),
        close: async () => {
          members.delete(leafName);
          await Promise.all(leaves.map(removeGroup));
        },
      };
    },
    close: async () => {
      await Promise.all(folders.map(removeGroup));
    },
  };
}
