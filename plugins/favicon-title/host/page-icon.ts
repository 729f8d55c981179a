import { toAppError } from '../../../core/protocol/errors.ts';

/** Waits before further checks of an icon that could not be had yet, in ms. */
const RETRIES_MS = [2000, 10_000, 30_000];

interface PageIconOptions {
  /** Whether what is at a path can be shown; rejects where that is not known. */
  readonly shows: (path: string) => Promise<boolean>;
  /** It is known whether the icon exists. */
  readonly onKnown: () => void;
  readonly signal: AbortSignal;
}

/** The icon of a page, which is shown once it is known to exist. */
export class PageIcon {
  readonly #options: PageIconOptions;
  #path = '';
  #isThere: boolean | undefined = false;
  /** The check failed with a retryable error: it is done again after a while, and at the next message of the page. */
  #isLate = false;
  #again: NodeJS.Timeout | undefined;

  constructor(options: PageIconOptions) {
    this.#options = options;
  }

  /** Its path, empty for none; undefined while it is not known whether it exists. */
  get shown(): string | undefined {
    return this.#isThere === undefined ? undefined : this.#isThere ? this.#path : '';
  }

  /** Checks an icon that differs from the previous one, or whose check failed. */
  take(path: string): void {
    if (path === this.#path && !this.#isLate) return;
    this.dispose();
    this.#path = path;
    this.#isLate = false;
    this.#isThere = path === '' ? false : undefined;
    if (path !== '') void this.#check(path, RETRIES_MS);
  }

  dispose(): void {
    clearTimeout(this.#again);
  }

  /** `waits`: before further checks, as long as each fails with a retryable error. A page that stays as it is sends no message. */
  async #check(path: string, [wait, ...waits]: readonly number[]): Promise<void> {
    const { shows, onKnown, signal } = this.#options;
    const found = await shows(path).catch((thrown: unknown) => (toAppError(thrown).retryable ? 'late' : false));
    if (this.#path !== path || signal.aborted) return; // superseded
    this.#isLate = found === 'late';
    this.#isThere = found === true;
    if (this.#isLate && wait !== undefined) this.#again = setTimeout(() => void this.#check(path, waits), wait).unref();
    onKnown();
  }
}
