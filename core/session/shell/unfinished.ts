/** Most items that are remembered. */
const MAX_ITEMS = 100;

interface Stored {
  readonly cid?: unknown;
  readonly tab?: unknown;
  readonly items?: unknown;
}

/** Work of a tab, remembered for its next document. */
interface Unfinished<T> {
  /** Items that an earlier document of the tab has kept, in a session that is over. */
  readonly lost: readonly T[];
  /** Items that an earlier document of the tab has kept, in this session. None of another tab: browsers copy the storage to windows that a page opens. */
  readonly left: readonly T[];
  /** Remembers these from now on, and no others: at most 100. Best effort: the browser's settings may forbid it. */
  keep(items: readonly T[]): void;
}

/**
 * Opens what a plugin has kept of its work in this tab: the host cannot say what it has lost with a session.
 *
 * @param plugin its id. `cid`: of the session. `tab`: its id in the session. `read`: checks an item, which is JSON.
 */
export function unfinishedWork<T>(
  window: Window,
  plugin: string,
  { cid, tab, read }: { readonly cid: string; readonly tab: string; readonly read: (value: unknown) => T | undefined },
): Unfinished<T> {
  const key = `vitrine-unfinished-${plugin}`; // by which `accompany` activates it in the next document
  const stored = Object(storedIn(window, key)) as Stored; // each part is checked
  const given: unknown[] = Array.isArray(stored.items) ? stored.items.slice(0, MAX_ITEMS) : [];
  const items = typeof stored.cid === 'string' ? given.flatMap((item) => read(item) ?? []) : [];
  const isOver = stored.cid !== cid;
  let last: string | undefined;
  return {
    lost: isOver ? items : [],
    left: !isOver && stored.tab === tab ? items : [],
    keep: (kept) => {
      const text = JSON.stringify({ cid, tab, items: kept.slice(0, MAX_ITEMS) });
      if (text === last) return;
      last = text;
      try {
        if (kept.length > 0) window.sessionStorage.setItem(key, text);
        else window.sessionStorage.removeItem(key);
      } catch {
        // forbidden, or no room: nothing is said of them
      }
    },
  };
}

function storedIn(window: Window, key: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(key) ?? 'null');
  } catch {
    return undefined; // forbidden, or invalid
  }
}
