import type { CorpusPage } from './corpus.ts';

/** A subject's view of one page. */
export interface Shown {
  /** PNG of the viewport. */
  readonly picture: Buffer;
  /** Possible reasons for a difference: errors on the console, a picture that never became stable. */
  readonly notes: readonly string[];
}

/** A way of showing pages that is compared with opening them directly. */
export interface Subject {
  readonly name: string;
  /**
   * Shows a page, with its actions, and waits until the picture is stable. `expected` is the direct picture: one that
   * differs from it is checked a second time, since a stable picture may only be slow. `lane` separates pages that are
   * shown at the same time. Throws with the reason when the page cannot be shown within its time.
   */
  show(url: string, page: CorpusPage, expected: Buffer, lane: number): Promise<Shown>;
  close(): Promise<void>;
}
