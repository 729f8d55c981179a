import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFolder, removeFolder } from '../../surrogate/tests/fixture.ts';
import { unprivileged } from '../../surrogate/unprivileged.ts';
import { networkWall } from '../confined-command.ts';
import { decoderPackages, pictureGaps } from '../decoder-packages.ts';
import { decoderModules } from '../programs.ts';
import { DEFAULT_UIDS } from '../uid-range.ts';
import { isRoot, openCells, processEntry, type TestCell, type TestCells } from './fixture.ts';

const run = promisify(execFile);
const someUser = isRoot ? { uid: DEFAULT_UIDS.first, gid: DEFAULT_UIDS.first } : undefined;

interface NetworkOf {
  readonly namespace: string;
  readonly interfaces: readonly string[];
}

describe('a decoder', () => {
  let cells: TestCells;
  let cell: TestCell;
  let decoder: TestCell;
  let other: TestCell;
  beforeAll(async () => {
    cells = await openCells();
    [cell, decoder, other] = await Promise.all([cells.start(), cells.startDecoder(), cells.startDecoder()]);
  });
  afterAll(() => cells.close());

  it('has a user of its own, and reaches nothing of cells, other decoders and the host', async () => {
    const uidOf = async (each: TestCell): Promise<number> => (await each.ask<{ uid: number }>('about')).uid;
    const uids = await Promise.all([cell, decoder, other].map(uidOf));
    // Without root all processes have the host's user, which the report says.
    expect(new Set([...uids, process.getuid?.()]).size).toBe(isRoot ? 4 : 1);
    expect(cells.processes.limits.users).toBe(isRoot ? 'range' : 'none');
    if (!isRoot) return;
    for (const each of [cell, other]) {
      const { cwd } = await each.ask<{ cwd: string }>('about');
      const tries = [
        ['readdir', cwd],
        ['read', `/proc/${each.cell.pid}/environ`],
        ['signal', String(each.cell.pid)],
      ];
      for (const [how, what] of tries) expect(['EACCES', 'EPERM']).toContain(await decoder.ask('reach', { how, what }));
    }
  });

  it('has no network: not that of the host, nor its loopback', async () => {
    const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo; // it listens on TCP
    expect(await cell.ask('dial', port)).toBe('reached');
    const own = readlinkSync('/proc/self/ns/net');
    expect(await cell.ask<NetworkOf>('network')).toMatchObject({ namespace: own });
    const wall = cells.processes.network;
    expect(wall).toBe(networkWall(someUser));
    const asRoot = run('unshare', ['--net', 'true']).then(
      () => 'namespace',
      () => undefined,
    );
    expect(wall).toBe((await asRoot) ?? (wall === 'namespace' ? 'none' : wall));
    const seen = await decoder.ask<NetworkOf>('network');
    if (wall === 'none')
      expect(seen.namespace).toBe(own); // the host warns of it
    else {
      expect(seen.namespace).not.toBe(own);
      expect(seen.interfaces).toEqual(['lo']);
      expect((await other.ask<NetworkOf>('network')).namespace).not.toBe(seen.namespace);
      expect(await decoder.ask('dial', port)).toBe('ENETUNREACH');
    }
    server.close();
  });

  it('has no browser, one socket, and is ended before cells when memory is short', async () => {
    const starting = cells.processes.startBrowser(decoder.cell, { proxyPort: 9 });
    await expect(starting).rejects.toMatchObject({ code: 'bad-control' });
    expect((await decoder.ask<{ sockets: number[] }>('about')).sockets).toEqual([1, 2, 3]);
    expect(readFileSync(`/proc/${decoder.cell.pid}/oom_score_adj`, 'utf8').trim()).toBe('200');
  });

  it('ends past its memory, and with its launcher’s word', async () => {
    const small = await openCells({
      limits: { ...cells.processes.limitValues, decoder: { memoryBytes: 200 * 1024 * 1024, tasks: 64 } },
    });
    const eager = await small.startDecoder();
    void eager.ask('eat', 1e9).catch(() => undefined); // it may answer before it is ended
    expect(await eager.cell.exited).toMatchObject({ reason: 'memory' });
    const killed = await small.startDecoder();
    await killed.cell.kill();
    expect(processEntry(killed.cell.pid)).toBeUndefined();
    await small.close();
  });
});

describe('the wall to the network', () => {
  it('is found again by an ordinary user, where the kernel lets them make namespaces', async () => {
    const script = `
      import { networkWall } from ${JSON.stringify(path.join(import.meta.dirname, '../confined-command.ts'))};
      console.log(networkWall(undefined));`;
    const node = [process.execPath, '--input-type=module-typescript', '-e', script];
    const [program = '', ...args] = unprivileged(node, someUser);
    const { stdout } = await run(program, args, { cwd: '/' });
    const unshare = unprivileged(['unshare', '--user', '--map-current-user', '--net', 'true'], someUser);
    const isAllowed = await run(unshare[0] ?? '', unshare.slice(1), { cwd: '/' }).then(
      () => true,
      () => false,
    );
    expect(stdout.trim()).toBe(isAllowed ? 'user-namespace' : 'none');
  });
});

describe('the packages of decoders', () => {
  const packages = decoderPackages(import.meta.filename);

  it('are found with what they need, and with native code for this system', () => {
    expect(Object.keys(packages.entries)).toEqual(['sharp', 'subset-font']);
    expect(Object.keys(packages.folders)).toEqual(expect.arrayContaining(['sharp', 'detect-libc', 'fontverter']));
    expect(pictureGaps(packages)).toEqual({});
    const rest = Object.entries(packages.folders).filter(([name]) => !name.startsWith('@img/sharp-linux'));
    expect(Object.keys(pictureGaps({ ...packages, folders: Object.fromEntries(rest) }))).toEqual([
      'pictures.reencode',
      'pictures.max_side',
    ]);
    expect(decoderPackages('/nowhere/x.js')).toEqual({ entries: {}, folders: {} });
  });

  it('are copied once to where the users of decoders can read them, and work there', async () => {
    const dataDir = await dataFolder();
    const closed = path.join(dataDir, 'closed');
    for (const [name, folder] of Object.entries(packages.folders))
      cpSync(folder, path.join(closed, 'node_modules', name), { recursive: true });
    chmodSync(closed, 0o700);
    const target = path.join(dataDir, 'programs');
    mkdirSync(target);
    const found = decoderPackages(path.join(closed, 'x.js'));
    const modules = await decoderModules(found, target, someUser);
    if (isRoot) {
      expect(Object.values(modules).every((entry) => entry.startsWith(target))).toBe(true);
      const entry = modules['sharp'] ?? '';
      const { ino } = statSync(entry);
      expect(await decoderModules(found, target, someUser)).toEqual(modules);
      expect(statSync(entry).ino).toBe(ino);
      for (const each of Object.values(modules)) {
        const [program = '', ...args] = unprivileged(
          [process.execPath, '-p', `typeof require(${JSON.stringify(each)})`],
          someUser,
        );
        expect((await run(program, args, { cwd: '/' })).stdout.trim()).toBe('function');
      }
    } else expect(modules).toEqual(found.entries); // the host's user reads them
    await removeFolder(dataDir);
  });
});
