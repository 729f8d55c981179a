import type { CorpusPage } from './corpus.ts';

/** What a subject showed of one page. */
export interface Shown {
  /** PNG of the viewport. */
  readonly picture: Buffer;
  /** What may explain a difference: errors on the console, a picture that never became stable. */
  readonly notes: readonly string[];
}

/** A way of showing pages that is compared with opening them directly. */
export interface Subject {
  readonly name: string;
  /**
   * Shows a page, with its actions, and waits until the picture stands. `expected` is the direct picture: one that
   * differs from it is given a second look, since being stable may only mean being slow. `lane` tells pages apart that
   * are shown at the same time. Throws with the reason when the page cannot be shown within its time.
   */
  show(url: string, page: CorpusPage, expected: Buffer, lane: number): Promise<Shown>;
  close(): Promise<void>;
}
