import { chmod, lchown, lstat, mkdir, opendir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RunAs } from '../surrogate/unprivileged.ts';
import type { UidRange } from './uid-range.ts';

/** The folder of the service half of this name, in a data folder. */
export const serviceFolder = (dataDir: string, name: string): string => path.resolve(dataDir, 'services', name);

/**
 * Folders in which service halves keep files, one for each: `<data>/services/<name>`. Their processes have another user at each start: the
 * folder with its files is given to that user while the process runs, and is closed to all but the host otherwise.
 */
export class ServiceStorage {
  readonly #dataDir: string;
  readonly #home: string;
  readonly #uids: UidRange;
  /** Folders in use, and when they are free again. */
  readonly #inUse = new Map<string, Promise<void>>();

  constructor(dataDir: string, uids: UidRange) {
    this.#dataDir = dataDir;
    this.#home = path.dirname(serviceFolder(dataDir, '-'));
    this.#uids = uids;
  }

  /**
   * Gives a folder to a user, once the process that had it before has ended. The process works in it as its current folder, since its user may
   * not be able to search the folders above.
   *
   * @returns the folder, and what takes it back.
   */
  async open(name: string, user: RunAs | undefined): Promise<{ readonly folder: string; close(): Promise<void> }> {
    while (this.#inUse.has(name)) await this.#inUse.get(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#inUse.set(name, promise);
    const folder = serviceFolder(this.#dataDir, name);
    const close = async (): Promise<void> => {
      if (user) await lchown(folder, 0, 0).catch(() => undefined); // it is taken back before it is given away again
      this.#inUse.delete(name);
      resolve();
    };
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (!user) return { folder, close };
      await lchown(this.#home, 0, 0);
      await lchown(folder, 0, 0); // the last launcher may have been killed
      await chmod(folder, 0o700);
      for await (const entry of await opendir(folder)) await this.#give(path.join(folder, entry.name), user);
      await lchown(folder, user.uid, user.gid);
      return { folder, close };
    } catch (thrown) {
      await close();
      throw thrown;
    }
  }

  /** Gives a plain file of ours to a user. All else is removed, such as a link to a file of somebody else: root gives nothing else away. */
  async #give(file: string, user: RunAs): Promise<void> {
    const { uid, nlink, ...facts } = await lstat(file);
    const isOurs = uid === 0 || (uid >= this.#uids.first && uid <= this.#uids.last);
    const isFile = (facts.mode & 0o170_000) === 0o100_000;
    if (isFile && nlink === 1 && isOurs) await lchown(file, user.uid, user.gid);
    else await rm(file, { recursive: true, force: true });
  }
}
