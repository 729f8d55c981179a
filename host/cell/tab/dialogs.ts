import { toAppError } from '../../../core/protocol/errors.ts';
import { NOWHERE } from '../egress/nowhere.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import { quietly } from '../page/target-defaults.ts';

/** A dialog that nobody shows is closed after this, so that its page goes on. */
const UNHEARD_DIALOG_MS = 1000;
const OPENING = 'Page.javascriptDialogOpening';

/**
 * Knows whether a JavaScript dialog is open: until it is closed, that page's process answers nothing else. plugins/dialogs shows
 * them; without anybody who listens for them they are closed here.
 */
export class OpenDialog {
  /** Closes the one that is open. */
  #close: (() => void) | undefined;
  #closedAt = -Infinity;

  constructor(sessions: PageSessions, isHeard: (event: string) => boolean) {
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind !== 'page') return;
        let timer: NodeJS.Timeout | undefined;
        session.on(OPENING, ({ type }) => {
          // To leave a page is what the person has asked for; everything else is declined.
          const close = (): void => {
            session
              .send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' })
              .catch((thrown: unknown) => {
                // Once the next document has come, which waits for the dialog, Chromium takes no answer; it closes it where a navigation begins.
                if (this.#close === close && toAppError(thrown).code === 'cdp-error')
                  quietly(session.send('Page.navigate', { url: NOWHERE }));
              });
          };
          this.#close = close;
          if (!isHeard(OPENING)) timer = setTimeout(close, UNHEARD_DIALOG_MS);
        });
        const closed = (): void => {
          if (this.#close) this.#closedAt = performance.now();
          this.#close = undefined;
          clearTimeout(timer);
        };
        session.on('Page.javascriptDialogClosed', closed);
        session.closed.addEventListener('abort', closed, { once: true });
      },
    });
  }

  get isOpen(): boolean {
    return this.#close !== undefined;
  }

  /** When the last one was closed, by `performance.now()`; -Infinity before there was any. */
  get closedAt(): number {
    return this.#closedAt;
  }

  /** Closes it for a person who leaves its page. */
  close(): void {
    this.#close?.();
  }
}
