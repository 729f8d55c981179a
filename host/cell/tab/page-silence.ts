import { AppError } from '../../../core/protocol/errors.ts';
import { pageBegun } from '../../../core/protocol/page-messages.ts';
import type { PageBus } from '../../contracts/host-scope.ts';
import type { OpenDialog } from './dialogs.ts';
import { MAIN_FRAME } from '../page/frames.ts';
import type { FrameTree } from '../page/frames.ts';

/** Time without a sign of the page half after which the person is notified, in ms from the commit of a document. */
export const SILENCE_MS = 5000;

/** Options of the watch. */
export interface PageSilenceOptions {
  readonly frames: FrameTree;
  /** Messages of the kernels. */
  readonly kernel: PageBus;
  /** A page that shows the person a dialog waits for the answer. */
  readonly dialog: Pick<OpenDialog, 'isOpen' | 'closedAt'>;
  /** Called when the page has been silent for {@link SILENCE_MS}, and when it is no longer. */
  readonly onSilent: (silent: boolean) => void;
  /** Called once for each silent document. */
  readonly onFault: (fault: AppError) => void;
}

/**
 * Detects a page that does not get past its start: its document is committed, and some script, of a page half or its
 * own, prevents any output. Also reports when it recovers.
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

  /** The page is past its start, or was closed. */
  end(): void {
    clearTimeout(this.#timer);
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#options.onSilent(false);
  }

  /** Like `end`, permanently: messages of a page that is being closed are ignored. */
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
      this.#options.onFault(new AppError('page-silent', `the page has sent nothing for ${SILENCE_MS} ms`));
    }, ms).unref();
  }
}
