import { lstat, open, readdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { AppError } from '../../../../host/plugin.ts';
import { ChunkCipher } from './chunk-cipher.ts';
import { DataFile } from './data-file.ts';
import { Disk } from './disk.ts';
import { readMasterKey } from './master-key.ts';
import { SIDE_FILE, SideFile } from './side-file.ts';
import type { Quarantined } from './side-file.ts';

/** Name of a file for administrators. Anything else, such as a path, is none. */
const ID = /^[\da-f]{32}$/;

interface Listed {
  readonly id: string;
  /** Undefined where it cannot be read: it is damaged, or of another key. */
  readonly record: Quarantined | undefined;
}

/** The quarantine as the command line sees it, while a host runs on the folder or none does. It changes nothing but by `remove`. */
export class QuarantineFolder {
  readonly #disk: Disk;

  constructor(folder: string) {
    this.#disk = new Disk(folder, Infinity);
  }

  /** The files in it, those that end first at the beginning. @throws errors of the disk */
  async list(): Promise<Listed[]> {
    const names = await readdir(this.#disk.folder);
    const ids = names.flatMap((name) => (name.endsWith(SIDE_FILE) ? [name.slice(0, -SIDE_FILE.length)] : []));
    const listed: Listed[] = [];
    for (const id of ids.filter((each) => ID.test(each)))
      listed.push({ id, record: await this.find(id).catch(() => undefined) });
    return listed.sort((a, b) => (a.record?.until ?? 0) - (b.record?.until ?? 0) || (a.id < b.id ? -1 : 1));
  }

  /** Whether it has such a file. @throws AppError `bad-option` for what is no id */
  async has(id: string): Promise<boolean> {
    if (!ID.test(id)) throw new AppError('bad-option', 'an id has 32 hexadecimal digits: see `vitrine files list`');
    return lstat(this.#disk.path(id + SIDE_FILE)).then(
      () => true,
      () => false,
    );
  }

  /** @throws AppError `bad-option`, `file-unknown`, `file-damaged` */
  async find(id: string): Promise<Quarantined> {
    if (!(await this.has(id))) throw new AppError('file-unknown', `there is no ${id} in quarantine`);
    const key = await readMasterKey(this.#disk.folder);
    if (!key) throw new AppError('file-damaged', 'the key of the quarantine is missing or damaged');
    try {
      return await new SideFile(this.#disk, id, key).load();
    } catch (cause) {
      throw new AppError('file-damaged', `the entry of ${id} is damaged, or of another key`, { cause });
    }
  }

  /**
   * Writes the plain bytes to a new file, for its owner alone. Nothing of it stays where that fails.
   *
   * @throws AppError `bad-option`, `file-unknown`, `file-damaged`; `not-written` where there is such a file already, or no room
   */
  async write(id: string, file: string): Promise<Quarantined> {
    const record = await this.find(id);
    const cipher = new ChunkCipher(Buffer.from(record.fileKey, 'base64url'), Buffer.from(id, 'hex'));
    const data = new DataFile(this.#disk, { id, person: record.facts.person }, cipher, record.size);
    const handle = await open(file, 'wx', 0o600).catch((cause: unknown) => {
      throw new AppError('not-written', `${file} cannot be written: ${String(cause)}`, { cause });
    });
    try {
      const hash = createHash('sha256');
      for (let at = 0; at < record.size;) {
        const chunks = await data.read(at, record.size).catch((cause: unknown) => {
          throw new AppError('file-damaged', `the bytes of ${id} are damaged or missing`, { cause });
        });
        for (const chunk of chunks) {
          hash.update(chunk);
          await handle.writeFile(chunk);
          at += chunk.length;
        }
      }
      if (hash.digest('hex') !== record.sha256) throw new AppError('file-damaged', `the bytes of ${id} are damaged`);
      return record;
    } catch (thrown) {
      await rm(file, { force: true });
      if (thrown instanceof AppError) throw thrown;
      throw new AppError('not-written', `${file} cannot be written: ${String(thrown)}`, { cause: thrown });
    } finally {
      await handle.close();
      await this.#disk.handles.close();
    }
  }

  /** Removes a file, where no host runs that would. The entry goes last: a kill in between leaves one that the next start removes. */
  async remove(id: string): Promise<void> {
    if (!(await this.has(id))) throw new AppError('file-unknown', `there is no ${id} in quarantine`);
    await rm(this.#disk.path(id), { force: true });
    await rm(this.#disk.path(id + SIDE_FILE), { force: true });
  }
}
