import type { PageSessions } from './page-sessions.ts';
import { quietly } from './target-defaults.ts';

/** A dialog that nobody shows is closed after this, so that its page goes on. */
export const UNHEARD_DIALOG_MS = 1000;
const OPENING = 'Page.javascriptDialogOpening';

/**
 * Knows whether a JavaScript dialog is open: until it is closed, that page's process answers nothing else. plugins/dialogs shows
 * them; without anybody who listens for them they are closed here.
 */
export class OpenDialog {
  #open = false;

  constructor(sessions: PageSessions, isHeard: (event: string) => boolean) {
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind !== 'page') return;
        let timer: NodeJS.Timeout | undefined;
        session.on(OPENING, ({ type }) => {
          this.#open = true;
          if (isHeard(OPENING)) return;
          // To leave a page is what the person has asked for; everything else is declined.
          const close = (): void =>
            quietly(session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }));
          timer = setTimeout(close, UNHEARD_DIALOG_MS);
        });
        const closed = (): void => {
          this.#open = false;
          clearTimeout(timer);
        };
        session.on('Page.javascriptDialogClosed', closed);
        session.closed.addEventListener('abort', closed, { once: true });
      },
    });
  }

  get isOpen(): boolean {
    return this.#open;
  }
}
