import * as v from 'valibot';

/** Time, in ms, within which an opened tab must use its token (S-085). */
const PID_LIFETIME_MS = 600_000;
/** Length of a token: a marker and 43 random characters, all of them from the host (S-085). */
const PID_LENGTH = 44;
const KEY = 'sv_pid:';
/** Browsers limit referrers to 4096 characters: a longer one is reduced to its origin. */
const MAX_REFERRER = 4096;

const recordSchema = v.object({ url: v.string(), expires: v.number() });

/**
 * Stores in the browser that the document at `opener` is about to open a tab for the window with this token. Records that nobody took are
 * removed after their time.
 */
export function storePid(storage: Storage | undefined, pid: string, opener: string): void {
  try {
    for (const key of Object.keys(storage ?? {}))
      if (key.startsWith(KEY) && !valid(storage, key)) storage?.removeItem(key);
    const record = { url: referrerOf(opener), expires: Date.now() + PID_LIFETIME_MS };
    storage?.setItem(KEY + pid, JSON.stringify(record));
  } catch {
    // full or not allowed: the tab is opened anyway, as if by a link
  }
}

/**
 * Returns the token with which a tab was opened, if it is valid (S-085): of the right length, stored by the document at `referrer`, at most ten
 * minutes ago. Single use.
 */
export function takePid(storage: Storage | undefined, pid: string, referrer: string): string | undefined {
  if (pid.length !== PID_LENGTH) return undefined;
  const record = valid(storage, KEY + pid);
  if (record?.url !== referrer) return undefined;
  storage?.removeItem(KEY + pid);
  return pid;
}

/** The record under a key, unless it is missing, invalid or expired. */
function valid(storage: Storage | undefined, key: string): v.InferOutput<typeof recordSchema> | undefined {
  try {
    const record = v.parse(recordSchema, JSON.parse(storage?.getItem(key) ?? ''));
    return Date.now() > record.expires ? undefined : record;
  } catch {
    return undefined; // missing or invalid
  }
}

/** The referrer that a browser sends for a document: without its fragment, and of a long address the origin alone. */
function referrerOf(address: string): string {
  const url = address.replace(/#.*$/s, '');
  return url.length > MAX_REFERRER ? `${new URL(url).origin}/` : url;
}
