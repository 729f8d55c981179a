import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { unprivileged, type RunAs } from '../../surrogate/unprivileged.ts';
import { makeProfile } from '../../surrogate/profile.ts';
import { listenOnce } from '../handover.ts';
import { killUsers } from '../limits/process-table.ts';
import { UidClaims } from '../uid-claims.ts';
import { UidPool } from '../uid-pool.ts';
import { DEFAULT_UIDS, parseUidRange } from '../uid-range.ts';
import { isRoot, processEntry } from './fixture.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

/** Not the range that other tests' launchers use. */
const RANGE = { first: 60_500, last: 60_507 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-uids-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const as = (user: RunAs, command: string): ReturnType<typeof spawnSync> => {
  const [program = '', ...args] = unprivileged(['sh', '-c', command], user);
  return spawnSync(program, args, { cwd: '/' });
};

describe('a range of user ids', () => {
  it('is written FIRST-LAST', () => {
    expect(parseUidRange('60578-61183')).toEqual(DEFAULT_UIDS);
    for (const text of [
      '',
      '5',
      '0-9',
      '999-2000',
      '2000-2000',
      '3000-2000',
      '1000-4294967294',
      '1-2-3',
      '1000-9999999',
    ])
      expect(() => parseUidRange(text)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });
});

describe('claims on user ids', () => {
  const claims = (): UidClaims => new UidClaims(path.join(folder, 'claims'));

  it('are held by one launcher at a time', () => {
    expect(claims().take(60_500)).toBe(true);
    expect(claims().take(60_500)).toBe(false);
    expect(claims().takeStale()).toEqual([]);
    claims().release(60_500);
    expect(claims().take(60_500)).toBe(true);
  });

  it('of launchers that are gone are taken over, once', () => {
    const own = claims();
    writeFileSync(path.join(folder, 'claims/60501'), 'another-boot:1234:5678');
    expect(own.take(60_501)).toBe(false);
    expect(own.takeStale()).toEqual([60_501]);
    expect(claims().takeStale()).toEqual([]);
    expect(readdirSync(path.join(folder, 'claims'))).toEqual(['60501']);
  });

  it('are kept where nobody else writes', () => {
    claims();
    expect(lstatSync(path.join(folder, 'claims')).mode & 0o777).toBe(0o700);
  });
});

if (isRoot) {
  describe('pairs of user ids', () => {
    const pool = (range = RANGE): UidPool => {
      const files = path.join(folder, 'files');
      mkdirSync(files, { recursive: true, mode: 0o777 });
      return new UidPool({ range, folders: [files], claims: new UidClaims(path.join(folder, 'claims')) });
    };

    it('are given once each, until there are none', async () => {
      const users = pool();
      const pairs = [0, 1, 2, 3].map(() => users.take());
      expect(new Set(pairs.flatMap(({ cell, browser }) => [cell.uid, browser.uid])).size).toBe(8);
      expect(() => users.take()).toThrow(expect.objectContaining({ code: 'uids-exhausted', retryable: true }));
      const [first, second] = pairs;
      if (first) await users.release(first);
      expect(users.take()).toEqual(first);
      expect(second?.browser.gid).toBe(second?.browser.uid);
    });

    it('[S-115] are given once another launcher has let go of either user id', () => {
      const others = new UidClaims(path.join(folder, 'claims'));
      const users = pool({ first: RANGE.first, last: RANGE.first + 1 });
      for (const taken of [RANGE.first + 1, RANGE.first]) {
        expect(others.take(taken)).toBe(true);
        expect(() => users.take()).toThrow(expect.objectContaining({ code: 'uids-exhausted' }));
        others.release(taken);
      }
      expect(users.take().cell.uid).toBe(RANGE.first);
    });

    it('are not given while somebody runs as them', async () => {
      const user = { uid: RANGE.first + 1, gid: RANGE.first + 1 };
      const [program = '', ...args] = unprivileged(['sleep', '60'], user);
      const child = spawn(program, args, { stdio: 'ignore' });
      await expect.poll(() => processEntry(child.pid ?? 0)?.uids[0]).toBe(user.uid);
      expect(pool().take().cell.uid).toBe(RANGE.first + 2);
      child.kill('SIGKILL');
    });

    it('lose every process and file before they are given again', async () => {
      const users = pool();
      const pair = users.take();
      const mark = path.basename(folder);
      as(
        pair.browser,
        `mkdir /tmp/${mark}-b && touch /tmp/${mark}-b/x /dev/shm/${mark}; setsid sleep 60 >/dev/null 2>&1 &`,
      );
      const foreign = path.join(folder, 'kept');
      writeFileSync(foreign, '');
      as(pair.cell, `ln -s ${foreign} /tmp/${mark}-c`);
      expect(lstatSync(`/tmp/${mark}-b/x`).uid).toBe(pair.browser.uid);
      await users.release(pair);
      expect(await killUsers([pair.browser.uid], 0)).toBe(true);
      for (const file of [`/tmp/${mark}-b`, `/dev/shm/${mark}`, `/tmp/${mark}-c`]) expect(existsSync(file)).toBe(false);
      expect(existsSync(foreign)).toBe(true);
    });

    it('of a dead launcher are swept: its processes end, and the pair is free again', async () => {
      mkdirSync(path.join(folder, 'claims'), { mode: 0o700 });
      for (const uid of [RANGE.first, RANGE.first + 1])
        writeFileSync(path.join(folder, 'claims', String(uid)), 'another-boot:1234:5678');
      const user = { uid: RANGE.first, gid: RANGE.first };
      const [program = '', ...args] = unprivileged(['sleep', '60'], user);
      const child = spawn(program, args, { stdio: 'ignore' });
      const exit = once(child, 'exit');
      await expect.poll(() => processEntry(child.pid ?? 0)?.uids[0]).toBe(user.uid);
      const users = pool();
      expect(await users.sweep()).toBe(2);
      expect((await exit)[1]).toBe('SIGKILL');
      expect(users.take().cell.uid).toBe(RANGE.first);
    });

    it('of a dead launcher are swept one by one where something is left of one', async () => {
      const claims = path.join(folder, 'claims');
      mkdirSync(claims, { mode: 0o700 });
      const stale = [RANGE.first, RANGE.first + 1, RANGE.first + 2, RANGE.first + 3];
      for (const uid of stale) writeFileSync(path.join(claims, String(uid)), 'another-boot:1234:5678');
      // Shared memory, which nothing of ours removes.
      const held = { uid: RANGE.first, gid: RANGE.first };
      const made = String(as(held, 'ipcmk -M 1').stdout);
      const id = /\d+/.exec(made)?.[0] ?? '';
      const users = pool();
      try {
        expect(await users.sweep()).toBe(4);
        await expect.poll(() => readdirSync(claims)).toEqual([String(RANGE.first)]);
        expect(users.take().cell.uid).toBe(RANGE.first + 2);
      } finally {
        users.close();
        as(held, `ipcrm -m ${id}`);
      }
    });

    it('[S-115] whose release the disk refuses hold up no others, and are released later', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const told = vi.spyOn(console, 'error').mockReturnValue(undefined);
      onTestFinished(() => told.mockRestore());
      let refused: number | undefined = RANGE.first;
      class FaultyClaims extends UidClaims {
        override release(uid: number): void {
          if (uid === refused) throw new Error('read-only file system');
          super.release(uid);
        }
      }
      const folders = [path.join(folder, 'files')];
      mkdirSync(folders[0] ?? '');
      const claims = new FaultyClaims(path.join(folder, 'claims'));
      const users = new UidPool({ range: { first: RANGE.first, last: RANGE.first + 3 }, folders, claims });
      const pairs = [users.take(), users.take()];
      for (const pair of pairs) await users.release(pair);
      expect(told).toHaveBeenCalledOnce();
      expect(users.take()).toEqual(pairs[1]);
      expect(() => users.take()).toThrow(expect.objectContaining({ code: 'uids-exhausted' }));
      refused = undefined;
      vi.runOnlyPendingTimers();
      await expect.poll(() => readdirSync(path.join(folder, 'claims'))).not.toContain(String(RANGE.first));
      expect(users.take()).toEqual(pairs[0]);
    });

    it('are refused where the system knows their users', () => {
      const nobody = Number(/^nobody:[^:]*:(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1]);
      expect(() => pool({ first: nobody - 1, last: nobody + 1 })).toThrow(
        expect.objectContaining({ code: 'launcher-failed', message: expect.stringContaining('nobody') as string }),
      );
    });

    it('lets only the one user connect to a socket, and make nothing beside it', async () => {
      const sockets = path.join(folder, 'sockets');
      mkdirSync(sockets, { mode: 0o711 });
      rmSync(path.join(folder, 'claims'), { recursive: true, force: true });
      spawnSync('chmod', ['711', folder]);
      const user = { uid: RANGE.first, gid: RANGE.first };
      const other = { uid: RANGE.first + 2, gid: RANGE.first + 2 };
      const { socketPath, connection } = await listenOnce(sockets, user, PATIENCE_MS);
      const script = `require('net').connect('${socketPath}').on('connect', () => process.exit(0)).on('error', (e) => { console.log(e.code); process.exit(1) })`;
      const connect = (who: RunAs): unknown => as(who, `'${process.execPath}' -e "${script}"`).status;
      expect(connect(other)).toBe(1);
      expect(as(user, `touch ${path.dirname(socketPath)}/x`).status).not.toBe(0);
      expect(as(user, `ls ${path.dirname(socketPath)}`).status).not.toBe(0);
      expect(connect(user)).toBe(0);
      (await connection).destroy();
    });

    it('makes nothing as root in a profile that has been given away', async () => {
      const user = { uid: RANGE.first, gid: RANGE.first };
      spawnSync('chmod', ['711', folder]);
      const profile = path.join(folder, 'p');
      await makeProfile(profile, user);
      expect(lstatSync(path.join(profile, 'Default/Preferences')).uid).toBe(user.uid);
      // Links where root would write, if it did.
      const target = path.join(folder, 'target');
      mkdirSync(target);
      as(
        user,
        `rm -rf ${profile}/Default ${profile}/tmp; ln -s ${target} ${profile}/Default; ln -s ${target}/new ${profile}/tmp`,
      );
      await makeProfile(profile, user).catch(() => undefined);
      expect(readdirSync(target)).toEqual([]);
      await expect(makeProfile(profile, { uid: user.uid + 2, gid: user.gid + 2 })).rejects.toMatchObject({
        code: 'surrogate-launch-failed',
      });
    });
  });
} else {
  describe('without root', () => {
    it('there are no pairs: nobody else’s rights can be taken on', () => {
      const claims = new UidClaims(path.join(folder, 'claims'));
      expect(() => new UidPool({ range: RANGE, folders: [], claims })).toThrow(
        expect.objectContaining({ code: 'launcher-failed' }),
      );
    });
  });
}

describe('a socket that is listened to once', () => {
  it('hands on its first connection unread, refuses the second, and is gone', async () => {
    const { socketPath, connection } = await listenOnce(folder, undefined, PATIENCE_MS);
    const [first, second] = [net.connect(socketPath), net.connect(socketPath)];
    second.on('error', () => undefined).resume();
    const refused = new Promise((resolve) => void second.once('close', resolve));
    first.write('early');
    const accepted = await connection;
    await expect.poll(() => existsSync(path.dirname(socketPath))).toBe(false);
    await refused;
    expect(accepted.bytesRead).toBe(0);
    const [chunk] = (await once(accepted.resume(), 'data')) as [Buffer];
    expect(chunk.toString()).toBe('early');
    accepted.destroy();
    first.destroy();
  });

  it('is gone when nobody connects in time, or it is cancelled', async () => {
    const late = await listenOnce(folder, undefined, 50);
    await expect(late.connection).rejects.toMatchObject({ code: 'not-connected' });
    const cancelled = await listenOnce(folder, undefined, 60_000);
    cancelled.cancel();
    await expect(cancelled.connection).rejects.toMatchObject({ code: 'not-connected' });
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });
});
