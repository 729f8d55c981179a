import * as v from 'valibot';
import { randomId } from '../../channel/random-id.ts';

/** Time, in ms, within which an opened tab must use its token (S-085). */
export const PID_LIFETIME_MS = 600_000;
/** A token is a marker and a random part (S-085). */
const PID_LENGTH = 44;
const RANDOM_LENGTH = 43;
const MARK = 'p';
const KEY = 'sv_pid';
/** Browsers limit referrers to 4096 characters: a longer one is reduced to its origin. */
const MAX_REFERRER = 4096;

const recordSchema = v.object({
  pid: v.pipe(v.string(), v.minLength(PID_LENGTH), v.maxLength(PID_LENGTH)),
  url: v.string(),
  expires: v.number(),
});

/** Stores in the browser that the document at `opener` is about to open a tab. Referrers have no fragment. Returns the token. */
export function issuePid(storage: Storage | undefined, opener: string): string {
  const pid = MARK + randomId(RANDOM_LENGTH);
  try {
    storage?.setItem(
      KEY,
      JSON.stringify({ pid, url: opener.replace(/#.*$/s, ''), expires: Date.now() + PID_LIFETIME_MS }),
    );
  } catch {
    // full or not allowed: the tab is opened anyway, as if by address
  }
  return pid;
}

/** Returns the token of the tab that opened this one, if the document at `referrer` stored a valid one (S-085). Single use. */
export function takePid(storage: Storage | undefined, referrer: string): string | undefined {
  try {
    const { pid, url, expires } = v.parse(recordSchema, JSON.parse(storage?.getItem(KEY) ?? ''));
    const isExpired = Date.now() > expires;
    const isOpener = referrer.length > 0 && referrer.length <= MAX_REFERRER && url === referrer;
    if (isExpired || isOpener) storage?.removeItem(KEY);
    return isOpener && !isExpired ? pid : undefined;
  } catch {
    return undefined; // missing or invalid
  }
}
