import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unprivileged } from '../../surrogate/unprivileged.ts';
import type { RunAs } from '../../surrogate/unprivileged.ts';
import { makeExchange } from '../exchange-folder.ts';
import { ServiceStorage } from '../service-storage.ts';
import { isRoot } from './fixture.ts';

/** Not the range that other tests' launchers use. */
const RANGE = { first: 60_508, last: 60_515 };
const [CELL, BROWSER, OTHER] = [60_508, 60_509, 60_510].map((uid) => ({ uid, gid: uid }));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-folders-'));
  chmodSync(folder, 0o711);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const can = (user: RunAs, command: string): boolean => {
  const [program = '', ...args] = unprivileged(['sh', '-c', command], user);
  return spawnSync(program, args, { cwd: '/' }).status === 0;
};

describe.runIf(isRoot)('the folders of a cell and its browser', () => {
  it('let each of them write into its own and read that of the other, and nobody else in', async () => {
    const { down, up } = await makeExchange(path.join(folder, 'x'), { cell: CELL!, browser: BROWSER! });
    expect(can(BROWSER!, `umask 022; echo bytes > ${down}/a`)).toBe(true);
    expect(can(CELL!, `cat ${down}/a`)).toBe(true);
    expect(can(CELL!, `umask 027; mkdir ${up}/f; echo bytes > ${up}/f/b`)).toBe(true);
    expect(can(BROWSER!, `cat ${up}/f/b`)).toBe(true);
    expect(can(BROWSER!, `echo x > ${up}/f/b || echo x > ${up}/c || rm -rf ${up}/f`)).toBe(false);
    for (const command of [`cat ${down}/a`, `ls ${down}`, `cat ${up}/f/b`, `ls ${up}`])
      expect(can(OTHER!, command), command).toBe(false);
    expect(can(CELL!, `rm ${down}/a`)).toBe(true);
  });
});

describe('the folder of a service', () => {
  it('keeps its files for the next process', async () => {
    const storage = new ServiceStorage(folder, RANGE);
    const first = await storage.open('things', undefined);
    expect(first.folder).toBe(path.join(folder, 'services/things'));
    writeFileSync(path.join(first.folder, 'a'), 'bytes');
    const second = storage.open('things', undefined); // waits until the first one has ended
    let isOpen = false;
    void second.then(() => (isOpen = true));
    await Promise.resolve();
    expect(isOpen).toBe(false);
    await first.close();
    expect(readdirSync((await second).folder)).toEqual(['a']);
  });

  it.runIf(isRoot)('is given to the user of its process with its own files alone', async () => {
    const storage = new ServiceStorage(folder, RANGE);
    const home = path.join(folder, 'services/things');
    mkdirSync(path.join(home, 'inner'), { recursive: true });
    writeFileSync(path.join(folder, 'secret'), 'of root');
    writeFileSync(path.join(home, 'own'), 'bytes');
    symlinkSync(path.join(folder, 'secret'), path.join(home, 'soft'));
    linkSync(path.join(folder, 'secret'), path.join(home, 'hard'));
    writeFileSync(path.join(home, 'foreign'), 'bytes');
    spawnSync('chown', ['1:1', path.join(home, 'foreign')]);
    const { close } = await storage.open('things', CELL);
    expect(readdirSync(home)).toEqual(['own']);
    chmodSync(path.dirname(home), 0o711); // it is closed: the launcher opens the folder before it gives up its rights
    expect(can(CELL!, `cd ${home} && cat own && echo more > other`)).toBe(true);
    expect(can(OTHER!, `ls ${home}`)).toBe(false);
    expect(lstatSync(path.join(folder, 'secret')).uid).toBe(0);
    await close();
    expect(can(CELL!, `ls ${home}`)).toBe(false);
    const again = await storage.open('things', OTHER);
    expect(can(OTHER!, `cd ${home} && cat own other`)).toBe(true);
    await again.close();
    expect(existsSync(path.join(home, 'other'))).toBe(true);
  });
});
