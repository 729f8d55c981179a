import { link, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiskWatch, sizeOf } from '../limits/disk-watch.ts';
import { defaultLimits } from '../limits/limit-values.ts';
import { openCells } from './fixture.ts';

const MIB = 1024 * 1024;

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(os.tmpdir(), 'vitrine-disk-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('[M3] the size of a folder', () => {
  it('is that of all files below it, and of no file that a link leads to', async () => {
    const [profile, other] = [await folder(), await folder()];
    await mkdir(path.join(profile, 'a/b/c'), { recursive: true });
    await writeFile(path.join(profile, 'a/b/c/file'), Buffer.alloc(3 * MIB, 1));
    await writeFile(path.join(other, 'large'), Buffer.alloc(20 * MIB, 1));
    await symlink(other, path.join(profile, 'a/folder'));
    await symlink(path.join(other, 'large'), path.join(profile, 'a/file'));
    await symlink('..', path.join(profile, 'a/loop'));
    const size = await sizeOf(profile, 100 * MIB);
    expect(size).toBeGreaterThanOrEqual(3 * MIB);
    expect(size).toBeLessThan(4 * MIB);
    expect(await sizeOf(path.join(profile, 'missing'), 1)).toBe(0);
  });

  it('counts empty files, and stops to count past the limit', async () => {
    const profile = await folder();
    const first = path.join(profile, 'file');
    await writeFile(first, '');
    // Names of one file take room of their own.
    for (let at = 0; at < 2000; at++) await link(first, path.join(profile, `name${at}`));
    expect(await sizeOf(profile, 100 * MIB)).toBe(2001 * 4096);
    expect(await sizeOf(profile, MIB)).toBeLessThan(2 * MIB);
  });

  it('is watched until it is past the limit', async () => {
    const profile = await folder();
    const watch = new DiskWatch(10);
    onTestFinished(() => watch.close());
    const ended = Promise.withResolvers<undefined>();
    watch.watch(profile, 2 * MIB, () => ended.resolve(undefined));
    await writeFile(path.join(profile, 'file'), Buffer.alloc(3 * MIB, 1));
    await ended.promise;
  });

  it('is found past the limit also where it does not grow by itself', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const profile = await folder();
    const watch = new DiskWatch(10);
    onTestFinished(() => watch.close());
    const ended = Promise.withResolvers<undefined>();
    watch.watch(profile, 2 * MIB, () => ended.resolve(undefined));
    const first = path.join(profile, 'file');
    await writeFile(first, '');
    await delay(100);
    // Names of one file take nothing of the file system.
    for (let at = 0; at < 1000; at++) await link(first, path.join(profile, `name${at}`));
    vi.advanceTimersByTime(10_000);
    await ended.promise;
  });
});

it('[M3] ends a browser whose profile is past its size, and not its cell', async () => {
  const cells = await openCells({ limits: { ...defaultLimits(), profileBytes: 64 * MIB } });
  onTestFinished(() => cells.close());
  const { cell, ask } = await cells.start();
  const browser = await cells.processes.startBrowser(cell, { proxyPort: 9 });
  await ask('connect', { socketPath: browser.socketPath, pageHalf: false });
  const profiles = path.join(cells.dataDir, 'surrogates/profiles');
  const [profile = ''] = await readdir(profiles);
  expect(await ask('evaluate', '1 + 1')).toBe(2);
  await writeFile(path.join(profiles, profile, 'large'), Buffer.alloc(80 * MIB, 1));
  expect(await browser.exited).toMatchObject({ reason: 'disk' });
  await expect.poll(() => readdir(profiles)).toEqual([]);
  expect(await ask('about')).toBeDefined();
});
