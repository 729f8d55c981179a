import { dom, NODE, Sweep } from '../../../core/page.ts';
import type { Kernel, Root } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import type { Fonts } from './fonts.ts';
import { rulesCount, rulesText } from './rules.ts';
import type { StateNames } from './state-names.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Roots checked in one flush, and after a poll; sheets checked after a poll. */
const FLUSH_BUDGET = 100;
const POLL_BUDGET = 2000;
const SHEETS_BUDGET = 50;
/** Number of rules up to which sheets are compared whole; of larger ones only the number of rules and both ends are compared. */
const COMPARED_RULES = 50;

interface Constructed {
  readonly id: number;
  readonly sheet: CSSStyleSheet;
  signature: string;
  /** Number of roots that have adopted it. */
  uses: number;
}

interface Adopter {
  readonly root: Root;
  readonly id: number;
  /** The adopted sheets, as sent. */
  adopted: readonly Constructed[];
}

/**
 * Constructed style sheets and the roots that have adopted them. Sheets of processing instructions are sent as the document's first,
 * fonts that script has made as its last.
 */
export class Adopted implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #stateNames: StateNames;
  readonly #fonts: Fonts;
  #adopters = new Sweep<Adopter>();
  #known = new Set<Root>();
  #bySheet = new WeakMap<CSSStyleSheet, Constructed>();
  #sheets = new Sweep<Constructed>();
  #ids = 0;
  #suspicious = false;

  constructor(kernel: Kernel, writer: Writer, stateNames: StateNames, fonts: Fonts) {
    this.#fonts = fonts;
    this.#kernel = kernel;
    this.#writer = writer;
    this.#stateNames = stateNames;
  }

  reset(): void {
    this.#adopters = new Sweep();
    this.#known = new Set();
    this.#bySheet = new WeakMap();
    this.#sheets = new Sweep();
    this.#ids = 0;
  }

  /** Called when the host reports changes to some constructed sheet. */
  suspect(): void {
    this.#suspicious = true;
    this.#kernel.schedule();
  }

  collect(full: boolean): void {
    for (const root of this.#kernel.roots()) if (!this.#known.has(root)) this.#meet(root);
    this.#adopters.run(full ? POLL_BUDGET : FLUSH_BUDGET, (adopter) => this.#look(adopter));
    const budget = this.#suspicious ? this.#sheets.size : full ? SHEETS_BUDGET : 0;
    this.#suspicious = false;
    this.#sheets.run(budget, (constructed) => this.#compare(constructed));
  }

  #meet(root: Root): void {
    this.#known.add(root);
    const adopter = { root, id: this.#kernel.idOf(root), adopted: [] };
    this.#adopters.add(adopter);
    this.#look(adopter);
  }

  #look(adopter: Adopter): boolean {
    const { root, id } = adopter;
    if (this.#kernel.idOf(root) !== id) {
      this.#known.delete(root);
      for (const constructed of adopter.adopted) constructed.uses--;
      return false;
    }
    const sheets = this.#sheetsOf(root);
    if (isSame(sheets, adopter.adopted)) return true;
    const before = adopter.adopted;
    adopter.adopted = sheets.map((sheet) => this.#use(sheet));
    for (const constructed of before) constructed.uses--;
    this.#writer.op([OP.adopt, id, ...adopter.adopted.map((constructed) => constructed.id)]);
    return true;
  }

  #sheetsOf(root: Root): readonly CSSStyleSheet[] {
    const adopted = dom.adoptedSheets(root);
    const fonts = this.#fonts.sheet;
    if (root !== document || (!fonts && dom.contentType(document) === 'text/html')) return adopted;
    return [...instructed(), ...adopted, ...(fonts ? [fonts] : [])];
  }

  #use(sheet: CSSStyleSheet): Constructed {
    const known = this.#bySheet.get(sheet);
    if (known) {
      known.uses++;
      return known;
    }
    const constructed = { id: ++this.#ids, sheet, signature: '', uses: 1 };
    this.#bySheet.set(sheet, constructed);
    this.#sheets.add(constructed);
    this.#compare(constructed);
    return constructed;
  }

  #compare(constructed: Constructed): boolean {
    const { sheet, uses } = constructed;
    if (uses === 0) {
      this.#bySheet.delete(sheet);
      return false;
    }
    const signature = signatureOf(sheet);
    if (signature !== constructed.signature) {
      constructed.signature = signature;
      this.#define(constructed);
    }
    return true;
  }

  #define({ id, sheet }: Constructed): void {
    const text = rulesText(sheet) ?? '';
    this.#stateNames.learn(text);
    const writer = this.#writer;
    writer.op([OP.define, id, text, sheet.media.mediaText, sheet.disabled ? 1 : 0]);
  }
}

/** Returns the sheets of `<?xml-stylesheet?>`. */
function instructed(): CSSStyleSheet[] {
  return [...dom.sheets(document)].filter(({ ownerNode }) => ownerNode?.nodeType === NODE.instruction);
}

function isSame(sheets: readonly CSSStyleSheet[], adopted: readonly Constructed[]): boolean {
  return sheets.length === adopted.length && adopted.every(({ sheet }, index) => sheet === sheets[index]);
}

function signatureOf(sheet: CSSStyleSheet): string {
  const length = rulesCount(sheet);
  const state = `${length} ${sheet.disabled} ${sheet.media.mediaText}`;
  if (length <= COMPARED_RULES) return `${state} ${rulesText(sheet) ?? ''}`;
  const rules = sheet.cssRules;
  return `${state} ${rules[0]?.cssText ?? ''} ${rules[length - 1]?.cssText ?? ''}`;
}
