import { randomBytes } from 'node:crypto';

/** Returns a random name: 128 bits, base64url. */
export function randomToken(): string {
  return randomBytes(16).toString('base64url');
}
