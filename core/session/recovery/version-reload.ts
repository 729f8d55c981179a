/** Session storage key: time of the last reload for another version. */
const RELOADED_KEY = 'vitrine.reloaded';
const RELOADED_MS = 60_000;

/**
 * Creates the reload that fetches another version of the client. It returns false, and does nothing, when it has run within the last
 * minute: no endless retries.
 */
export function versionReload(storage: Storage | undefined, reload: (why: string) => void): () => boolean {
  return () => {
    const before = Number(storage?.getItem(RELOADED_KEY) ?? 0);
    if (!storage || Date.now() - before < RELOADED_MS) return false;
    storage.setItem(RELOADED_KEY, String(Date.now()));
    reload('version');
    return true;
  };
}
