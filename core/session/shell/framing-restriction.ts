import { FRAMING } from './framing.ts';

/** The value of the site capability `framing_restriction` that allows only one status of FRAMING (M-066). */
const ALLOWS_OTHER = 2;

/** Whether policy forbids the page in this kind of frame. Without a restriction it may be shown anywhere (M-066). */
export function isFramingForbidden(restriction: unknown, status: number): boolean {
  if (!restriction || status === FRAMING.none) return false;
  return !(restriction === ALLOWS_OTHER && status === FRAMING.other);
}
