import { randomBytes } from 'node:crypto';

/** A name that nobody can guess: 128 random bits, base64url. */
export function randomToken(): string {
  return randomBytes(16).toString('base64url');
}
