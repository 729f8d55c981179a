import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder, removeFolder } from '../../surrogate/tests/fixture.ts';
import { familyOf, processTable } from '../limits/process-table.ts';
import { isRoot, openCells, processEntry, type TestCells } from './fixture.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

/** Longest time that anything of a host may outlive it; on an idle machine it is below 2 s. */
const GONE_MS = PATIENCE_MS;

/** Every process below one, itself too. */
function tree(pid: number): number[] {
  return familyOf({ pid }, processTable()).map((each) => each.pid);
}

/** Process ids of those that still run. */
function running(pids: readonly number[]): number[] {
  return pids.filter((pid) => processEntry(pid));
}

async function connected(cells: TestCells): Promise<{ cell: number; browser: number; all: number[] }> {
  const { cell, ask } = await cells.start();
  const { socketPath, started } = await cells.processes.startBrowser(cell, { proxyPort: 9 });
  await ask('connect', { socketPath, pageHalf: false });
  await ask('evaluate', '1');
  return { cell: cell.pid, browser: await started, all: [...tree(cell.pid), ...tree(await started)] };
}

describe('when the host is killed', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map(removeFolder)));

  /** A host of its own process; it prints what it has started. */
  async function host(rest = ''): Promise<{
    readonly process: ReturnType<typeof spawn>;
    readonly pids: { launcher: number; cell: number; browser: number };
    readonly dataDir: string;
  }> {
    const dataDir = await dataFolder();
    folders.push(dataDir);
    const script = `
      const { openCells } = await import(${JSON.stringify(path.join(import.meta.dirname, 'fixture.ts'))});
      const cells = await openCells({ dataDir: ${JSON.stringify(dataDir)} });
      const { cell, ask } = await cells.start();
      const { socketPath, started } = await cells.processes.startBrowser(cell, { proxyPort: 9 });
      await ask('connect', { socketPath, pageHalf: false });
      await ask('evaluate', '1');
      console.log(JSON.stringify({ launcher: cells.processes.launcherPid, cell: cell.pid, browser: await started }));
      ${rest}
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]; // readline gives text
    return { process: child, pids: JSON.parse(line) as { launcher: number; cell: number; browser: number }, dataDir };
  }

  it('no launcher, cell or Chromium is left, nor a folder', async () => {
    const { process: child, pids, dataDir } = await host();
    const all = [pids.launcher, ...tree(pids.cell), ...tree(pids.browser)];
    expect(all.length).toBeGreaterThan(5);
    child.kill('SIGKILL');
    await expect.poll(() => running(all), { timeout: GONE_MS, interval: 20 }).toEqual([]);
    for (const name of ['profiles', 'cells', 'records'])
      expect(readdirSync(path.join(dataDir, 'surrogates', name))).toEqual([]);
  });

  it('a cell that does not look at its link ends all the same', async () => {
    const { process: child, pids } = await host(`void ask('spin').catch(() => undefined);`);
    await delay(300);
    child.kill('SIGKILL');
    await expect.poll(() => running(Object.values(pids)), { timeout: GONE_MS, interval: 20 }).toEqual([]);
  });
});

describe('when the launcher is killed', () => {
  it('cells and browsers end, the host is told, and the next launcher removes what is left', async () => {
    const cells = await openCells();
    const { cell } = await cells.start();
    const { cell: other, browser, all } = await connected(cells);
    const browsing = await cells.processes.startBrowser(cell, { proxyPort: 9 });
    process.kill(cells.processes.launcherPid, 'SIGKILL');
    expect(await cells.processes.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await cell.exited).toMatchObject({ reason: 'launcher-ended' });
    expect(await browsing.exited).toMatchObject({ reason: 'launcher-ended' });
    expect(all).toEqual(expect.arrayContaining([other, browser]));
    await expect.poll(() => running([cell.pid, ...all]), { timeout: GONE_MS, interval: 20 }).toEqual([]);
    await expect(cells.processes.startCell()).rejects.toMatchObject({ code: 'launcher-ended' });
    await cells.processes.close();

    const again = await openCells({ dataDir: cells.dataDir });
    expect(again.processes.swept).toBeGreaterThan(3);
    expect(left(cells.dataDir).filter((name) => !name.startsWith('record'))).toEqual([]);
    await again.start();
    await again.close();
  });

  it('cells end though they are stopped', async () => {
    const cells = await openCells();
    const { cell } = await cells.start();
    process.kill(cell.pid, 'SIGSTOP');
    process.kill(cells.processes.launcherPid, 'SIGKILL');
    await expect.poll(() => running([cell.pid]), { timeout: GONE_MS, interval: 20 }).toEqual([]);
    await cells.close();
  });
});

/** Names in the folders of a data folder. */
function left(dataDir: string): string[] {
  return ['profiles', 'cells', 'records'].flatMap((name) =>
    readdirSync(path.join(dataDir, 'surrogates', name)).map((file) => `${name}/${file}`),
  );
}

describe('cell processes that are closed', () => {
  it('leave no process, folder, group or claim behind', async () => {
    const cells = await openCells();
    const { cell, all } = await connected(cells);
    const membership = readFileSync(`/proc/${cell}/cgroup`, 'utf8');
    const uid = processEntry(cell)?.uids[0] ?? 0;
    const pids = [...all, cells.processes.launcherPid];
    await cells.processes.close();
    expect(running(pids)).toEqual([]);
    expect(left(cells.dataDir)).toEqual([]);
    const { memory } = cells.processes.limits;
    if (memory !== 'statm') {
      const [group = ''] = /\/[^\n]*vitrine-\d+-\d+/.exec(membership) ?? [];
      expect(group).not.toBe('');
      const roots = readdirSync('/sys/fs/cgroup').map((name) => path.join('/sys/fs/cgroup', name));
      expect([...roots, '/sys/fs/cgroup'].filter((root) => existsSync(path.join(root, group)))).toEqual([]);
    }
    if (isRoot) expect(existsSync(`/run/vitrine-uids/${uid}`)).toBe(false);
    await removeFolder(cells.dataDir);
  });

  it('can be closed while a cell is being started', async () => {
    const cells = await openCells();
    const starting = cells.processes.startCell();
    const outcome = expect(starting).rejects.toMatchObject({
      code: expect.stringMatching(/^(launcher-ended|cell-launch-failed)$/) as string,
    });
    await cells.processes.close();
    await outcome;
    expect(left(cells.dataDir)).toEqual([]);
    await removeFolder(cells.dataDir);
  });
});
