import * as v from 'valibot';

/** Downloads whose first address nobody has asked for yet, and the longest time until that, in ms. */
const MAX_REPORTS = 100;
const REPORT_MS = 30_000;
/** Time for the extension's worker to start and to tell it, in ms. */
const WAIT_MS = 10_000;
const MAX_ADDRESS_UNITS = 4096;

const address = v.pipe(v.string(), v.maxLength(MAX_ADDRESS_UNITS));
const reportSchema = v.object({ url: address, first: address });

interface Report {
  readonly url: string;
  readonly first: string;
  readonly at: number;
}

/** First addresses of downloads, before all redirects, as the extension half tells them: once for each download. */
export class FirstAddresses {
  #reports: readonly Report[] = [];
  readonly #asked = new Set<{ readonly url: string; readonly tell: (first: string) => void }>();

  /** Takes a call of the extension half. */
  tell(value: unknown): void {
    const call = v.safeParse(reportSchema, value);
    if (!call.success) return;
    const { url, first } = call.output;
    for (const asked of this.#asked) {
      if (asked.url !== url) continue;
      this.#asked.delete(asked);
      asked.tell(first);
      return;
    }
    const now = performance.now();
    const kept = this.#reports.filter(({ at }) => now - at < REPORT_MS);
    this.#reports = [...kept, { url, first, at: now }].slice(-MAX_REPORTS);
  }

  /**
   * That of a download from an address; of several from the same one, in the order in which they have begun. Undefined where it does not come in time.
   * Never rejects.
   */
  async of(url: string): Promise<string | undefined> {
    if (!/^https?:/.test(url)) return url; // it has no redirects
    const own = url.slice(0, MAX_ADDRESS_UNITS);
    const now = performance.now();
    const found = this.#reports.find((each) => each.url === own && now - each.at < REPORT_MS);
    if (found) {
      this.#reports = this.#reports.filter((each) => each !== found);
      return found.first;
    }
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const asked = { url: own, tell: resolve };
    this.#asked.add(asked);
    const timer = setTimeout(() => resolve(undefined), WAIT_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(asked);
    }
  }
}
