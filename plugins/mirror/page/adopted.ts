import { dom, Sweep } from '../../../core/page.ts';
import type { Kernel, Root } from '../../../core/page.ts';
import { OP } from '../ops.ts';
import { rulesText } from './rules.ts';
import type { StateNames } from './state-names.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Roots looked at in one flush, and after a poll; sheets looked at after a poll. */
const FLUSH_BUDGET = 100;
const POLL_BUDGET = 2000;
const SHEETS_BUDGET = 50;
/** Sheets of up to so many rules are compared whole; of larger ones the number of rules and both ends. */
const COMPARED_RULES = 50;

interface Constructed {
  readonly id: number;
  readonly sheet: CSSStyleSheet;
  signature: string;
}

interface Adopter {
  readonly root: Root;
  readonly id: number;
  /** Ids of the sheets it has adopted, as sent. */
  adopted: string;
}

/** Constructed style sheets and who has adopted them. */
export class Adopted implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  readonly #stateNames: StateNames;
  #adopters = new Sweep<Adopter>();
  #known = new Set<Root>();
  #bySheet = new WeakMap<CSSStyleSheet, Constructed>();
  #sheets = new Sweep<Constructed>();
  #ids = 0;
  #suspicious = false;

  constructor(kernel: Kernel, writer: Writer, stateNames: StateNames) {
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

  /** The host has heard of changes to some constructed sheet. */
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
    const adopter = { root, id: this.#kernel.idOf(root), adopted: '' };
    this.#adopters.add(adopter);
    this.#look(adopter);
  }

  #look(adopter: Adopter): boolean {
    const { root, id } = adopter;
    if (this.#kernel.idOf(root) !== id) {
      this.#known.delete(root);
      return false;
    }
    const sheets = dom.adoptedSheets(root);
    if (sheets.length === 0 && adopter.adopted === '') return true;
    const ids = Array.from(sheets, (sheet) => this.#idOf(sheet));
    if (ids.join() === adopter.adopted) return true;
    adopter.adopted = ids.join();
    this.#writer.op([OP.adopt, id, ...ids]);
    return true;
  }

  #idOf(sheet: CSSStyleSheet): number {
    const known = this.#bySheet.get(sheet);
    if (known) return known.id;
    const constructed = { id: ++this.#ids, sheet, signature: '' };
    this.#bySheet.set(sheet, constructed);
    this.#sheets.add(constructed);
    this.#compare(constructed);
    return constructed.id;
  }

  #compare(constructed: Constructed): boolean {
    const { sheet } = constructed;
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
    writer.op([OP.define, id, writer.string(text), writer.string(sheet.media.mediaText), sheet.disabled ? 1 : 0]);
  }
}

function signatureOf(sheet: CSSStyleSheet): string {
  const rules = sheet.cssRules;
  const { length } = rules;
  const state = `${length} ${sheet.disabled} ${sheet.media.mediaText}`;
  if (length <= COMPARED_RULES) return `${state} ${rulesText(sheet) ?? ''}`;
  return `${state} ${rules[0]?.cssText ?? ''} ${rules[length - 1]?.cssText ?? ''}`;
}
