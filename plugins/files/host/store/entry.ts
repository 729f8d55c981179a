import type { Log } from '../../../../core/contracts/scope.ts';
import { AppError } from '../../../../host/plugin.ts';
import { ChunkCipher } from './chunk-cipher.ts';
import { Content, mustBePlace } from './content.ts';
import type { AppendOptions, FileFacts, StoredFile } from './contract.ts';
import { DataFile } from './data-file.ts';
import { diskError } from './disk.ts';
import type { Disk } from './disk.ts';
import { copyFacts, withFacts } from './file-facts.ts';
import { OwnerProof } from './owner-proof.ts';
import type { Recovered } from './recovery.ts';
import { SideFile } from './side-file.ts';
import type { Quarantined } from './side-file.ts';

/** Time after which a file that nothing is appended to is given up, in ms. */
const STALLED_MS = 10 * 60_000;
/** The same of one that has no byte yet: it may wait for its turn. */
const WAITING_MS = 120 * 60_000;

/** The store, as its files see it. */
export interface EntryHome {
  readonly disk: Disk;
  readonly masterKey: Uint8Array;
  readonly log: Log;
  now(): number;
  /** The file is no longer one of its session. */
  unbind(entry: Entry): void;
  /** There is no such file any more. */
  forget(entry: Entry): void;
}

/** An entry to make: its secrets, and its name in the folder. */
interface EntryOptions {
  readonly key: string;
  readonly id: string;
  readonly fileKey: Buffer;
  readonly facts: FileFacts;
  readonly keepMs: number;
  /** For a file that is in quarantine, and on disk. */
  readonly recovered?: Recovered;
}

/** One file of the store: the facts, the time that it is kept, and the quarantine. */
export class Entry implements StoredFile {
  readonly key: string;
  readonly id: string;
  readonly owner: OwnerProof;
  readonly #home: EntryHome;
  readonly #cipher: ChunkCipher;
  readonly #content: Content;
  readonly #side: SideFile;
  #facts: FileFacts;
  readonly #keepMs: number;
  /** Time at which it expires, where that was said. */
  #until: number | undefined;
  #quarantinedUntil: number | undefined;
  #isReleased: boolean;
  #isSaveDue = false;

  constructor(home: EntryHome, { key, id, fileKey, facts, keepMs, recovered }: EntryOptions) {
    mustBeTime(keepMs);
    const record = recovered?.record;
    this.key = key;
    this.id = id;
    this.#home = home;
    this.#facts = copyFacts(facts);
    this.owner = new OwnerProof(facts);
    this.#cipher = new ChunkCipher(fileKey, Buffer.from(id, 'hex'));
    this.#content = new Content(new DataFile(home.disk, { id, person: facts.person }, this.#cipher, record?.size), {
      now: () => home.now(),
      report: (message, thrown) => this.#log(message, thrown),
      sha256: record?.sha256,
    });
    this.#side = recovered?.side ?? new SideFile(home.disk, id, home.masterKey);
    this.#keepMs = keepMs;
    this.#quarantinedUntil = record?.until;
    this.#isReleased = record?.released ?? false;
  }

  get facts(): FileFacts {
    return this.#facts;
  }

  get state(): StoredFile['state'] {
    return this.#content.state;
  }

  get failure(): string | undefined {
    return this.#content.failure;
  }

  get size(): number {
    return this.#content.size;
  }

  get sha256(): string | undefined {
    return this.#content.sha256;
  }

  get quarantinedUntil(): number | undefined {
    return this.#quarantinedUntil;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  get expiresAt(): number {
    if (this.#quarantinedUntil !== undefined) return this.#quarantinedUntil;
    if (this.state === 'growing') return this.#content.changedAt + (this.size > 0 ? STALLED_MS : WAITING_MS);
    return this.#until ?? this.#content.changedAt + this.#keepMs;
  }

  append(source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<void> {
    return this.#content.append(source, options);
  }

  complete(): Promise<void> {
    return this.#content.complete();
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#content.read(offset, length);
  }

  stream(from = 0, to?: number, signal?: AbortSignal): AsyncIterable<Uint8Array> {
    mustBePlace(from);
    if (to !== undefined) mustBePlace(to);
    return this.#content.stream(from, to ?? Infinity, signal);
  }

  keepUntil(time: number): void {
    mustBeTime(time);
    this.#until = time;
  }

  keepAnew(): void {
    this.#until = this.#home.now() + this.#keepMs;
  }

  update(facts: Partial<FileFacts>): void {
    this.#content.mustBeThere();
    this.#facts = withFacts(this.#facts, facts);
    if (this.#quarantinedUntil === undefined || this.#isSaveDue) return;
    this.#save().catch((thrown: unknown) => this.#log('facts of a quarantined file were not saved', thrown));
  }

  async quarantine(until: number): Promise<void> {
    mustBeTime(until);
    this.#content.mustBeThere();
    if (this.state === 'growing') throw new AppError('file-incomplete', 'The file is not complete.');
    this.#quarantinedUntil = until;
    this.#home.unbind(this);
    await this.#save();
    this.#content.mustBeThere();
  }

  async release(): Promise<void> {
    this.#content.mustBeThere();
    if (this.#quarantinedUntil === undefined) throw new AppError('not-quarantined', 'The file is not in quarantine.');
    const before = this.#isReleased;
    this.#isReleased = true;
    try {
      await this.#save();
    } catch (thrown) {
      this.#isReleased = before;
      throw thrown;
    }
  }

  async fail(code: string): Promise<void> {
    if (this.state === 'failed') return;
    await this.#discard(new AppError(code, 'The file has failed.'));
  }

  async remove(): Promise<void> {
    this.#home.forget(this);
    await this.#discard(unknown());
  }

  async retire(): Promise<void> {
    if (this.#quarantinedUntil !== undefined) return;
    this.#home.forget(this);
    await this.#content.discardUnread(unknown());
  }

  /** Waits until all that is to be saved is on disk. */
  async settle(): Promise<void> {
    await this.#side.save(() => undefined);
  }

  async #discard(reason: AppError): Promise<void> {
    const wasKept = this.#quarantinedUntil !== undefined;
    this.#quarantinedUntil = undefined;
    const discarded = this.#content.discard(reason);
    if (wasKept)
      await this.#side.remove().catch((thrown: unknown) => this.#log('a quarantined file was not removed', thrown));
    await discarded;
  }

  async #save(): Promise<void> {
    this.#isSaveDue = true;
    try {
      await this.#side.save(() => this.#record());
    } catch (thrown) {
      throw diskError(thrown);
    }
  }

  /** The state to save, when it is the turn of that; undefined where the quarantine is over. */
  #record(): Quarantined | undefined {
    this.#isSaveDue = false;
    const { key, sha256, size } = this;
    const until = this.#quarantinedUntil;
    if (until === undefined || sha256 === undefined) return undefined;
    const released = this.#isReleased;
    return {
      key,
      sha256,
      size,
      until,
      released,
      facts: this.#facts,
      fileKey: this.#cipher.exportKey().toString('base64url'),
    };
  }

  #log(message: string, thrown: unknown): void {
    this.#home.log.error(message, { id: this.id, error: String(thrown) });
  }
}

const unknown = (): AppError => new AppError('file-unknown', 'There is no such file, or not any more.');

/** Anything else would never expire. */
function mustBeTime(ms: number): void {
  if (!Number.isFinite(ms)) throw new AppError('bad-time', `${ms} is no time.`);
}
