import { pageOfPath } from '../protocol/shell-address.ts';
import type { Report } from '../events/report.ts';
import type { Texts } from '../contracts/texts.ts';

/** Values of `document.documentElement.dataset.vitrineState`. */
type ShellState = 'pairing' | 'loading' | 'ready' | 'detached' | 'error';

/** Content of the full-page error view. */
interface ErrorView {
  /** Sent with the event. */
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly details?: string;
  /** Shows a retry button that calls this. */
  readonly retry?: () => void;
}

/** Owner of a notice. Each owner has at most one notice at a time. */
type NoticeOwner = 'channel' | 'page' | 'surrogate' | 'framing';

/** A short code of a cause, always the same for the same cause, which people can report to support (S-138). */
function troubleCode(cause: string): string {
  let hash = 0;
  for (const character of cause) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) & 0xffffff;
  return hash.toString(16).padStart(6, '0');
}

/** The plain parts of the shell. They must work before anything is loaded, and when nothing can be loaded. */
export class ShellView {
  readonly #document: Document;
  readonly #texts: Texts;
  readonly #report: Report;
  readonly #notices = new Map<NoticeOwner, string>();

  constructor(document: Document, texts: Texts, report: Report) {
    this.#document = document;
    this.#texts = texts;
    this.#report = report;
  }

  get state(): ShellState {
    return (this.#document.documentElement.dataset['vitrineState'] ?? 'pairing') as ShellState; // written only here
  }

  set state(state: ShellState) {
    this.#document.documentElement.dataset['vitrineState'] = state;
    if (state === 'ready') this.#document.getElementById('vitrine-preload')?.remove(); // S-029
  }

  /** Shows progress under the spinner, while there is one. */
  inform(text: string): void {
    const info = this.#document.getElementById('vitrine-info');
    if (info) info.textContent = text;
  }

  /**
   * Shows a short notice over the page, in place of an earlier one of the same owner. `undefined` removes it; with `ms` it disappears
   * automatically.
   */
  notice(owner: NoticeOwner, text?: string, ms?: number): void {
    if (text === undefined) this.#notices.delete(owner);
    else this.#notices.set(owner, text);
    const notice = this.#document.getElementById('vitrine-notice') ?? this.#document.createElement('div');
    notice.id = 'vitrine-notice';
    notice.role = 'status';
    notice.lang = this.#texts.language;
    notice.dir = this.#texts.direction;
    notice.textContent = [...this.#notices.values()].join('\n');
    if (this.#notices.size > 0) this.#document.body.append(notice);
    else notice.remove();
    if (ms !== undefined)
      setTimeout(() => {
        if (this.#notices.get(owner) === text) this.notice(owner);
      }, ms);
  }

  /** Shows that the network or the host has a problem and that the client is retrying (S-030). `cause` distinguishes problems. */
  trouble(cause: string): void {
    const code = troubleCode(cause);
    const text = `${this.#texts.text('ID_TC_NETWORK_ISSUE', { code })} ${this.#texts.text('ID_TC_NETWORK_RETRY')}`;
    if (this.#document.getElementById('vitrine-preload')) this.inform(text);
    else this.notice('channel', text);
  }

  /** Gives the tab the host of its page as title, or its address where it has none, and no icon: those of a page that is no longer shown would mislead. */
  #name(): void {
    const { location, head } = this.#document;
    const url = pageOfPath(location.pathname)?.url;
    // Pages that a site has made are named by it, those of no site by their address.
    if (url) this.#document.title = URL.parse(url.replace('blob:', ''))?.host || url;
    for (const icon of head.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')) icon.href = 'data:,';
  }

  /** Shows the full-page error view in place of everything else, and sends a warning (S-010). */
  fail({ code, title, description, details, retry }: ErrorView): void {
    this.state = 'error';
    this.#name();
    this.#document.getElementById('vitrine-preload')?.setAttribute('hidden', '');
    this.#document.getElementById('vitrine-error')?.remove();
    const element = <K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] => {
      const made = this.#document.createElement(tag);
      made.textContent = text;
      return made;
    };
    const view = element('div', '');
    view.id = 'vitrine-error';
    view.lang = this.#texts.language;
    view.dir = this.#texts.direction;
    const heading = element('h1', title);
    heading.tabIndex = -1;
    view.role = 'alert';
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
