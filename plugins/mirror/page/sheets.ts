import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel } from '../../../core/page.ts';
import { OP, SHEET_SOURCE } from '../ops.ts';
import { parsed, rulesCount, rulesText } from './rules.ts';
import { SheetSets } from './sheet-sets.ts';
import type { StateNames } from './state-names.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Sheets checked in one flush, and after a poll, besides those that are known to have changed. */
const FLUSH_BUDGET = 50;
const POLL_BUDGET = 500;
/** Longest source text that is parsed again to find out whether script has changed the rules, in UTF-16 units. */
const COMPARED_UNITS = 64 * 1024;
/** Source text that is parsed again after one poll, in UTF-16 units. */
const POLL_UNITS = 128 * 1024;

type Owner = HTMLStyleElement | HTMLLinkElement | SVGStyleElement;

interface Owned {
  readonly element: Owner;
  readonly id: number;
  /** The sheet sent; null while none was. */
  sheet: CSSStyleSheet | null;
  source: number;
  rules: number;
  /** Its last rule. */
  last: CSSRule | undefined;
  media: string;
  disabled: boolean;
}

/** The style sheets of style and link elements. */
export class Sheets implements Tracker {
  readonly names = ['style', 'link', 'meta'];
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #stateNames: StateNames;
  readonly #sets = new SheetSets();
  #sheets = new Sweep<Owned>();
  #byElement = new Map<Node, Owned>();
  /** To be checked in the next flush: changed, or without a sheet so far. */
  #pending = new Set<Owned>();
  /** Sheets whose rules script may have changed, as the host has reported. */
  readonly #suspect = new Set<Owned>();
  /** New sheets with the rules as sent, or '' for those of the source: the host sees no changes before the first layout. */
  #unsure = new Map<Owned, string>();
  #unsureBefore = new Map<Owned, string>();

  constructor(kernel: Kernel, writer: Writer, stateNames: StateNames) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#stateNames = stateNames;
    kernel.listen('load', ({ target }) => {
      if (dom.isNode(target) && this.#touch(target)) kernel.schedule();
    });
  }

  added(element: Element, id: number, name: string): void {
    this.#sets.learn(element);
    if (name === 'meta') return;
    const owner = element as Owner; // by its name; owners in other namespaces have no sheet
    const nothing = { sheet: null, source: SHEET_SOURCE.none, rules: 0, last: undefined, media: '', disabled: false };
    const owned = { element: owner, id, ...nothing };
    this.#byElement.set(element, owned);
    this.#sheets.add(owned);
    this.#pending.add(owned);
  }

  changed(element: Element, _id: number, attribute: string): void {
    this.#sets.learn(element, attribute);
    this.#touch(element);
  }

  content(element: Element): void {
    this.#touch(element);
  }

  /** Called when the host reports changes to the rules of these owners' sheets. */
  suspect(ids: readonly number[]): void {
    for (const id of ids) {
      const node = this.#kernel.nodeOf(id);
      const owned = node && this.#byElement.get(node);
      if (owned) this.#suspect.add(owned);
    }
    this.#kernel.schedule();
  }

  reset(): void {
    this.#sheets = new Sweep();
    this.#byElement = new Map();
    this.#pending.clear();
    this.#suspect.clear();
    this.#unsure.clear();
    this.#unsureBefore.clear();
  }

  /** Sends sheets early: without them a large document would be laid out twice. */
  early(): void {
    for (const owned of this.#pending) {
      this.#look(owned);
      if (owned.sheet || !mayGetSheet(owned)) this.#pending.delete(owned);
    }
  }

  collect(full: boolean): void {
    this.early();
    for (const owned of this.#suspect) this.#compare(owned);
    this.#suspect.clear();
    if (full) this.#compareNew();
    this.#sheets.run(full ? POLL_BUDGET : FLUSH_BUDGET, (owned) => this.#look(owned));
  }

  #touch(element: Node): boolean {
    const owned = this.#byElement.get(element);
    if (owned) this.#pending.add(owned);
    return owned !== undefined;
  }

  #look(owned: Owned): boolean {
    const { element, id } = owned;
    if (this.#kernel.idOf(element) !== id) {
      if (this.#byElement.get(element) === owned) this.#byElement.delete(element);
      this.#pending.delete(owned);
      return false;
    }
    const sheet = element.sheet ?? null; // undefined in other namespaces
    if (sheet === null) this.#withdraw(owned);
    else if (sheet !== owned.sheet) this.#writeFirst(owned, sheet);
    else if (owned.rules !== rulesCount(sheet)) this.#writeRules(owned, sheet);
    else if (owned.disabled === this.#sets.applies(element, sheet) || owned.media !== sheet.media.mediaText)
      this.#write(owned, sheet, owned.source);
    return true;
  }

  /** Compares sheets that have existed since the last poll, as many as the budget allows. */
  #compareNew(): void {
    let units = 0;
    for (const [owned, sent] of this.#unsureBefore) {
      if (units > POLL_UNITS) return;
      this.#unsureBefore.delete(owned);
      units += sent.length || dom.textContent(owned.element).length;
      this.#compare(owned, sent);
    }
    [this.#unsureBefore, this.#unsure] = [this.#unsure, this.#unsureBefore];
  }

  /** Sends the rules of a sheet if they differ from its source. */
  #compare(owned: Owned, sent = ''): void {
    const { element, sheet, source } = owned;
    if (!sheet || element.sheet !== sheet || this.#kernel.idOf(element) !== owned.id) return;
    const expected = sent || (source === SHEET_SOURCE.inline && rulesText(parsed(dom.textContent(element))));
    if (expected !== rulesText(sheet) && rulesCount(sheet) >= 0) this.#write(owned, sheet, SHEET_SOURCE.rules);
  }

  #writeFirst(owned: Owned, sheet: CSSStyleSheet): void {
    const source = firstSource(owned.element, sheet);
    this.#unsureBefore.delete(owned); // with the rules of the sheet before
    if (source !== SHEET_SOURCE.address && isPlain(dom.textContent(owned.element))) this.#unsure.set(owned, '');
    this.#write(owned, sheet, source);
  }

  #withdraw(owned: Owned): void {
    if (owned.sheet) this.#writer.op([OP.sheet, owned.id, SHEET_SOURCE.none, null, null, 0]);
    owned.sheet = null;
  }

  /** Sends the rules that were added at the end, or all of them. */
  #writeRules(owned: Owned, sheet: CSSStyleSheet): void {
    const { id, rules, last } = owned;
    if (rules < 1 || rulesCount(sheet) < rules || sheet.cssRules[rules - 1] !== last) {
      this.#write(owned, sheet, SHEET_SOURCE.rules);
      return;
    }
    const added = rulesText(sheet, rules) ?? '';
    owned.source = SHEET_SOURCE.rules;
    this.#noteRules(owned, sheet);
    this.#updateSent(owned, (sent) => `${sent || (rulesText(parsed(dom.textContent(owned.element))) ?? '')}${added}`);
    this.#stateNames.learn(added);
    this.#writer.op([OP.append, id, added]);
  }

  #updateSent(owned: Owned, change: (sent: string) => string): void {
    for (const unsure of [this.#unsure, this.#unsureBefore]) {
      const sent = unsure.get(owned);
      if (sent !== undefined) unsure.set(owned, change(sent));
    }
  }

  #noteRules(owned: Owned, sheet: CSSStyleSheet): void {
    owned.rules = rulesCount(sheet);
    owned.last = owned.rules > 0 ? sheet.cssRules[owned.rules - 1] : undefined;
  }

  #write(owned: Owned, sheet: CSSStyleSheet, source: number): void {
    owned.sheet = sheet;
    owned.source = source;
    this.#noteRules(owned, sheet);
    owned.media = sheet.media.mediaText;
    owned.disabled = !this.#sets.applies(owned.element, sheet);
    const text = textOf(owned, sheet);
    if (source === SHEET_SOURCE.rules) this.#updateSent(owned, () => text);
    if (source !== SHEET_SOURCE.address) this.#stateNames.learn(text);
    const writer = this.#writer;
    writer.op([OP.sheet, owned.id, source, text, owned.media, owned.disabled ? 1 : 0]);
  }
}

function textOf({ element, source }: Owned, sheet: CSSStyleSheet): string {
  if (source === SHEET_SOURCE.address) return sheet.href ?? '';
  return source === SHEET_SOURCE.rules ? (rulesText(sheet) ?? '') : dom.textContent(element);
}

/** Returns the source of the text of a new sheet: script may have changed it already. */
function firstSource(element: Owner, sheet: CSSStyleSheet): number {
  if (sheet.href !== null) return SHEET_SOURCE.address;
  const text = dom.textContent(element);
  const rules = rulesCount(sheet);
  return isPlain(text) && (text === '' ? rules > 0 : rulesCount(parsed(text)) !== rules)
    ? SHEET_SOURCE.rules
    : SHEET_SOURCE.inline;
}

/** Whether a source text can be compared with rules. */
function isPlain(text: string): boolean {
  return text.length <= COMPARED_UNITS && !text.includes('@import');
}

/** A style without a sheet may be unfinished, a link still loading; most links are not style sheets at all. */
function mayGetSheet({ element }: Owned): boolean {
  return dom.localName(element) === 'style' || /\bstylesheet\b/i.test(dom.attribute(element, 'rel') ?? '');
}
