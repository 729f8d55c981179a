import { createCipheriv, createHmac, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../../../host/plugin.ts';
import { peek } from './format/file-bytes.ts';

/** Length of the head of an entry in the old encryption of zip files (APPNOTE 6.1). */
const OLD_HEAD_BYTES = 12;
/** Length of the code at the end of an entry in AES encryption (WinZip AE-1 and AE-2). */
const CODE_BYTES = 10;
const AES_BLOCK = 16;
const AES_ROUNDS = 1000;

const derive = promisify(pbkdf2);
const wrong = (): AppError => new AppError('wrong-password', 'the password does not open this archive');

const CRC = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
  return value >>> 0;
});
const crcByte = (crc: number, byte: number): number => (crc >>> 8) ^ (CRC[(crc ^ byte) & 0xff] ?? 0);

/** Decryption with the three keys of the old encryption, from its beginning. */
function oldCipher(password: Buffer): (bytes: Uint8Array) => Buffer {
  let key0 = 0x12_34_56_78;
  let key1 = 0x23_45_67_89;
  let key2 = 0x34_56_78_90;
  const update = (byte: number): void => {
    key0 = crcByte(key0, byte);
    key1 = (Math.imul(key1 + (key0 & 0xff), 134_775_813) + 1) | 0;
    key2 = crcByte(key2, key1 >>> 24);
  };
  for (const byte of password) update(byte);
  return (bytes) => {
    const plain = Buffer.allocUnsafe(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) {
      const pad = (key2 & 0xff_ff) | 2;
      const byte = ((bytes[at] ?? 0) ^ (Math.imul(pad, pad ^ 1) >>> 8)) & 0xff;
      plain[at] = byte;
      update(byte);
    }
    return plain;
  };
}

/**
 * Decrypts an entry in the old encryption. Throws `wrong-password` where the check byte differs; one in 256 wrong ones passes. The password is tried in
 * UTF-8 and in Latin-1: nothing in the file says which the program took.
 */
export async function* decryptOld(
  source: AsyncIterable<Uint8Array>,
  password: string,
  checkByte: number,
): AsyncGenerator<Uint8Array> {
  const { head, stream } = await peek(source, OLD_HEAD_BYTES);
  const opens = (bytes: Buffer): boolean => oldCipher(bytes)(head)[OLD_HEAD_BYTES - 1] === checkByte;
  const found = [Buffer.from(password, 'utf8'), Buffer.from(password, 'latin1')].find(opens);
  if (!found) throw wrong();
  const decrypt = oldCipher(found);
  let skip = OLD_HEAD_BYTES;
  for await (const chunk of stream) {
    const plain = decrypt(chunk).subarray(Math.min(skip, chunk.length));
    skip -= Math.min(skip, chunk.length);
    if (plain.length > 0) yield plain;
  }
}

/** Counter mode with a little-endian counter from 1, which Node's own has not. */
function littleEndianCounter(key: Buffer): (bytes: Uint8Array) => Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false);
  let block = 1;
  let left = Buffer.alloc(0);
  return (bytes) => {
    const count = Math.ceil(Math.max(bytes.length - left.length, 0) / AES_BLOCK);
    const counters = Buffer.alloc(count * AES_BLOCK);
    for (let at = 0; at < count; at += 1) {
      counters.writeUIntLE(block, at * AES_BLOCK, 6);
      block += 1;
    }
    const pad = Buffer.concat([left, cipher.update(counters)]);
    const plain = Buffer.allocUnsafe(bytes.length);
    for (let at = 0; at < bytes.length; at += 1) plain[at] = (bytes[at] ?? 0) ^ (pad[at] ?? 0);
    left = pad.subarray(bytes.length);
    return plain;
  };
}

/**
 * Decrypts an entry in AES encryption of 128, 192 or 256 bits (`strength` 1 to 3). Throws `wrong-password`, also where the code at the end differs.
 */
export async function* decryptAes(
  source: AsyncIterable<Uint8Array>,
  password: string,
  strength: number,
): AsyncGenerator<Uint8Array> {
  const keyBytes = 8 * (strength + 1);
  const saltBytes = keyBytes / 2;
  let held = Buffer.alloc(0);
  let open: { plain: (bytes: Uint8Array) => Buffer; hmac: ReturnType<typeof createHmac> } | undefined;
  for await (const chunk of source) {
    held = Buffer.concat([held, chunk]);
    if (!open) {
      if (held.length < saltBytes + 2) continue;
      const salt = held.subarray(0, saltBytes);
      const keys = await derive(Buffer.from(password, 'utf8'), salt, AES_ROUNDS, 2 * keyBytes + 2, 'sha1');
      if (!keys.subarray(2 * keyBytes).equals(held.subarray(saltBytes, saltBytes + 2))) throw wrong();
      open = {
        plain: littleEndianCounter(keys.subarray(0, keyBytes)),
        hmac: createHmac('sha1', keys.subarray(keyBytes, 2 * keyBytes)),
      };
      held = held.subarray(saltBytes + 2);
    }
    const ready = held.subarray(0, Math.max(0, held.length - CODE_BYTES));
    held = held.subarray(ready.length);
    open.hmac.update(ready);
    if (ready.length > 0) yield open.plain(ready);
  }
  if (!open?.hmac.digest().subarray(0, CODE_BYTES).equals(held)) throw wrong();
}
