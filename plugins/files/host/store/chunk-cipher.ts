import { createCipheriv, createDecipheriv } from 'node:crypto';
import { AppError } from '../../../../host/plugin.ts';

/** Plain bytes of each chunk of a file but the last. */
export const CHUNK_BYTES = 64 * 1024;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NUMBER_BYTES = 8;
/** Bytes of a full chunk on disk. */
export const SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;

/** Bytes on disk of the chunks of so many plain bytes. */
export const sealedSize = (size: number): number => size + Math.ceil(size / CHUNK_BYTES) * TAG_BYTES;

/**
 * Seals the chunks of one file with its key. The nonce is the number of the chunk: whoever seals must seal each number once. Chunks that were
 * changed, moved or taken from another file do not open; that none is missing at the end is for the holder of the size to check.
 */
export class ChunkCipher {
  /** Zeros once it is destroyed. */
  readonly #key: Buffer;
  readonly #id: Buffer;

  /** @param key 32 bytes, random; `id` 16 bytes */
  constructor(key: Buffer, id: Buffer) {
    this.#key = key;
    this.#id = id;
  }

  /** @returns the encrypted bytes and the tag; both belong to the caller */
  seal(number: number, plain: Uint8Array): readonly [Buffer, Buffer] {
    const nonce = nonceOf(number);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(this.#context(nonce));
    const sealed = cipher.update(plain);
    cipher.final(); // a stream cipher: nothing is left
    return [sealed, cipher.getAuthTag()];
  }

  /** @throws AppError `file-damaged` */
  open(number: number, sealed: Buffer, tag: Buffer): Buffer {
    const nonce = nonceOf(number);
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#context(nonce));
    try {
      decipher.setAuthTag(tag);
      const plain = decipher.update(sealed);
      decipher.final();
      return plain;
    } catch (cause) {
      throw new AppError('file-damaged', 'The file was changed on the disk.', { cause, data: { chunk: number } });
    }
  }

  /** Opens a chunk that stands in one piece, the tag behind. @throws AppError `file-damaged`, also for one that is too short */
  openWhole(number: number, whole: Buffer): Buffer {
    const end = Math.max(0, whole.length - TAG_BYTES);
    return this.open(number, whole.subarray(0, end), whole.subarray(end));
  }

  /** A copy of the key, for whoever keeps it elsewhere. */
  exportKey(): Buffer {
    return Buffer.from(this.#key);
  }

  /** Forgets the key: nobody can read what is on the disk. */
  destroy(): void {
    this.#key.fill(0);
  }

  #context(nonce: Buffer): Buffer {
    return Buffer.concat([this.#id, nonce]);
  }
}

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(number), NONCE_BYTES - NUMBER_BYTES);
  return nonce;
}
