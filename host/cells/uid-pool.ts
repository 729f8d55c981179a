import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { promisify } from 'node:util';
import { AppError } from '../../core/protocol/errors.ts';
import { unprivileged, type RunAs } from '../surrogate/unprivileged.ts';
import { killUsers, processTable } from './limits/process-table.ts';
import { UidClaims } from './uid-claims.ts';
import { isUidRange, type UidRange } from './uid-range.ts';

const run = promisify(execFile);

/** Time to look for files of a user. Past it the user id waits for the next try. */
const FIND_DEADLINE_MS = 20_000;
/** Delay before a user id that something was left of is tried again. */
const RETRY_MS = 30_000;
const MAX_FOUND_BYTES = 1024 * 1024;

/** The two users of a cell: neither can read, trace or signal what is the other's. */
export interface UidPair {
  readonly cell: RunAs;
  readonly browser: RunAs;
}

interface UidPoolOptions {
  readonly range: UidRange;
  /** Folders where users of the range may have left files, beside the system's temporary ones. */
  readonly folders: readonly string[];
  readonly claims?: UidClaims;
}

/** Pairs of user ids for cells, from a range. A pair is given again only once no process and no file of it is left. */
export class UidPool {
  readonly #claims: UidClaims;
  readonly #folders: readonly string[];
  /** Pairs by their first id; the one that was free for the longest comes first. */
  readonly #free: number[];
  #isClosed = false;
  /** Pairs whose cells have ended, to be cleared. */
  readonly #ended = new Set<UidPair>();
  #clearing: Promise<void> | undefined;
  readonly #retries = new Set<NodeJS.Timeout>();

  /** @throws AppError `launcher-failed` when users of the range are known to the system, or cannot be taken on. */
  constructor({ range, folders, claims }: UidPoolOptions) {
    assertUsable(range);
    this.#claims = claims ?? new UidClaims();
    this.#folders = [...folders, '/tmp', '/var/tmp', '/dev/shm', os.tmpdir()];
    this.#free = [];
    for (let uid = range.first; uid + 1 <= range.last; uid += 2) this.#free.push(uid);
  }

  /** Ends what dead launchers have left under any user id, and removes its files. @returns the number of user ids. */
  async sweep(): Promise<number> {
    const stale = this.#claims.takeStale();
    const left = stale.length === 0 ? [] : await this.#leftOf(stale);
    if (left.length > 0) void this.#sweepEach(left); // what is left of one holds up neither the others nor the start
    return stale.length;
  }

  /** Clears and releases user ids. @returns those that stay claimed */
  async #leftOf(uids: readonly number[]): Promise<readonly number[]> {
    return (await this.#clear(uids)) ? uids.filter((uid) => !this.#isReleased(uid)) : uids;
  }

  async #sweepEach(uids: readonly number[]): Promise<void> {
    const left: number[] = [];
    for (const uid of uids) if (!this.#isClosed) left.push(...(await this.#leftOf([uid])));
    if (left.length > 0) this.#later(() => void this.#sweepEach(left));
  }

  /** @throws AppError `uids-exhausted`, retryable */
  take(): UidPair {
    const busy = new Set(processTable().flatMap(({ uids }) => uids));
    for (let tried = this.#free.length; tried > 0; tried--) {
      const uid = this.#free.shift();
      if (uid === undefined) break;
      if (!busy.has(uid) && !busy.has(uid + 1) && this.#claim(uid))
        return { cell: { uid, gid: uid }, browser: { uid: uid + 1, gid: uid + 1 } };
      this.#free.push(uid);
    }
    throw new AppError('uids-exhausted', 'No pair of user ids is free: widen --cell-uids.', { retryable: true });
  }

  /** Ends every process of a pair and removes its files. Then, or once that has succeeded later, the pair may be taken again. */
  release(pair: UidPair): Promise<void> {
    this.#ended.add(pair);
    // One search serves all that have ended meanwhile.
    this.#clearing ??= this.#clearEnded();
    return this.#clearing;
  }

  async #clearEnded(): Promise<void> {
    while (this.#ended.size > 0) {
      const pairs = [...this.#ended];
      this.#ended.clear();
      if (await this.#freed(pairs)) continue;
      // Something is left of one: it does not hold up the others.
      for (const pair of pairs) if (!(await this.#freed([pair]))) this.#retryLater(pair);
    }
    this.#clearing = undefined;
  }

  async #freed(pairs: readonly UidPair[]): Promise<boolean> {
    const uids = pairs.flatMap(({ cell, browser }) => [cell.uid, browser.uid]);
    if (this.#isClosed) {
      await killUsers(uids);
      return true; // the claims stay: the next launcher finds that their holder is gone
    }
    if (!(await this.#clear(uids))) return false;
    for (const pair of pairs) {
      // The first id last: nobody else takes the pair as long as it is claimed.
      if (this.#isReleased(pair.browser.uid) && this.#isReleased(pair.cell.uid)) this.#free.push(pair.cell.uid);
      else this.#retryLater(pair);
    }
    return true;
  }

  /** Gives a claim back; false where the disk does not let it go now. */
  #isReleased(uid: number): boolean {
    try {
      this.#claims.release(uid);
      return true;
    } catch (thrown) {
      console.error('launcher: a user id was not released:', thrown);
      return false;
    }
  }

  #retryLater(pair: UidPair): void {
    this.#later(() => void this.release(pair));
  }

  #later(run: () => void): void {
    if (this.#isClosed) return;
    const retry = setTimeout(() => {
      this.#retries.delete(retry);
      run();
    }, RETRY_MS).unref();
    this.#retries.add(retry);
  }

  /** From now on pairs are not given again. */
  close(): void {
    this.#isClosed = true;
    for (const retry of this.#retries) clearTimeout(retry);
  }

  #claim(uid: number): boolean {
    if (!this.#claims.take(uid)) return false;
    if (this.#claims.take(uid + 1)) return true;
    this.#claims.release(uid);
    return false;
  }

  async #clear(uids: readonly number[]): Promise<boolean> {
    if (!(await killUsers(uids))) return false;
    if (hasIpc(uids)) return false;
    const folders = [...new Set(this.#folders)];
    const owned = uids.flatMap((uid, at) => [...(at === 0 ? [] : ['-o']), '-uid', String(uid)]);
    const find = async (action: readonly string[]): Promise<string | undefined> => {
      const args = [...folders, '-xdev', '-depth', '(', ...owned, ')', ...action];
      try {
        return (await run('find', args, { timeout: FIND_DEADLINE_MS, maxBuffer: MAX_FOUND_BYTES, cwd: '/' })).stdout;
      } catch (thrown) {
        // It complains of what others remove meanwhile.
        const { stdout, killed } = thrown as { readonly stdout?: string; readonly killed?: boolean }; // of `execFile`
        return killed || stdout ? 'left' : undefined;
      }
    };
    // `find` follows no link, neither where it looks nor where it removes. Without a complaint everything is removed.
    return (await find(['-delete'])) === '' || !(await find(['-print', '-quit']));
  }
}

/** Shared memory, semaphores and message queues outlive processes. */
function hasIpc(uids: readonly number[]): boolean {
  return ['shm', 'sem', 'msg'].some((kind) => {
    let lines: string[];
    try {
      lines = readFileSync(`/proc/sysvipc/${kind}`, 'utf8').trim().split('\n');
    } catch {
      return false;
    }
    const [head = '', ...rows] = lines;
    const column = head.trim().split(/ +/).indexOf('uid');
    return rows.some((row) => uids.includes(Number(row.trim().split(/ +/)[column])));
  });
}

function assertUsable(range: UidRange): void {
  const fail = (why: string): never => {
    throw new AppError('launcher-failed', `User ids ${range.first}-${range.last} cannot be used for cells: ${why}`);
  };
  if (!isUidRange(range)) fail('no range.');
  for (const file of ['/etc/passwd', '/etc/group']) {
    for (const line of readLines(file)) {
      const [name = '', , id] = line.split(':');
      if (id && Number(id) >= range.first && Number(id) <= range.last) fail(`${file} has ${name} (${id}) there.`);
    }
  }
  for (const uid of [range.first, range.last]) {
    const [program = '', ...args] = unprivileged(['true'], { uid, gid: uid });
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd: '/', timeout: 10_000 });
    if (status !== 0) fail(error?.message ?? stderr.trim());
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
