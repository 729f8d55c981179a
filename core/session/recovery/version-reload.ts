/** Kept for the session to say that a reload for another version has been tried, and when. */
const RELOADED_KEY = 'vitrine.reloaded';
const RELOADED_MS = 60_000;

/**
 * Makes the reload that fetches another version of the client. It answers false, and does nothing, when it has been tried in the last
 * minute: another version is not fetched by trying for ever.
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
