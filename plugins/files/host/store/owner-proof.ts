import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FileOwner } from './contract.ts';

const digest = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();
/** Matches nobody. */
const NOBODY = randomBytes(32);

/** Digest of the owner of a file: comparing takes the same time for anybody. */
export class OwnerProof {
  readonly #owner: FileOwner;
  #digest: Buffer;

  constructor(owner: FileOwner) {
    this.#owner = owner;
    this.#digest = digest(owner.person, owner.session);
  }

  /** From now on any session of the person is its owner. */
  forgetSession(): void {
    this.#digest = digest(this.#owner.person);
  }

  /** Whether somebody is the owner; nobody is where there is no file. */
  static admits(proof: OwnerProof | undefined, { person, session }: FileOwner): boolean {
    const expected = proof ? proof.#digest : NOBODY;
    const asPerson = timingSafeEqual(expected, digest(person));
    return timingSafeEqual(expected, digest(person, session)) || asPerson;
  }
}
