import { AppError } from '../../core/protocol/errors.ts';

/** Largest resource, in bytes. */
export const MAX_RESOURCE_BYTES = 32 * 1024 * 1024;

/** The bytes of a data address. @throws AppError `resource-not-found` when it is none. */
export function dataBytes(address: string): Uint8Array {
  const comma = address.indexOf(',');
  if (comma < 0) throw notFound();
  if (address.length > MAX_RESOURCE_BYTES * 2) throw tooLarge();
  const body = percentDecoded(address.slice(comma + 1));
  return /;\s*base64\s*$/i.test(address.slice(0, comma)) ? Buffer.from(body.toString('latin1'), 'base64') : body;
}

function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (!text.includes('%')) return bytes;
  let length = 0;
  for (let at = 0; at < bytes.length; at++, length++) {
    const hex = bytes[at] === 0x25 ? bytes.toString('latin1', at + 1, at + 3) : '';
    const isEscape = /^[0-9a-f]{2}$/i.test(hex);
    bytes[length] = isEscape ? Number.parseInt(hex, 16) : (bytes[at] ?? 0);
    if (isEscape) at += 2;
  }
  return bytes.subarray(0, length);
}

/** What asks for what is not there is answered with. */
export function notFound(cause?: unknown): AppError {
  return new AppError('resource-not-found', 'The page has no such resource.', { cause });
}

/** The same, of what is there and too large. */
export function tooLarge(): AppError {
  return new AppError('resource-too-large', 'The resource is too large.');
}
