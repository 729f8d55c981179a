import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '../../core/protocol/errors.ts';
import { processIdentity, runningPid } from '../surrogate/process-identity.ts';

/** Claims on user ids, one file each, shared by all launchers of the machine. Only root creates them. */
export class UidClaims {
  readonly #folder: string;
  readonly #self: string;

  /**
   * @param folder folder of the claims; the default is the same for all launchers. @throws AppError `launcher-failed`
   * when others may write there.
   */
  constructor(folder = defaultFolder()) {
    this.#folder = folder;
    this.#self = processIdentity(process.pid) ?? '';
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    if ((mode & 0o170000) !== 0o040000 || uid !== process.getuid?.())
      throw new AppError('launcher-failed', `${folder} was created by another user.`);
    chmodSync(folder, 0o700);
  }

  /**
   * Claims a user id. @returns false when another launcher has it, or one that has ended had it and it has not been
   * swept.
   */
  take(uid: number): boolean {
    const draft = path.join(this.#folder, `.${randomUUID()}`);
    writeFileSync(draft, this.#self, { mode: 0o600, flag: 'wx' });
    try {
      // A link appears with its whole content, or not at all.
      linkSync(draft, this.#file(uid));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false; // of `link`
      throw error;
    } finally {
      rmSync(draft);
    }
  }

  /** Releases a user id of this launcher. */
  release(uid: number): void {
    if (this.#holder(uid) === this.#self) rmSync(this.#file(uid), { force: true });
  }

  /**
   * Takes over all user ids of launchers that have ended. The caller ends their processes, removes their files and
   * releases them.
   */
  takeStale(): number[] {
    return readdirSync(this.#folder).flatMap((name) => {
      if (!/^\d+$/.test(name)) return [];
      const uid = Number(name);
      return this.#isStale(uid) && this.#replace(uid) ? [uid] : [];
    });
  }

  #isStale(uid: number): boolean {
    const holder = this.#holder(uid);
    return holder !== undefined && runningPid(holder) === undefined;
  }

  /** Two launchers may try at once: the file is renamed, which succeeds for one of them only, and read again. */
  #replace(uid: number): boolean {
    const aside = path.join(this.#folder, `.${randomUUID()}`);
    try {
      renameSync(this.#file(uid), aside);
    } catch {
      return false;
    }
    const stale = runningPid(readFileSync(aside, 'utf8')) === undefined;
    try {
      if (!stale) linkSync(aside, this.#file(uid));
    } catch {
      // Claimed again in the meantime.
    }
    rmSync(aside, { force: true });
    return stale && this.take(uid);
  }

  #holder(uid: number): string | undefined {
    try {
      return readFileSync(this.#file(uid), 'utf8');
    } catch {
      return undefined;
    }
  }

  #file(uid: number): string {
    return path.join(this.#folder, String(uid));
  }
}

function defaultFolder(): string {
  for (const parent of ['/run', os.tmpdir()]) {
    const folder = path.join(parent, 'vitrine-uids');
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return folder;
    } catch {
      // a read-only system
    }
  }
  throw new AppError('launcher-failed', 'No folder is available for the claims of user ids.');
}
