import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FileOwner } from './contract.ts';

const digest = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();
/** Matches nobody. */
const NOBODY = randomBytes(32);

/** Digest of the owner of a file: comparing takes the same time for anybody. */
export class OwnerProof {
  readonly #digest: Buffer;

  constructor({ person, session }: FileOwner) {
    this.#digest = digest(person, session);
  }

  /** Whether somebody is the owner; nobody is where there is no file. */
  static admits(proof: OwnerProof | undefined, { person, session }: FileOwner): boolean {
    return timingSafeEqual(proof ? proof.#digest : NOBODY, digest(person, session));
  }
}
