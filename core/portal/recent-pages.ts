/** A page that the person has opened recently; stored in the person's own browser only. */
interface RecentPage {
  readonly url: string;
  readonly title: string;
}

const KEY = 'vitrine.recent';
const MAX_PAGES = 10;

function isRecentPage(value: unknown): value is RecentPage {
  const page = value as Partial<RecentPage> | null; // both fields are checked
  return typeof page?.url === 'string' && /^https?:\/\//i.test(page.url) && typeof page.title === 'string';
}

/** The recently opened pages, newest first; none where storage is not available or contains invalid data. */
export function recentPages(storage: Storage): RecentPage[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecentPage).slice(0, MAX_PAGES) : [];
  } catch {
    return [];
  }
}

/** Puts a page at the top of the list. Does nothing where storage is full or not allowed. */
export function rememberPage(storage: Storage, page: RecentPage): void {
  const others = recentPages(storage).filter(({ url }) => url !== page.url);
  try {
    storage.setItem(KEY, JSON.stringify([page, ...others].slice(0, MAX_PAGES)));
  } catch {
    // Optional feature: it can fail without harm.
  }
}

/** Empties the list. */
export function forgetPages(storage: Storage): void {
  storage.removeItem(KEY);
}
