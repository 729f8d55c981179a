import { createHash } from 'node:crypto';

const ID_BYTES = 16;

/** Name of a file in the folder and in logs, from which its key cannot be found: 32 hexadecimal digits. */
export const idOf = (key: string): string =>
  createHash('sha256').update(key).digest().subarray(0, ID_BYTES).toString('hex');
