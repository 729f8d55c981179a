import { toAppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import { NOWHERE } from '../egress/nowhere.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { quietly } from '../page/target-defaults.ts';

/** Delay after which a dialog without a listener is closed, in ms, so that its page continues. */
const UNHEARD_DIALOG_MS = 1000;
const OPENING = 'Page.javascriptDialogOpening';

/**
 * Tracks the open JavaScript dialog: until it is closed, that page's process answers nothing else. plugins/dialogs
 * shows dialogs; without a listener they are closed here.
 */
export class OpenDialog {
  /** Closes the open dialog. */
  #close: (() => void) | undefined;
  #closedAt = -Infinity;

  constructor(sessions: PageSessions, isHeard: (event: string) => boolean) {
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind !== 'page') return;
        let timer: NodeJS.Timeout | undefined;
        /** Dialogs that are open: Chromium closes one for that of another frame, which it reports before, and takes no answer to that then. */
        let count = 0;
        session.on(OPENING, ({ type }) => {
          count += 1;
          // The person has asked to leave the page, so beforeunload is accepted; all others are dismissed.
          const close = (): void => {
            session
              .send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' })
              .catch((thrown: unknown) => {
                // Once the next document has arrived, which waits for the dialog, Chromium accepts no answer; it closes
                // the dialog where a navigation starts.
                if (this.#close === close && toAppError(thrown).code === 'cdp-error')
                  quietly(session.send('Page.navigate', { url: NOWHERE }));
              });
          };
          this.#close = close;
          if (!isHeard(OPENING)) timer = setTimeout(close, UNHEARD_DIALOG_MS);
        });
        const closed = (): void => {
          if (this.#close) this.#closedAt = performance.now();
          count = 0;
          this.#close = undefined;
          clearTimeout(timer);
        };
        session.on('Page.javascriptDialogClosed', () => {
          if (count > 1) count -= 1;
          else closed();
        });
        onAbort(session.closed, closed);
      },
    });
  }

  get isOpen(): boolean {
    return this.#close !== undefined;
  }

  /** Time at which the last dialog was closed, by `performance.now()`; -Infinity before there was any. */
  get closedAt(): number {
    return this.#closedAt;
  }

  /** Closes the dialog for a person who leaves its page. */
  close(): void {
    this.#close?.();
  }
}
