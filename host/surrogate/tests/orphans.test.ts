import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { surrogateFolders, type SurrogateFolders } from '../folders.ts';
import { sweepOrphans } from '../orphans.ts';
import { processIdentity } from '../process-identity.ts';
import { recordSurrogate } from '../records.ts';
import { runAs } from '../unprivileged.ts';
import { CHROMIUM, dataFolder, removeFolder } from './fixture.ts';

describe('sweepOrphans', () => {
  let dataDir: string;
  let folders: SurrogateFolders;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    dataDir = await dataFolder();
    folders = surrogateFolders(dataDir, runAs());
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await removeFolder(dataDir);
  });

  const deadHost = 'another-boot:1234:5678';
  /** A process that hangs like an orphan, and a host's record of it. */
  const orphan = (overrides: object = {}): { child: ChildProcess; profileDir: string } => {
    const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
    children.push(child);
    const profileDir = path.join(folders.profiles, 'profile');
    mkdirSync(profileDir);
    writeFileSync(path.join(profileDir, 'Cookies'), 'x');
    const entry = {
      host: deadHost,
      surrogate: processIdentity(child.pid ?? 0),
      profileDir,
      throwAway: true,
      ...overrides,
    };
    writeFileSync(path.join(folders.records, 'record.json'), JSON.stringify(entry));
    return { child, profileDir };
  };

  it('kills surrogates of a dead host and removes their profiles', async () => {
    const { child, profileDir } = orphan();
    const exit = once(child, 'exit');
    expect(await sweepOrphans(dataDir)).toBe(1);
    expect((await exit)[1]).toBe('SIGKILL');
    expect(existsSync(profileDir)).toBe(false);
    expect(readdirSync(folders.records)).toEqual([]);
    expect(await sweepOrphans(dataDir)).toBe(0);
  });

  it('leaves a process that merely has the id of an old surrogate', async () => {
    const { child, profileDir } = orphan();
    const [boot, pid, start] = (processIdentity(child.pid ?? 0) ?? '').split(':');
    const entry = { host: deadHost, surrogate: `${boot}:${pid}:${Number(start) - 1}`, profileDir, throwAway: true };
    writeFileSync(path.join(folders.records, 'record.json'), JSON.stringify(entry));
    expect(await sweepOrphans(dataDir)).toBe(1);
    expect(processIdentity(child.pid ?? 0)).toBeDefined();
    expect(existsSync(profileDir)).toBe(false);
  });

  it('leaves the surrogates of a running host', async () => {
    const { child, profileDir } = orphan({ host: processIdentity(process.pid) });
    expect(await sweepOrphans(dataDir)).toBe(0);
    expect(processIdentity(child.pid ?? 0)).toBeDefined();
    expect(existsSync(profileDir)).toBe(true);
  });

  it('keeps a permanent profile, and drops a truncated record', async () => {
    const { profileDir } = orphan({ throwAway: false });
    writeFileSync(path.join(folders.records, 'half.json.new'), '{"host":');
    await sweepOrphans(dataDir);
    expect(existsSync(profileDir)).toBe(true);
    expect(readdirSync(folders.records)).toEqual([]);
  });

  it('cleans up after a killed host and its Chromium', async () => {
    const script = `
      const { launchChromium } = await import(${JSON.stringify(path.join(import.meta.dirname, '../launch.ts'))});
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const { pid } = await launchChromium({ executable: ${JSON.stringify(CHROMIUM)}, dataDir: ${JSON.stringify(dataDir)}, proxyPort: 9, log });
      console.log(pid);
    `;
    const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(host);
    const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string]; // readline gives text
    expect(processIdentity(Number(line))).toBeDefined();
    const exit = once(host, 'exit');
    host.kill('SIGKILL');
    await exit;
    expect(readdirSync(folders.profiles)).toHaveLength(1);
    expect(await sweepOrphans(dataDir)).toBe(1);
    expect(processIdentity(Number(line))).toBeUndefined();
    expect(readdirSync(folders.profiles)).toEqual([]);
  });

  it('removes the profile of a surrogate that was still being started', async () => {
    const { child, profileDir } = orphan({ surrogate: undefined });
    expect(await sweepOrphans(dataDir)).toBe(1);
    expect(existsSync(profileDir)).toBe(false);
    expect(processIdentity(child.pid ?? 0)).toBeDefined();
  });

  it('has a record of each surrogate from before it exists until it is removed', async () => {
    const record = await recordSurrogate(folders.records, {
      profileDir: path.join(folders.profiles, 'new'),
      throwAway: true,
    });
    expect(readdirSync(folders.records)).toHaveLength(1);
    expect(await sweepOrphans(dataDir)).toBe(0);
    await record.remove();
    expect(readdirSync(folders.records)).toEqual([]);
  });
});
