import { AppError } from '../../core/protocol/errors.ts';

/** Maximum size of a resource, in bytes. */
export const MAX_RESOURCE_BYTES = 32 * 1024 * 1024;

/** Returns the bytes of a data address. @throws AppError `resource-not-found` when it is none. */
export function dataBytes(address: string): Uint8Array {
  const comma = address.indexOf(',');
  if (comma < 0) throw notFound();
  if (address.length > MAX_RESOURCE_BYTES * 2) throw tooLarge();
  const body = percentDecoded(address.slice(comma + 1));
  return /;\s*base64\s*$/i.test(address.slice(0, comma)) ? Buffer.from(body.toString('latin1'), 'base64') : body;
}

function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  let from = bytes.indexOf(PERCENT);
  if (from < 0) return bytes;
  let length = from;
  while (from < bytes.length) {
    const [high, low] = [digit(bytes[from + 1]), digit(bytes[from + 2])];
    const isEscape = bytes[from] === PERCENT && high >= 0 && low >= 0;
    bytes[length++] = isEscape ? high * 16 + low : (bytes[from] ?? 0);
    from += isEscape ? 3 : 1;
  }
  return bytes.subarray(0, length);
}

const PERCENT = 0x25;

/** Value of a character as a hexadecimal digit; -1 for others. */
function digit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : -1;
}

/** Creates the error for a resource that does not exist. */
export function notFound(cause?: unknown): AppError {
  return new AppError('resource-not-found', 'The resource does not exist.', { cause });
}

/** Creates the error for a resource that is too large. */
export function tooLarge(): AppError {
  return new AppError('resource-too-large', 'The resource is too large.');
}
