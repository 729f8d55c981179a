import type { ParamsOf } from '../../../core/index.ts';
import { MOST_QUERY } from '../protocol.ts';
import type { EndReason, searchQuery, searchReply, StartKind } from '../protocol.ts';

type Query = ParamsOf<typeof searchQuery>;

/** Differences that a search may heed. */
export type Option = 'matchCase' | 'wholeWords' | 'matchDiacritics';

/** Content of the bar. */
export interface Shown {
  readonly text: string;
  readonly options: Readonly<Record<Option, boolean>>;
  /** Of the search for this text; undefined until there is one. */
  readonly reply: ParamsOf<typeof searchReply> | undefined;
  /** Counts up whenever the field is to take the focus, with its text selected. */
  readonly focus: number;
}

/** Calls of the bar's state. */
interface FindCalls {
  search(query: Query): void;
  end(reason: EndReason): void;
  /** The bar goes. */
  close(): void;
}

/** State of the bar: searching or idle. It is kept while the bar is closed, so that the next search begins with the text of the last. */
export class FindState {
  readonly #calls: FindCalls;
  readonly #listeners = new Set<() => void>();
  #shown: Shown = {
    text: '',
    options: { matchCase: false, wholeWords: false, matchDiacritics: false },
    reply: undefined,
    focus: 0,
  };
  #isOpen = false;

  constructor(calls: FindCalls) {
    this.#calls = calls;
  }

  get isSearching(): boolean {
    return this.#isOpen && this.#shown.text !== '';
  }

  readonly shown = (): Shown => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A shortcut: opens the bar, with what is selected in the page or the text of the last search, or goes on. */
  start(kind: StartKind, selected: string): void {
    const text = selected === '' ? this.#shown.text : selected;
    const goesOn = this.#isOpen && kind !== 'new' && this.#shown.reply !== undefined;
    // Else the bar could neither be typed into nor closed by Escape.
    const takesFocus = kind === 'new' || !this.#isOpen || text === '';
    this.#isOpen = true;
    this.#set({ text, ...(takesFocus && { focus: this.#shown.focus + 1 }) });
    if (goesOn) this.move(kind === 'next');
    else this.#search(kind !== 'prev', false);
  }

  /** The person has typed, or pasted. An emptied field ends the search. */
  readonly type = (text: string): void => {
    this.#set({ text: text.slice(0, MOST_QUERY), reply: undefined });
    if (this.#shown.text === '') this.#calls.end('clear');
    else this.#search(true, false);
  };

  readonly toggle = (option: Option): void => {
    const { options } = this.#shown;
    this.#set({ options: { ...options, [option]: !options[option] } });
    this.#search(true, false);
  };

  /** Goes to the next match, or the one before. */
  readonly move = (isForward: boolean): void => this.#search(isForward, true);

  /** Closes the bar and ends the search: the active match stays selected, or is pressed. */
  readonly close = (reason: EndReason): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#set({ reply: undefined });
    this.#calls.end(reason);
    this.#calls.close();
  };

  /** Selects the text of the field. */
  readonly again = (): void => this.#set({ focus: this.#shown.focus + 1 });

  reply(reply: ParamsOf<typeof searchReply>): void {
    if (this.#isOpen && this.#shown.text !== '') this.#set({ reply });
  }

  #search(forward: boolean, goesOn: boolean): void {
    const { text, options } = this.#shown;
    if (text !== '') this.#calls.search({ text, ...options, forward, continue: goesOn });
  }

  #set(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change };
    for (const listener of this.#listeners) listener();
  }
}
