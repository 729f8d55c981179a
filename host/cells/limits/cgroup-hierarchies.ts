import path from 'node:path';

/** Resources that cgroups can limit. */
export type Resource = 'memory' | 'cpu' | 'pids';

/** One mounted hierarchy of cgroups, and the group of this process in it. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** Controllers of a v1 hierarchy. In v2 the group itself lists them. */
  readonly controllers: readonly string[];
  /** Folder of this process's own group. */
  readonly folder: string;
}

/** Texts of the files that describe the cgroups. */
export interface CgroupFiles {
  /** Text of /proc/self/cgroup. */
  readonly membership: string;
  /** Text of /proc/self/mountinfo. */
  readonly mounts: string;
}

/** Finds the hierarchies that are mounted and that this process can reach. */
export function hierarchies({ membership, mounts }: CgroupFiles): Hierarchy[] {
  const own = new Map(
    membership
      .split('\n')
      .map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line))
      .map((match) => [match?.[1] ?? '-', match?.[2] ?? ''] as const),
  );
  return mounts.split('\n').flatMap((line): Hierarchy[] => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '', mountPoint = ''] = before.split(' ').map(unescape);
    const [type, , options = ''] = after.split(' ');
    if (type === 'cgroup2') {
      const folder = folderOf(own.get(''), root, mountPoint);
      return folder === undefined ? [] : [{ version: 2, controllers: [], folder }];
    }
    if (type !== 'cgroup') return [];
    const settings = options.split(',');
    const [names] =
      [...own].find(([list]) => list !== '' && list.split(',').every((name) => settings.includes(name))) ?? [];
    const folder = names === undefined ? undefined : folderOf(own.get(names), root, mountPoint);
    return folder === undefined ? [] : [{ version: 1, controllers: names?.split(',') ?? [], folder }];
  });
}

/** A container may see only a part of the hierarchy, mounted as if it were the whole. */
function folderOf(group: string | undefined, root: string, mountPoint: string): string | undefined {
  if (group === undefined || mountPoint === '') return undefined;
  const inner = path.posix.relative(root, group);
  return inner.startsWith('..') ? undefined : path.posix.join(mountPoint, inner);
}

/** Spaces and some other characters are octal numbers in mountinfo. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
