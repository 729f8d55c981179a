import { AppError, dom } from '../../../core/page.ts';
import type { Kernel, ResultOf } from '../../../core/page.ts';
import type { Place } from './chunk.ts';
import { MOST_SHOWN } from '../protocol.ts';
import type { pageSearch, Rect } from '../protocol.ts';
import { Matcher } from './matches.ts';
import type { Query } from './matches.ts';
import { isThere, PageText } from './page-text.ts';
import { endsOf, rectOf, sentEnds } from './place.ts';
import type { Ends } from './place.ts';
import { open, scrollTo } from './reveal.ts';

/** Time after which a search lets the page go on, in ms. */
const SLICE_MS = 20;
/** Shortest time between a change of the page and the search that takes it in, in ms. */
const RENEW_MS = 150;
/** A document that keeps changing is searched for at most this share of the time. */
const SHARE = 0.1;
const OBSERVED: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** Result of a search. */
type Found = ResultOf<typeof pageSearch>;

/** Matches to show: ends as the mirror knows them, four numbers each, and those of the active one. */
interface Shown {
  readonly ends: readonly number[];
  readonly active: readonly number[];
}

/** The query before the first search. */
const NOTHING: Query = { text: '', matchCase: false, wholeWords: false, matchDiacritics: false };

/** Searches one document, and keeps what it has found up to date while that changes. Nothing of it is noticed by the page. */
export class Finder {
  readonly #kernel: Kernel;
  readonly #text: PageText;
  readonly #changed: (found: Found, active: number) => void;
  readonly #observer: MutationObserver;
  readonly #ended = new AbortController();
  #matcher = new Matcher(NOTHING);
  /** Number of searches; only the last one goes on. */
  #searches = 0;
  #isRead = false;
  /** Nodes whose text has changed; undefined: more than texts has. */
  #touched: Set<Node> | undefined = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #cost = 0;
  #active = -1;
  #activeAt: Place | undefined;

  /** `changed` is called when the page has changed and other matches are there, with the number of the active one, or -1. */
  constructor(kernel: Kernel, changed: (found: Found, active: number) => void) {
    this.#kernel = kernel;
    this.#text = new PageText(kernel, this.#matcher);
    this.#changed = changed;
    this.#observer = new MutationObserver((records) => this.#take(records));
    const renew = (event: Event): void => this.#touch([event.target as Node]); // heard in a document
    const undo = kernel.listen('input', renew);
    this.#ended.signal.addEventListener('abort', undo);
  }

  /** Searches the document, from where the search before was. What has been read is searched again. @throws AppError `find-over`. */
  async find(query: Query): Promise<Found> {
    const { matchCase, matchDiacritics } = this.#matcher.query;
    const isSame = matchCase === query.matchCase && matchDiacritics === query.matchDiacritics;
    const near = this.#activeAt;
    this.#matcher = new Matcher(query);
    this.#searches += 1;
    this.#active = -1;
    if (isSame && this.#isRead && this.#touched?.size === 0) this.#text.search(this.#matcher);
    else await this.#read();
    return { count: this.#text.count, isCut: this.#text.isCut, first: this.#first(near) };
  }

  /** Makes a match the active one and brings it into view. Returns its box, undefined when it is not there any more. */
  show(index: number): Rect | undefined {
    const ends = this.#ends(index);
    this.#active = ends ? index : -1;
    this.#activeAt = ends?.start;
    if (!ends) return undefined;
    open(ends.start.source);
    return scrollTo(ends.start.source, () => rectOf(ends));
  }

  /** Another document's match is the active one. */
  leave(): void {
    this.#active = -1;
  }

  /** The ends of the active match. */
  active(): Ends | undefined {
    return this.#ends(this.#active);
  }

  /** The matches around the viewport that the mirror knows. */
  shown(): Shown {
    const { count } = this.#text;
    const from =
      count <= MOST_SHOWN ? 0 : Math.max(0, Math.min(this.#atViewport() - MOST_SHOWN / 4, count - MOST_SHOWN));
    const ends: number[] = [];
    for (let index = from; index < Math.min(count, from + MOST_SHOWN); index += 1)
      if (index !== this.#active) ends.push(...this.#sent(index));
    return { ends, active: this.#sent(this.#active) };
  }

  dispose(): void {
    this.#ended.abort();
    this.#observer.disconnect();
    clearTimeout(this.#timer);
  }

  #sent(index: number): readonly number[] {
    const ends = this.#ends(index);
    return (ends && sentEnds(this.#kernel, ends)) ?? [];
  }

  #ends(index: number): Ends | undefined {
    const match = this.#text.match(index);
    const ends = match && endsOf(match);
    return ends && isThere(ends.start.source) && isThere(ends.end.source) ? ends : undefined;
  }

  /** The match to begin with: where the last search was, at the selection, or the first in view. */
  #first(near: Place | undefined): number {
    const { count } = this.#text;
    if (count === 0) return 0;
    const place = near ?? selected();
    const at = place && this.#text.from(place.source, place.offset);
    return (at ?? this.#atViewport()) % count;
  }

  /** The number of the first match that is not above the viewport: matches follow one another down the page, more or less. */
  #atViewport(): number {
    let low = 0;
    let high = this.#text.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      const ends = this.#ends(middle);
      const box = ends && rectOf(ends);
      if (box && box.y + box.height <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #read(): Promise<void> {
    const search = this.#searches;
    this.#observe();
    this.#isRead = false;
    this.#touched = new Set();
    let spent = 0;
    let since = performance.now();
    for (const _step of this.#text.read(this.#matcher)) {
      if (performance.now() - since < SLICE_MS) continue;
      spent += performance.now() - since;
      await pause();
      if (this.#ended.signal.aborted || search !== this.#searches)
        throw new AppError('find-over', 'another search has begun');
      since = performance.now();
    }
    this.#isRead = true;
    this.#cost = spent + performance.now() - since;
  }

  #observe(): void {
    for (const root of this.#kernel.roots()) this.#observer.observe(root, OBSERVED);
    this.#observer.observe(document, OBSERVED);
  }

  #take(records: readonly MutationRecord[]): void {
    if (records.every(({ type }) => type === 'characterData')) this.#touch(records.map(({ target }) => target));
    else this.#touch(undefined);
  }

  /** These nodes have other text now; undefined: anything may have changed. */
  #touch(nodes: readonly Node[] | undefined): void {
    if (nodes === undefined) this.#touched = undefined;
    else for (const node of nodes) if (this.#text.has(node)) this.#touched?.add(node);
    this.#timer ??= setTimeout(() => void this.#renew(), Math.max(RENEW_MS, this.#cost / SHARE));
  }

  async #renew(): Promise<void> {
    this.#timer = undefined;
    const touched = this.#touched;
    const before = this.#activeAt;
    if (touched?.size === 0) return; // another search has taken it in
    if (!this.#isRead) {
      this.#touch(touched && [...touched]); // once that is over
      return;
    }
    try {
      if (touched && this.#text.renew(touched)) this.#touched = new Set();
      else await this.#read();
    } catch {
      return; // it is over
    }
    this.#follow(before);
    this.#changed({ count: this.#text.count, isCut: this.#text.isCut, first: 0 }, this.#active);
  }

  /** Finds the active match again after a change: where it was, or the next one from there. */
  #follow(before: Place | undefined): void {
    if (this.#active < 0) return;
    const { count } = this.#text;
    const at = before && this.#text.from(before.source, before.offset);
    this.#active = count === 0 ? -1 : Math.min(at ?? this.#active, count - 1);
    this.#activeAt = this.#ends(this.#active)?.start;
  }
}

/** Where the page's selection begins, or its caret is. */
function selected(): Place | undefined {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  return dom.isText(startContainer) ? { source: startContainer, offset: startOffset } : undefined;
}

/** Lets the page go on. Urgent, so that a page that keeps its own tasks waiting does not hold up the search. */
function pause(): Promise<void> {
  return scheduler.postTask(() => undefined, { priority: 'user-blocking' });
}
