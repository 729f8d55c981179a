import { chmodSync, cpSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFolder, removeFolder } from '../../surrogate/tests/fixture.ts';
import { isRoot, openCells, processEntry, type TestCell, type TestCells } from './fixture.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

describe('between two cells', () => {
  let cells: TestCells;
  let [one, two]: TestCell[] = [];
  beforeAll(async () => {
    cells = await openCells();
    [one, two] = await Promise.all([cells.start(), cells.start()]);
  });
  afterAll(() => cells.close());

  it('files, memory, environment, signals and sockets are inaccessible, also those of the own browser', async () => {
    if (!one || !two) throw new Error('no cells');
    const { cwd } = await two.ask<{ cwd: string }>('about');
    const browser = await cells.processes.startBrowser(two.cell, { proxyPort: 9 });
    const { socketPath } = browser;
    const targets = (pid: number, folder: string): string[][] => [
      ['readdir', folder],
      ['read', `/proc/${pid}/environ`],
      ['read', `/proc/${pid}/mem`],
      ['write', path.join(folder, 'x')],
      ['signal', String(pid)],
    ];
    const reach = (cell: TestCell, tries: string[][]): Promise<string[]> =>
      Promise.all(tries.map(([how, what]) => cell.ask<string>('reach', { how, what })));
    const other = [...targets(two.cell.pid, cwd), ['connect', socketPath]];
    const refused = ['EACCES', 'EPERM'];
    // Without root all processes have the host's user, which the report says.
    if (isRoot) for (const outcome of await reach(one, other)) expect(refused).toContain(outcome);
    else {
      expect(cells.processes.limits.users).toBe('none');
      expect(await one.ask('reach', { how: 'readdir', what: cwd })).toBe('reached');
    }
    await two.ask('connect', { socketPath, pageHalf: false });
    const pid = await browser.started;
    const env = execFileSync('cat', [`/proc/${pid}/environ`], { encoding: 'utf8' }).split('\0');
    const profile = env.find((each) => each.startsWith('HOME='))?.slice(5) ?? '';
    expect(lstatSync(profile).mode & 0o777).toBe(0o700);
    if (isRoot) for (const outcome of await reach(two, targets(pid, profile))) expect(refused).toContain(outcome);
    const records = path.join(cells.dataDir, 'surrogates/records');
    if (isRoot) expect(await reach(one, [['readdir', records]])).toEqual(['EACCES']);
    expect(lstatSync(records).mode & 0o777).toBe(0o700);
  });

  it('a cell has its link and no other socket of the launcher', async () => {
    const about = await one?.ask<{ sockets: number[] }>('about');
    // Its two log outputs, and the link.
    expect(about?.sockets).toEqual([1, 2, 3]);
  });

  it('are ended before the host when the system runs out of memory', () => {
    const score = (pid: number): number => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
    expect(score(one?.cell.pid ?? 0)).toBe(100);
    expect(score(cells.processes.launcherPid)).toBe(score(process.pid));
  });
});

describe('programs that cells cannot read', () => {
  it('are made readable: Node and a program of one file in a folder that only the host can read', async () => {
    const dataDir = await dataFolder();
    const closed = path.join(dataDir, 'closed');
    mkdirSync(closed);
    const node = path.join(closed, 'node');
    cpSync(process.execPath, node);
    const cellEntry = path.join(closed, 'cell.js');
    writeFileSync(
      cellEntry,
      `import net from 'node:net'; new net.Socket({ fd: 3 }).end('I am ' + process.getuid(), () => process.exit());`,
    );
    chmodSync(closed, 0o700);
    const script = `
      const { openCells } = await import(${JSON.stringify(path.join(import.meta.dirname, 'fixture.ts'))});
      const options = { dataDir: ${JSON.stringify(dataDir)}, cellEntry: ${JSON.stringify(cellEntry)} };
      const cells = await openCells(options);
      const cell = await cells.processes.startCell();
      cell.socket.once('data', (chunk) => console.log(String(chunk)));
      cell.socket.resume();
      await cell.exited;
      console.log(cell.stderr.join());
      await cells.processes.close();
    `;
    const out = execFileSync(node, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: PATIENCE_MS,
    });
    // Without root a cell has the host's user, which can read both.
    expect(out).toMatch(isRoot ? /I am 6\d+/ : new RegExp(`I am ${process.getuid?.()}\\b`));
    await removeFolder(dataDir);
  });

  it('are refused when that is not possible: TypeScript, which imports other files', async () => {
    const dataDir = await dataFolder();
    const closed = path.join(dataDir, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const cellEntry = path.join(closed, 'cell.ts');
    writeFileSync(cellEntry, '');
    const opening = openCells({ dataDir, cellEntry });
    if (isRoot) await expect(opening).rejects.toMatchObject({ code: 'launcher-failed' });
    else await (await opening).close();
    await removeFolder(dataDir);
  });
});

describe('a launcher that cannot start', () => {
  it('reports the reason, and leaves no process', async () => {
    const dataDir = await dataFolder();
    const opening = openCells({ dataDir, launcherEntry: path.join(dataDir, 'missing.ts') });
    await expect(opening).rejects.toMatchObject({
      code: 'launcher-failed',
      data: { stderr: expect.stringContaining('missing.ts') as string },
    });
    if (isRoot)
      await expect(openCells({ dataDir, uids: { first: 1, last: 5 } })).rejects.toMatchObject({
        code: 'launcher-failed',
      });
    await removeFolder(dataDir);
  });

  it('leaves nothing behind for a cell whose program fails immediately', async () => {
    const cells = await openCells({ nodeArgs: ['--no-such-flag'] });
    const cell = await cells.processes.startCell();
    expect(await cell.exited).toMatchObject({ code: 9 });
    expect(cell.stderr.join()).toContain('no-such-flag');
    expect(processEntry(cell.pid)).toBeUndefined();
    await cells.close();
  });
});
