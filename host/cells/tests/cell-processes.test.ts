import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeExtension } from '../../surrogate/tests/fixture.ts';
import { dataFolder } from '../../surrogate/tests/fixture.ts';
import { DEFAULT_UIDS } from '../uid-range.ts';
import { isRoot, openCells, processEntry, type TestCells } from './fixture.ts';

describe('a cell', () => {
  let cells: TestCells;
  beforeAll(async () => {
    const dataDir = await dataFolder();
    process.env['VITRINE_TEST_SECRET'] = 'secret';
    const extensionDir = await writeExtension(path.join(dataDir, 'source'));
    cells = await openCells({ dataDir, extensionDir, cellArgs: ['one', 'two'], cellEnv: { CELL_SETTING: 'x' } });
    delete process.env['VITRINE_TEST_SECRET'];
  });
  afterAll(() => cells.close());

  it('runs in a process and folder of its own, without privileges', async () => {
    const { cell, ask } = await cells.start();
    const about = await ask<{
      uid: number;
      groups: number[];
      env: Record<string, string>;
      argv: string[];
      cwd: string;
    }>('about');
    expect(about.argv.slice(2)).toEqual(['one', 'two']);
    expect(about.env).toMatchObject({ CELL_SETTING: 'x', HOME: about.cwd });
    expect(JSON.stringify(about.env)).not.toContain('secret');
    const folder = lstatSync(about.cwd);
    expect(folder.mode & 0o777).toBe(0o700);
    expect(folder.uid).toBe(about.uid);
    const status = readFileSync(`/proc/${cell.pid}/status`, 'utf8');
    if (isRoot) {
      expect(about.uid).toBeGreaterThanOrEqual(DEFAULT_UIDS.first);
      expect(about.uid).toBeLessThanOrEqual(DEFAULT_UIDS.last);
      expect(status).toMatch(/^Groups:\s*$/m);
      expect(status).toMatch(/^CapBnd:\s+0+$/m);
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    } else {
      expect(about.uid).toBe(process.getuid?.());
    }
    expect(cells.processes.limits.users).toBe(isRoot ? 'range' : 'none');
    await cell.kill();
    expect(await cell.exited).toEqual({ code: null, signal: 'SIGKILL', reason: 'killed' });
    await expect.poll(() => existsSync(about.cwd)).toBe(false);
  });

  it('drives its browser, large messages in both directions', async () => {
    const { cell, ask } = await cells.start();
    const { socketPath, started, exited } = await cells.processes.startBrowser(cell, { proxyPort: 9 });
    const greeting = await ask<{ pid: number; extensionOrigin: string }>('connect', { socketPath, pageHalf: true });
    expect(greeting.pid).toBe(await started);
    expect(greeting.extensionOrigin).toMatch(/^chrome-extension:/);
    await expect.poll(() => existsSync(path.dirname(socketPath))).toBe(false);
    const uid = processEntry(greeting.pid)?.uids[0];
    if (isRoot) expect(uid).toBe((processEntry(cell.pid)?.uids[0] ?? 0) + 1);
    else expect(uid).toBe(process.getuid?.());
    expect(await ask('evaluate', `"${'x'.repeat(10e6)}".length`)).toBe(10e6);
    expect((await ask<string>('evaluate', '"y".repeat(2e7)')).length).toBe(2e7);
    await ask('closeBrowser');
    expect(await exited).toEqual({ code: 0, signal: null });
    await cell.kill();
  });

  it('gets another browser when one has died, and takes its browser with it when it dies', async () => {
    const { cell, ask } = await cells.start();
    const first = await cells.processes.startBrowser(cell, { proxyPort: 9 });
    await expect(cells.processes.startBrowser(cell, { proxyPort: 9 })).rejects.toMatchObject({ code: 'bad-control' });
    await ask('connect', { socketPath: first.socketPath, pageHalf: false });
    await cells.processes.killBrowser(first);
    expect(await first.exited).toMatchObject({ signal: 'SIGKILL', reason: 'killed' });
    expect(await ask('about')).toBeDefined();

    const second = await cells.processes.startBrowser(cell, { proxyPort: 9 });
    await ask('connect', { socketPath: second.socketPath, pageHalf: false });
    const pid = await second.started;
    void ask('exit', 3).catch(() => undefined);
    expect(await cell.exited).toEqual({ code: 3, signal: null });
    // It is killed, or has ended by itself when its pipe was closed.
    expect(await second.exited).toMatchObject({ reason: 'cell-ended' });
    expect(processEntry(pid)).toBeUndefined();
    const { profiles } = { profiles: path.join(cells.dataDir, 'surrogates/profiles') };
    await expect.poll(() => readdirSync(profiles)).toEqual([]);
  });
});
