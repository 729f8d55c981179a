import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { Disk } from './disk.ts';

/** Ending of the names of side files, and of those that are being written. */
export const SIDE_FILE = '.quarantine';
export const TEMPORARY = '.tmp';
/** Size of a side file: the facts, 16 KiB as JSON, in which names may be long, and the rest. */
const MAX_SIDE_BYTES = 64 * 1024;
const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const secret = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const schema = v.object({
  key: secret,
  fileKey: secret,
  facts: v.looseObject({
    person: v.string(),
    session: v.string(),
    direction: v.picklist(['down', 'up']),
    name: v.string(),
  }),
  sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
  size: count,
  until: v.number(),
  released: v.exactOptional(v.boolean(), false),
});

/** All that is needed to have a quarantined file again in the next process, the key of its bytes included. */
export type Quarantined = v.InferOutput<typeof schema>;

/** The side file of a quarantined file: encrypted with a key that is derived from the master key for it alone. Writes follow each other. */
export class SideFile {
  readonly #disk: Disk;
  readonly #id: string;
  readonly #masterKey: Uint8Array;
  #last: Promise<void> = Promise.resolve();
  #loaded = 0;
  /** Bytes that are counted. */
  #taken = 0;

  constructor(disk: Disk, id: string, masterKey: Uint8Array) {
    this.#disk = disk;
    this.#id = id;
    this.#masterKey = masterKey;
  }

  /** Reads what an earlier process has left. @throws errors of the disk; Error where it was changed, or is of another file or master key */
  async load(): Promise<Quarantined> {
    const bytes = await readSmall(this.#path);
    const record = v.parse(schema, JSON.parse(this.#unseal(bytes).toString()));
    this.#loaded = bytes.length;
    return record;
  }

  /** Counts what was loaded: it stays. */
  found(): void {
    this.#taken = this.#loaded;
    this.#disk.found(this.#loaded);
  }

  /** Writes it, or replaces it at once. `record` is called when it is its turn: undefined for nothing to write. @throws AppError `disk-full`; errors of the disk */
  save(record: () => Quarantined | undefined): Promise<void> {
    return this.#inTurn(async () => {
      const now = record();
      if (now) await this.#write(this.#seal(Buffer.from(JSON.stringify(now))));
    });
  }

  /** Removes it. @throws errors of the disk */
  remove(): Promise<void> {
    return this.#inTurn(async () => {
      await rm(this.#path, { force: true });
      this.#disk.free(this.#taken);
      this.#taken = 0;
    });
  }

  get #key(): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#masterKey, this.#id, 'vitrine quarantined file', 32));
  }

  get #path(): string {
    return this.#disk.path(this.#id + SIDE_FILE);
  }

  async #write(bytes: Buffer): Promise<void> {
    const temporary = this.#disk.path(this.#id + TEMPORARY);
    const before = this.#taken;
    this.#disk.take(bytes.length);
    this.#taken += bytes.length;
    try {
      await writeFile(temporary, bytes, { mode: 0o600, flag: 'wx' });
      await rename(temporary, this.#path);
      this.#disk.free(before); // it was replaced
      this.#taken = bytes.length;
    } catch (thrown) {
      await rm(temporary, { force: true });
      this.#disk.free(bytes.length);
      this.#taken = before;
      throw thrown;
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // whoever asked for it knows
    return done;
  }

  #context(): Buffer {
    return Buffer.from(`${VERSION} ${this.#id}`);
  }

  #seal(plain: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(this.#context());
    const sealed = [cipher.update(plain), cipher.final()];
    return Buffer.concat([Buffer.of(VERSION), nonce, ...sealed, cipher.getAuthTag()]);
  }

  #unseal(bytes: Buffer): Buffer {
    if (bytes[0] !== VERSION || bytes.length < HEAD_BYTES + TAG_BYTES) throw new Error('not a side file');
    const nonce = bytes.subarray(1, HEAD_BYTES);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#context());
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}

/** Reads a file, of which the first bytes suffice. */
async function readSmall(file: string): Promise<Buffer> {
  // Opening a fifo would wait for its other end.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(MAX_SIDE_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, MAX_SIDE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
