import { AppError } from '../../../core/protocol/errors.ts';
import { pageBegun } from '../../../core/protocol/page-messages.ts';
import type { PageBus } from '../../plugin.ts';
import type { OpenDialog } from './dialogs.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';

/** How long a document whose load was committed may be without a sign of its page half before the person is told, in ms. */
export const SILENCE_MS = 5000;

/** What is watched. */
export interface PageSilenceOptions {
  readonly frames: FrameTree;
  /** Messages of the kernels. */
  readonly kernel: PageBus;
  /** A page that asks the person something waits for that. */
  readonly dialog: Pick<OpenDialog, 'isOpen' | 'closedAt'>;
  /** The page has been silent for {@link SILENCE_MS}, or is so no longer. */
  readonly onSilent: (silent: boolean) => void;
  /** Told once of each document that is silent. */
  readonly onFault: (fault: AppError) => void;
}

/**
 * Notices a page that does not get past its beginning: its document is there, and some script, of a page half or its own, keeps anything
 * of it from being shown. It is told of as soon as it does.
 */
export class PageSilence {
  readonly #options: PageSilenceOptions;
  #timer: NodeJS.Timeout | undefined;
  #isSilent = false;
  #isClosed = false;

  constructor(options: PageSilenceOptions) {
    this.#options = options;
    options.kernel.handle(pageBegun, (_params, frame) => {
      if (frame.id === MAIN_FRAME) this.end();
    });
    options.frames.onNavigation(({ frame, sameDocument, unreachableUrl }) => {
      if (frame.id !== MAIN_FRAME || sameDocument) return;
      this.end();
      // Chromium's own pages, and the blank one, have no page half.
      if (unreachableUrl === undefined && /^https?:/.test(frame.url)) this.#expect();
    });
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The page is past its beginning, or is gone. */
  end(): void {
    clearTimeout(this.#timer);
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#options.onSilent(false);
  }

  /** As `end`, for good: what the page still does while it is being closed is no concern of anybody. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  #expect(ms = SILENCE_MS): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      const { isOpen, closedAt } = this.#options.dialog;
      const left = isOpen ? SILENCE_MS : closedAt + SILENCE_MS - performance.now();
      if (left > 0) return this.#expect(left);
      this.#isSilent = true;
      this.#options.onSilent(true);
      this.#options.onFault(new AppError('page-silent', `nothing has come of the page for ${SILENCE_MS} ms`));
    }, ms).unref();
  }
}
