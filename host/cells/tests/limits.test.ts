import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LimitValues } from '../limits/limit-values.ts';
import { chosenLimits, defaultLimits, freeDisk } from '../limits/limit-values.ts';
import { isRoot, openCells, processEntry, type TestCells } from './fixture.ts';

const MIB = 1024 * 1024;
const VALUES: LimitValues = {
  profileBytes: 1 << 30,
  cell: { memoryBytes: 200 * MIB, tasks: 40 },
  browser: { memoryBytes: 700 * MIB, tasks: 400 },
  decoder: { memoryBytes: 200 * MIB, tasks: 30 },
  cpuPercent: 200,
};

/** `cpu.idle` of a cell's group; undefined where it has no group of its own. */
function idleOf(pid: number): string | undefined {
  const line = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
    .split('\n')
    .find((each) => /^\d+:(cpu|cpu,cpuacct|):.*cell/.test(each));
  const [, controllers, group = ''] = line?.split(':') ?? [];
  if (controllers === undefined) return undefined;
  return readFileSync(path.join('/sys/fs/cgroup', controllers, path.dirname(group), 'cpu.idle'), 'utf8').trim();
}

// By cgroups where this system has them, and always by the fallback.
describe.each([{ cgroups: true }, { cgroups: false }])('limits, with cgroups: $cgroups', ({ cgroups }) => {
  let cells: TestCells;
  beforeAll(async () => {
    cells = await openCells({ limits: { ...VALUES, cgroups }, nodeArgs: [] });
  });
  afterAll(() => cells.close());

  it('reports the mechanism of each', () => {
    const { memory, cpu, processes, users } = cells.processes.limits;
    expect(users).toBe(isRoot ? 'range' : 'none');
    if (cgroups) expect(['cgroup2', 'cgroup1', 'statm']).toContain(memory);
    else
      expect({ memory, cpu, processes }).toEqual({
        memory: 'statm',
        cpu: 'nice',
        processes: isRoot ? 'rlimit' : 'none',
      });
  });

  it('moves the host to a group of its own, where groups share the processors', () => {
    const own = readFileSync('/proc/self/cgroup', 'utf8');
    expect(own.includes('/vitrine-host')).toBe(cells.processes.limits.cpu !== 'nice');
  });

  it('lets the others go before a cell that keeps a processor busy, where groups share the processors', async () => {
    const [busy, other] = await Promise.all([cells.start(), cells.start()]);
    void busy.ask('spin').catch(() => undefined);
    const groups = cells.processes.limits.cpu !== 'nice';
    await expect.poll(() => idleOf(busy.cell.pid)).toBe(groups ? '1' : undefined);
    expect(idleOf(other.cell.pid)).toBe(groups ? '0' : undefined);
    await Promise.all([busy.cell.kill(), other.cell.kill()]);
  });

  it('ends a cell that fills its memory, and no other', async () => {
    const [hungry, other] = await Promise.all([cells.start(), cells.start()]);
    void hungry.ask('eat', 400e6).catch(() => undefined);
    expect(await hungry.cell.exited).toMatchObject({ signal: 'SIGKILL', reason: 'memory' });
    expect(await other.ask('about')).toBeDefined();
    await other.cell.kill();
  });

  it('ends a page that fills its browser’s memory; browser and cell live', async () => {
    const { cell, ask } = await cells.start();
    const browser = await cells.processes.startBrowser(cell, { proxyPort: 9 });
    await ask('connect', { socketPath: browser.socketPath, pageHalf: false });
    const pid = await browser.started;
    const eating = ask(
      'evaluate',
      // At 40 MB/s: the fallback looks every 250 ms, later on a busy machine, and ends the browser as a whole far past the limit.
      `(async () => { const all = []; for (let n = 0; n < 750; n++) {
        all.push(new Uint8Array(4e6).fill(1)); await new Promise((resolve) => setTimeout(resolve, 100)); } })()`,
    );
    await expect(eating).rejects.toThrow('page crashed');
    expect(processEntry(pid)).toBeDefined();
    expect(await ask('evaluate', '1 + 1')).toBe(2);
    await cell.kill();
  });

  it('lets a cell start a bounded number of processes, and ends none for it', async () => {
    const [many, other] = await Promise.all([cells.start(), cells.start()]);
    const started = await many.ask<number>('fork', 60);
    expect(started).toBeGreaterThan(5);
    // Without root and groups nothing limits a cell's processes, which the report says.
    if (cells.processes.limits.processes === 'none') expect(started).toBe(60);
    else expect(started).toBeLessThan(40);
    expect(await other.ask<number>('fork', 5)).toBe(5);
    await Promise.all([many.cell.kill(), other.cell.kill()]);
  });
});

describe('a cell with too small a heap', () => {
  it('ends when it runs out of memory', async () => {
    const cells = await openCells({ nodeArgs: ['--max-old-space-size=60'] });
    const { cell, ask } = await cells.start();
    void ask('heap').catch(() => undefined);
    expect(await cell.exited).toMatchObject({ reason: 'memory' });
    expect(cell.stderr.join('\n')).toContain('heap');
    await cells.close();
  });
});

describe('default limits', () => {
  it('give a browser half of the machine, within bounds', () => {
    const browser = (gigabytes: number): number => defaultLimits(gigabytes * 1024 * MIB).browser.memoryBytes / MIB;
    expect([1, 4, 64].map(browser)).toEqual([1024, 2048, 4096]);
  });

  it('[M3] give a profile a tenth of the free disk, within bounds', () => {
    const profile = (gigabytes: number): number => defaultLimits(0, gigabytes * 1024 * MIB).profileBytes / MIB;
    expect([1, 20, 500].map(profile)).toEqual([256, 2048, 4096]);
    expect(freeDisk('/no/such/folder')).toBe(freeDisk('/'));
  });

  it('[M3] are replaced by those that an administrator has chosen', () => {
    const defaults = defaultLimits();
    expect(chosenLimits({}, defaults)).toEqual(defaults);
    const chosen = { cellMemoryBytes: 1, browserMemoryBytes: 2, browserTasks: 3, cpuPercent: 4, profileBytes: 5 };
    expect(chosenLimits(chosen, defaults)).toEqual({
      cell: { ...defaults.cell, memoryBytes: 1 },
      browser: { memoryBytes: 2, tasks: 3 },
      decoder: defaults.decoder,
      cpuPercent: 4,
      profileBytes: 5,
    });
  });

  it('[M3] that were chosen and that nothing enforces are refused at the start', async () => {
    const limits = { ...defaultLimits(), cgroups: false };
    await expect(openCells({ limits, chosen: { cpuPercent: 100 } })).rejects.toMatchObject({
      code: 'limit-not-enforced',
    });
  });
});
