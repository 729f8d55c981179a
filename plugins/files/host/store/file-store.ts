import { randomBytes } from 'node:crypto';
import { AppError } from '../../../../host/plugin.ts';
import { BoundFiles } from './bound-files.ts';
import type { FileFacts, FileOwner, FileStoreOptions, StoredFile } from './contract.ts';
import { Disk } from './disk.ts';
import { Entry } from './entry.ts';
import type { EntryHome } from './entry.ts';
import { idOf } from './file-id.ts';
import { OwnerProof } from './owner-proof.ts';
import { recover } from './recovery.ts';

const KEY_BYTES = 32;
/** Characters of a key in base64url; others are not even looked up. */
const KEY_LENGTH = 43;
/** Files that one person has at a time, those in quarantine aside: a flood of downloads fills neither memory nor folder. */
const MAX_FILES = 500;
/** Expired files whose owners get to know that, and not only that there is no such file; the oldest ones are forgotten. */
const MAX_EXPIRED = 10_000;

/**
 * Files on disk, each encrypted with a key of its own. That key is in memory alone, unless the file is in quarantine: what a killed process
 * leaves nobody can read, and the next one removes it.
 */
export class FileStore {
  readonly #home: EntryHome;
  readonly #entries = new Map<string, Entry>();
  /** Those that end with their sessions. */
  readonly #bound = new BoundFiles<Entry>();
  readonly #expired = new Map<string, OwnerProof>();
  #isClosed = false;

  /**
   * Opens the store, with the quarantined files of the process before. Everything else in the folder is removed.
   *
   * @throws AppError `bad-key`; the error of the disk where the folder cannot be read
   */
  static async open({ folder, key, maxBytes = Infinity, now = Date.now, log }: FileStoreOptions): Promise<FileStore> {
    if (key.length !== KEY_BYTES) throw new AppError('bad-key', `The master key has ${key.length} bytes, not 32.`);
    const disk = new Disk(folder, maxBytes);
    const masterKey = Uint8Array.from(key);
    const store = new FileStore(disk, masterKey, now, log);
    for (const recovered of await recover(disk, masterKey, log)) {
      const { id, record } = recovered;
      const fileKey = Buffer.from(record.fileKey, 'base64url');
      // Kept for no time once it fails: its session is over.
      const options = { id, key: record.key, fileKey, facts: record.facts, keepMs: 0, recovered };
      store.#entries.set(id, new Entry(store.#home, options));
    }
    await store.expire();
    return store;
  }

  private constructor(disk: Disk, masterKey: Uint8Array, now: () => number, log: FileStoreOptions['log']) {
    this.#home = {
      disk,
      masterKey,
      log,
      now,
      unbind: (entry) => this.#bound.delete(entry),
      forget: (entry) => {
        this.#entries.delete(entry.id);
        this.#bound.delete(entry);
      },
    };
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#home.disk.bytes;
  }

  /**
   * Begins a file, which is kept for `keepMs` from its completion on.
   *
   * @throws AppError `bad-facts`, `bad-time`, `too-many-files`, `store-closed`
   */
  async create(facts: FileFacts, { keepMs }: { readonly keepMs: number }): Promise<StoredFile> {
    if (this.#isClosed) throw new AppError('store-closed', 'The file store is closed.');
    if (this.#bound.countOf(facts.person) >= MAX_FILES)
      throw new AppError('too-many-files', `There are ${MAX_FILES} files already.`, { data: { files: MAX_FILES } });
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const entry = new Entry(this.#home, { key, id: idOf(key), fileKey: randomBytes(KEY_BYTES), facts, keepMs });
    this.#entries.set(entry.id, entry);
    this.#bound.add(entry);
    return entry;
  }

  /**
   * The file of a key, also one that has failed.
   *
   * @throws AppError `file-unknown`, the same and in the same time for a file of others; for its owner `file-expired`, `file-quarantined`
   */
  get(key: string, owner: FileOwner): StoredFile {
    const id = idOf(key.length === KEY_LENGTH ? key : '');
    const entry = this.#entries.get(id);
    const expired = this.#expired.get(id);
    if (!OwnerProof.admits(entry?.owner ?? expired, owner))
      throw new AppError('file-unknown', 'There is no such file, or not any more.');
    if (!entry || this.#isDue(entry)) throw new AppError('file-expired', 'The time that the file was kept is over.');
    if (entry.quarantinedUntil !== undefined && !entry.isReleased)
      throw new AppError('file-quarantined', 'The file is in quarantine.');
    return entry;
  }

  /** All files, for the administrator: also those in quarantine and those that have failed. */
  list(): readonly StoredFile[] {
    return [...this.#entries.values()];
  }

  /** The file of an `id`, for the administrator. @throws AppError `file-unknown` */
  find(id: string): StoredFile {
    const entry = this.#entries.get(id);
    if (!entry) throw new AppError('file-unknown', 'There is no such file, or not any more.');
    return entry;
  }

  /** Removes what is past its time, or has stalled; as `StoredFile.retire` does. */
  async expire(): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (!this.#isDue(entry)) continue;
      this.#expired.set(entry.id, entry.owner);
      await (entry.quarantinedUntil === undefined ? entry.retire() : entry.remove());
    }
    for (const id of this.#expired.keys()) {
      if (this.#expired.size <= MAX_EXPIRED) break;
      this.#expired.delete(id);
    }
  }

  /** Removes all files of a person's session, except those in quarantine; as `StoredFile.retire` does. */
  async endSession({ person, session }: FileOwner): Promise<void> {
    const own = this.#bound.ofSession(session).filter(({ facts }) => facts.person === person);
    await Promise.all(own.map((entry) => entry.retire())); // nobody begins to read one from here on
  }

  /** Removes all but what is in quarantine, and closes all files. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of this.#entries.values())
      await (entry.quarantinedUntil === undefined ? entry.remove() : entry.settle());
    await this.#home.disk.handles.close();
  }

  #isDue(entry: Entry): boolean {
    return entry.expiresAt <= this.#home.now();
  }
}
