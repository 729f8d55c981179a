import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseName, sweepGroups } from '../limits/cgroup-files.ts';
import { hierarchies } from '../limits/cgroup-hierarchies.ts';
import { cgroupTree, type CgroupSources } from '../limits/cgroup-tree.ts';
import { moveHost, version2 } from '../limits/cgroup-versions.ts';
import type { LimitValues } from '../limits/limit-values.ts';
import { openLimits } from '../limits/limits.ts';
import { isOfThisHost } from '../limits/own-processes.ts';
import type { ProcessEntry } from '../limits/process-table.ts';

const VALUES: LimitValues = {
  profileBytes: 1 << 30,
  cell: { memoryBytes: 1 << 28, tasks: 100 },
  browser: { memoryBytes: 1 << 30, tasks: 1000 },
  decoder: { memoryBytes: 1 << 28, tasks: 50 },
  cpuPercent: 150,
};

describe('hierarchies', () => {
  it('finds one’s own group where hierarchies are mounted whole, in part, and not at all', () => {
    const membership = '5:cpu,cpuacct:/a\n4:memory:/pods/x/y\n3:pids:/elsewhere\n1:name=systemd:/s\n0::/user.slice/x\n';
    const mounts = [
      '30 20 0:25 / /sys/fs/cgroup/unified\\040two rw - cgroup2 cgroup2 rw,nsdelegate',
      '31 20 0:26 /pods/x /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
      '32 20 0:27 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct',
      '33 20 0:28 /pods/x /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids',
      '34 20 0:29 / /proc rw - proc proc rw',
    ].join('\n');
    expect(hierarchies({ membership, mounts })).toEqual([
      { version: 2, controllers: [], folder: '/sys/fs/cgroup/unified two/user.slice/x' },
      { version: 1, controllers: ['memory'], folder: '/sys/fs/cgroup/memory/y' },
      { version: 1, controllers: ['cpu', 'cpuacct'], folder: '/sys/fs/cgroup/cpu,cpuacct/a' },
    ]);
    expect(hierarchies({ membership: '', mounts: '' })).toEqual([]);
  });
});

// The kernel's part is played by ordinary files: what is written there, and when a limit counts as held.
describe('a tree of groups', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'vitrine-cgroups-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const at = (...parts: string[]): string => path.join(root, ...parts);
  const text = (...parts: string[]): string => readFileSync(at(...parts), 'utf8');
  const enter = (procs: readonly string[]): string => procs.map((file) => `0::${path.dirname(file)}`).join('\n');
  function unified(controllers: string, more: Partial<CgroupSources> = {}): CgroupSources {
    mkdirSync(at('own'), { recursive: true });
    writeFileSync(at('own/cgroup.controllers'), controllers);
    writeFileSync(at('own/cgroup.subtree_control'), '');
    return { membership: '0::/own\n', mounts: `1 0 0:1 / ${root} rw - cgroup2 x rw`, enter, ...more };
  }

  it('limits by the unified hierarchy: memory and tasks by process, processors by cell', async () => {
    const tree = await cgroupTree(VALUES, unified('cpuset cpu io memory pids'));
    expect(tree.holds).toEqual({ memory: 'cgroup2', cpu: 'cgroup2', pids: 'cgroup2' });
    const cell = tree.forCell('c1');
    const leaf = cell.leaf('browser', 'b1');
    const own = (...parts: string[]): string => text('own', baseName(), ...parts);
    expect(leaf.procs).toEqual([at('own', baseName(), 'c1/b1/cgroup.procs')]);
    expect(own('c1/b1/memory.max')).toBe(String(1 << 30));
    expect(own('c1/b1/pids.max')).toBe('1000');
    expect(own('c1/cpu.max')).toBe('150000 100000');
    expect(own('c1/cgroup.subtree_control')).toBe('+pids');
    writeFileSync(at('own', baseName(), 'c1/b1/memory.events'), 'oom 3\noom_kill 2\noom_group_kill 0\n');
    expect(leaf.oomKills()).toBe(2);
  });

  it('gives the host a group of its own, with the shares of all cells together, until it closes', async () => {
    const tree = await cgroupTree(VALUES, unified('cpu'));
    expect(text('own/vitrine-host/cgroup.procs')).toBe(String(process.ppid));
    expect(text('own/vitrine-host/cpu.weight')).toBe(text('own', baseName(), 'cpu.weight'));
    await tree.close();
    expect(text('own/cgroup.procs')).toBe(String(process.ppid));
  });

  it('ends a cell as a whole, and of a browser the largest page', () => {
    for (const kind of ['cell', 'browser'] as const) {
      mkdirSync(at(kind));
      for (const name of ['memory.oom.group', 'memory.swap.max']) writeFileSync(at(kind, name), '?');
      version2.leaf(at(kind), 'memory', VALUES[kind], kind);
      expect(text(kind, 'memory.max')).toBe(String(VALUES[kind].memoryBytes));
      expect(text(kind, 'memory.swap.max')).toBe('0');
    }
    expect([text('cell', 'memory.oom.group'), text('browser', 'memory.oom.group')]).toEqual(['1', '0']);
  });

  it('takes from the older hierarchies what the unified one lacks', async () => {
    mkdirSync(at('v1/m/group'), { recursive: true });
    const sources = unified('cpu');
    const tree = await cgroupTree(VALUES, {
      ...sources,
      membership: `${sources.membership}4:memory:/group\n`,
      mounts: `${sources.mounts}\n2 0 0:2 / ${at('v1/m')} rw - cgroup x rw,memory`,
    });
    expect(tree.holds).toEqual({ memory: 'cgroup1', cpu: 'cgroup2' });
    expect(tree.forCell('c').leaf('cell', 'n').procs).toHaveLength(2);
    expect(text('v1/m/group', baseName(), 'c/n/memory.limit_in_bytes')).toBe(String(1 << 28));
    const { report } = await openLimits({ ...VALUES, cgroups: false }, true);
    expect(report).toEqual({ memory: 'statm', cpu: 'nice', processes: 'rlimit', users: 'range' });
  });

  it('holds nothing where a process cannot enter, or a controller is missing', async () => {
    const refused = await cgroupTree(VALUES, unified('cpu memory pids', { enter: () => '0::/own' }));
    expect(refused.holds).toEqual({});
    const missing = await cgroupTree(VALUES, { ...unified(''), enter });
    expect(missing.holds).toEqual({});
  });

  it('removes the groups of launchers that are gone, and no other', async () => {
    for (const name of ['vitrine-1-1', 'vitrine-host', baseName(), 'others'])
      mkdirSync(at(name, 'c1/b1'), { recursive: true });
    await sweepGroups(root);
    expect(existsSync(at('vitrine-1-1'))).toBe(false);
    for (const name of ['vitrine-host', baseName(), 'others']) expect(existsSync(at(name, 'c1/b1'))).toBe(true);
  });

  it('moves the host out of its group, and nobody else', () => {
    writeFileSync(at('cgroup.procs'), `${process.pid}\n`);
    expect(moveHost(root)).toBe(true);
    expect(text('vitrine-host/cgroup.procs')).toBe(String(process.pid));
    writeFileSync(at('cgroup.procs'), '2\n');
    expect(moveHost(root)).toBe(false);
  });
});

describe('isOfThisHost', () => {
  const table = [
    [1, 0],
    [10, 1],
    [20, 10],
    [30, 20],
    [40, 30],
    [50, 10],
  ].map(([pid = 0, parent = 0]) => ({ pid, parent, group: 0, uids: [], memory: 0 }) satisfies ProcessEntry);

  it('counts descendants, and ancestors where they count', () => {
    expect(isOfThisHost([20, 30, 40], { table, host: 20, ancestors: false })).toBe(true);
    expect(isOfThisHost([10, 20], { table, host: 20, ancestors: false })).toBe(false);
    expect(isOfThisHost([1, 10, 20, 40], { table, host: 20, ancestors: true })).toBe(true);
    expect(isOfThisHost([50, 20], { table, host: 20, ancestors: true })).toBe(false);
  });
});
