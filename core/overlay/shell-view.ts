import type { Report } from '../dispatch/dispatcher.ts';
import type { Texts } from './messages.ts';

/** What `document.documentElement.dataset.vitrineState` says. */
export type ShellState = 'pairing' | 'loading' | 'ready' | 'detached' | 'error';

/** What the full-page error view shows. */
export interface ErrorView {
  /** Goes with the event. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly details?: string;
  /** Offers to try again, by this. */
  readonly retry?: () => void;
}

/** The plain parts of the shell, which have to work before anything is loaded and when nothing can be. */
export class ShellView {
  readonly #document: Document;
  readonly #texts: Texts;
  readonly #report: Report;

  constructor(document: Document, texts: Texts, report: Report) {
    this.#document = document;
    this.#texts = texts;
    this.#report = report;
  }

  get state(): ShellState {
    return (this.#document.documentElement.dataset['vitrineState'] ?? 'pairing') as ShellState; // written here alone
  }

  set state(state: ShellState) {
    this.#document.documentElement.dataset['vitrineState'] = state;
    if (state === 'ready') this.#document.getElementById('vitrine-preload')?.remove(); // S-029
  }

  /** Says under the spinner what is going on, while it is there. */
  inform(text: string): void {
    const info = this.#document.getElementById('vitrine-info');
    if (info) info.textContent = text;
  }

  /** Shows a short notice over the page. */
  notice(text: string): void {
    const notice = this.#document.getElementById('vitrine-notice') ?? this.#document.createElement('div');
    notice.id = 'vitrine-notice';
    notice.setAttribute('role', 'status');
    notice.textContent = text;
    this.#document.body.append(notice);
  }

  /** Shows the full-page error view in place of all else, and sends a warning (S-010). */
  fail({ code, title, description, details, retry }: ErrorView): void {
    this.state = 'error';
    this.#document.getElementById('vitrine-preload')?.setAttribute('hidden', '');
    this.#document.getElementById('vitrine-error')?.remove();
    const element = <K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] => {
      const made = this.#document.createElement(tag);
      made.textContent = text;
      return made;
    };
    const view = element('main', '');
    view.id = 'vitrine-error';
    view.lang = this.#texts.language;
    view.dir = this.#texts.direction;
    const heading = element('h1', title);
    heading.tabIndex = -1;
    view.setAttribute('role', 'alert');
    view.append(heading, element('p', description));
    if (details) view.append(element('pre', details));
    if (retry) {
      const button = element('button', this.#texts.text('ID_RETRY'));
      button.type = 'button';
      button.addEventListener('click', retry, { once: true });
      view.append(button);
    }
    this.#document.body.append(view);
    heading.focus();
    this.#report('tc-error-page', { code, title, description }, { level: 'warning', force: true });
  }
}
