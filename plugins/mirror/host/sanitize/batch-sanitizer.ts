import { DOCUMENT_ID, HOST_SHEET, NO_STRING, OP, SHEET_SOURCE } from '../../ops.ts';
import type { Batch, Op } from '../../ops.ts';
import { resolve } from './addresses.ts';
import type { AddressContext } from './addresses.ts';
import { safeAnimations } from './animations.ts';
import { bullets, isLazy, safePicture } from './attributes.ts';
import type { FontNames } from './css-fonts.ts';
import { divided, joined, sanitizeFragment, sanitizeSheet } from './css.ts';
import type { Rewritten } from './css.ts';
import {
  ANIMATED_NAME,
  ANIMATION,
  classAt,
  IMAGE,
  INPUT,
  inputOf,
  isAnimation,
  LAZY_IMAGE,
  NODE,
  SECRET_INPUT,
  STILL_ANIMATION,
} from './element-classes.ts';
import type { ElementClass } from './element-classes.ts';
import { checkOp, refused } from './grammar.ts';
import type { NodeTable } from './node-table.ts';
import { byCode } from './op-sanitizers.ts';
import type { OpSanitizers, TextRules } from './op-sanitizers.ts';
import type { Originals } from './originals.ts';
import { ALWAYS_SET, ANIMATION_VALUES, ORIGINAL_PREFIX, TYPE_ATTRIBUTE } from './policy.ts';
import { StreamReader } from './stream.ts';
import type { UseJob } from './stream.ts';
import { Strings } from './strings.ts';

/** A sheet whose text must be added to a sanitized batch: the index of its op, and the source of the text. */
export interface SheetJob {
  readonly op: number;
  /** Absolute address of the sheet, or the base of its relative addresses. */
  readonly address: string;
  /** The sanitized text, with imports to inline; absent: made from `source`, or else fetched from the address. */
  readonly sheet?: Rewritten;
  /** A long source text, not sanitized yet: done in slices, so that it does not block others. */
  readonly source?: { readonly text: string; readonly context: AddressContext };
  /** Whether its imports are ignored. */
  readonly importsNothing?: true;
  /** Whether the document runs no scripts. */
  readonly still: boolean;
  /** Collects the families that its imports name; absent where the person's own fonts are used. */
  readonly fonts?: FontNames | undefined;
  /** Collects the attributes whose original values it compares or shows. */
  readonly asked?: Set<string> | undefined;
}

/** A batch that may be sent to the client once its sheets are added: until then their text is -1. */
export interface SafeBatch {
  readonly epoch: number;
  readonly seq: number;
  readonly more: boolean;
  readonly strings: string[];
  readonly ops: number[][];
  readonly sheets: readonly SheetJob[];
  readonly uses: readonly UseJob[];
}

/** Maximum total length of a batch's sheets that are sanitized at once, in UTF-16 units: the others follow in slices. */
const MAX_AT_ONCE_UNITS = 64 * 1024;
/** State of the document that a batch belongs to. */
interface DocumentState {
  readonly context: AddressContext;
  readonly fonts: FontNames | undefined;
  readonly nodes: NodeTable;
  readonly originals: Originals;
  begin(epoch: number, page: string, base: string, still: boolean): void;
  rebase(base: string): void;
  hidesPicture(id: number): boolean;
  sheetAddress(owner: number): string;
  noteSheet(owner: number, address: string): void;
}

type Make = (text: string, context: AddressContext) => string;

/** Sanitizes one batch. */
export class BatchSanitizer {
  readonly #frame: DocumentState;
  readonly #batch: Batch;
  readonly #strings: Strings;
  readonly #ops: number[][] = [];
  readonly #sheets: SheetJob[] = [];
  readonly #uses: UseJob[] = [];
  #reader: StreamReader | undefined;
  /** Indexes of sanitized texts, by the function that has made them. */
  readonly #made = new Map<Make, Map<number, number>>();
  /** Total length of sheets so far. */
  #sheetUnits = 0;

  constructor(frame: DocumentState, batch: Batch) {
    this.#frame = frame;
    this.#batch = batch;
    this.#strings = new Strings(batch.strings);
  }

  run(): SafeBatch {
    const { epoch, seq, more, ops, strings } = this.#batch;
    ops.forEach((op, index) => {
      checkOp(op, strings.length);
      if (op[0] === OP.doc && index > 0) throw refused('a document starts within a batch');
      this.#op(op);
    });
    return { epoch, seq, more, strings: this.#strings.list, ops: this.#ops, sheets: this.#sheets, uses: this.#uses };
  }

  /** Sanitizer of each op that has passed the check: its own, or by the kinds of its fields. */
  static readonly #sanitizers: OpSanitizers<BatchSanitizer> = {
    doc: (batch, op) => batch.#doc(op),
    base: (batch, op) => batch.#rebase(op),
    insert: (batch, op) => batch.#insert(op),
    remove: 'by-fields',
    move: (batch, op) => batch.#move(op),
    attribute: (batch, op) => batch.#attribute(op),
    text: (batch, op) => batch.#text(op),
    sheet: (batch, op) => batch.#sheet(op),
    define: 'by-fields',
    adopt: (batch, op) => batch.#adopt(op),
    append: 'by-fields',
    value: (batch, op) => batch.#value(op),
    splice: (batch, op) => batch.#value(op),
    checked: 'by-fields',
    selected: 'by-fields',
    validity: 'by-fields',
    scroll: 'by-fields',
    focus: 'by-fields',
    target: 'by-fields',
    selection: 'by-fields',
    caret: 'by-fields',
    top: 'by-fields',
    states: 'by-fields',
    defined: 'by-fields',
    picture: 'by-fields',
    canvas: 'by-fields',
    animate: 'by-fields',
    assign: 'by-fields',
    highlight: 'by-fields',
    transition: 'by-fields',
    refer: 'by-fields',
  };

  /** Sanitizers of texts, by the kind of their field: each returns the index of the sanitized text. */
  static readonly #texts: TextRules<BatchSanitizer> = {
    $text: (batch, index) => batch.#strings.passText(index),
    $ident: (batch, index) => batch.#strings.pass(index),
    $media: (batch, index) => batch.#media(index),
    $css: (batch, index) => batch.#rules(index, batch.#frame.context), // a constructed sheet has no imports
    $rules: (batch, index, [, owner = 0]) =>
      batch.#rules(index, { ...batch.#frame.context, base: batch.#frame.sheetAddress(owner) }), // nor have appended rules
    $picture: (batch, index, [, id = 0]) =>
      batch.#frame.hidesPicture(id) ? batch.#strings.add('') : batch.#once(safePicture, index),
    $animations: (batch, index) => batch.#once(safeAnimations, index),
  };

  static readonly #byCode = byCode(BatchSanitizer.#sanitizers, BatchSanitizer.#texts, (batch, op) =>
    batch.#ops.push(op),
  );

  #op(op: Op): void {
    const sanitizer = BatchSanitizer.#byCode[op[0] ?? 0];
    if (!sanitizer) throw refused('unknown op');
    sanitizer(this, op);
  }

  #doc(op: Op): void {
    const [code, mode, kind, page, base, still] = op as readonly [number, number, number, number, number, number?]; // checked
    const strings = this.#strings;
    const address = strings.text(page);
    this.#frame.begin(this.#batch.epoch, address, strings.text(base), still === 1);
    this.#forget();
    this.#ops.push([code, mode, kind, strings.add(shownAddress(address)), NO_STRING]);
    if (!this.#frame.fonts) return;
    // Its text is added when the batch is sent.
    this.#ops.push([OP.define, HOST_SHEET, strings.add(''), NO_STRING, 0], [OP.adopt, DOCUMENT_ID, HOST_SHEET]);
  }

  #rebase([, base = NO_STRING]: Op): void {
    this.#frame.rebase(this.#strings.text(base));
    this.#forget();
  }

  /** Called when the meaning of the document's addresses changes. */
  #forget(): void {
    this.#reader = undefined;
    this.#made.clear();
  }

  /** Returns the index of a sanitized text: made once, since a page half may use the same text any number of times. */
  #once(make: Make, index: number): number {
    let known = this.#made.get(make);
    if (!known) this.#made.set(make, (known = new Map<number, number>()));
    const text = this.#strings.text(index);
    let made = known.get(index);
    if (made === undefined) known.set(index, (made = this.#strings.add(make(text, this.#frame.context))));
    return made;
  }

  #insert(op: Op): void {
    this.#ops.push(this.#stream().insert(op, this.#silentParent(op[1] ?? 0)));
  }

  #text(op: Op): void {
    const [code, id, text] = op as readonly [number, number, number]; // checked
    if (this.#frame.nodes.get(id) === NODE.text) this.#ops.push([code, id, this.#strings.passText(text)]);
  }

  /** A value, or a part of one: the last field is its text. That of a password field never leaves the host. */
  #value(op: Op): void {
    const [, id = 0] = op;
    const text = op.at(-1) as number; // checked
    const isSecret = classAt(this.#frame.nodes.get(id)) === SECRET_INPUT;
    this.#ops.push([...op.slice(0, -1), isSecret ? this.#once(bullets, text) : this.#strings.passText(text)]);
  }

  #adopt(op: Op): void {
    const [code, id, ...sheets] = op as readonly [number, number, ...number[]]; // checked
    this.#ops.push(id === DOCUMENT_ID && this.#frame.fonts ? [code, id, HOST_SHEET, ...sheets] : [...op]);
  }

  #stream(): StreamReader {
    this.#reader ??= new StreamReader({
      strings: this.#strings,
      stringCount: this.#batch.strings.length,
      nodes: this.#frame.nodes,
      originals: this.#frame.originals,
      context: this.#frame.context,
      uses: this.#uses,
    });
    return this.#reader;
  }

  #silentParent(parent: number): boolean {
    const kind = this.#frame.nodes.get(parent);
    if (kind === NODE.unknown || kind === NODE.text || kind === NODE.silentText) throw refused('not a parent');
    return classAt(kind)?.silent ?? false;
  }

  #move(op: Op): void {
    const [, id, parent] = op as readonly [number, number, number]; // checked
    const kind = this.#frame.nodes.get(id);
    if (kind === NODE.unknown || kind === NODE.document || kind === NODE.shadow)
      throw refused('a node that cannot move');
    // A text node that was sent would become the content of the style or script element.
    if (this.#silentParent(parent) && kind === NODE.text) this.#ops.push([OP.remove, id]);
    else this.#ops.push([...op]);
  }

  #attribute(op: Op): void {
    const [, id, name, value] = op as readonly [number, number, number, number]; // checked
    const { nodes, originals } = this.#frame;
    const of = classAt(nodes.get(id));
    if (!of) return;
    const strings = this.#strings;
    const rule = this.#stream().rule(of, name);
    const always = value === NO_STRING ? of.always.get(strings.text(name).toLowerCase()) : undefined;
    if (rule === 'keep') {
      const kept = always === undefined ? strings.pass(value) : strings.add(always);
      this.#ops.push([OP.attribute, id, strings.pass(name), kept]);
      return;
    }
    const text = strings.text(value);
    const safe = value === NO_STRING ? always : this.#stream().safe(rule, value, text);
    if (rule !== 'drop')
      this.#ops.push([OP.attribute, id, strings.pass(name), safe === undefined ? NO_STRING : strings.add(safe)]);
    const original = this.#stream().original(of, name);
    if (original !== undefined) {
      const isChanged = value !== NO_STRING && (safe !== text || ALWAYS_SET.has(original));
      if (!isChanged) originals.forget(id, original);
      const keeps = isChanged ? strings.add(originals.text(id, original, text)) : NO_STRING;
      this.#ops.push([OP.attribute, id, strings.add(ORIGINAL_PREFIX + original), keeps]);
    }
    if (of === IMAGE && value !== NO_STRING && isLazy(strings.text(name), text)) nodes.set(id, LAZY_IMAGE.index);
    if (rule === 'animated' && isAnimation(of) && strings.text(name) === ANIMATED_NAME)
      this.#animate(id, of, safe !== undefined);
    if (rule === 'use') this.#stream().use(id, name, safe === undefined && value !== NO_STRING ? text : undefined);
    if (rule === 'input-type') this.#type(id, of, value === NO_STRING ? '' : text.toLowerCase());
  }

  /** Called when an input has another type, in lower case. The page half sends the value of a password field again. */
  #type(id: number, of: ElementClass, type: string): void {
    const now = inputOf(type);
    if (now === of && now === INPUT) return;
    this.#frame.nodes.set(id, now.index);
    const say = (name: string, value: string | undefined): void => {
      this.#ops.push([
        OP.attribute,
        id,
        this.#strings.add(name),
        value === undefined ? NO_STRING : this.#strings.add(value),
      ]);
    };
    say(TYPE_ATTRIBUTE, now === INPUT ? undefined : type);
    // A field that was one of passwords stays marked: what is shown there was typed unseen.
    if (now !== SECRET_INPUT || of === now) return;
    for (const [name, value] of now.always) say(name, value);
    for (const [name, rule] of now.rules) if (rule === 'drop' && of.rules.get(name) !== rule) say(name, undefined);
  }

  /** Called when an animation names an attribute that it may set, or none any more: its values are dropped then. */
  #animate(id: number, of: ElementClass, isAllowed: boolean): void {
    if (isAllowed === (of !== STILL_ANIMATION)) return;
    this.#frame.nodes.set(id, (isAllowed ? ANIMATION : STILL_ANIMATION).index);
    if (isAllowed) return;
    for (const name of ANIMATION_VALUES) this.#ops.push([OP.attribute, id, this.#strings.add(name), NO_STRING]);
  }

  #sheet(op: Op): void {
    const [, owner, source, textAt, media, disabled] = op as readonly [number, number, number, number, number, number]; // checked
    const text = this.#strings.text(textAt);
    if (source === SHEET_SOURCE.none) {
      this.#ops.push([OP.sheet, owner, source, NO_STRING, NO_STRING, disabled]);
      return;
    }
    const { context } = this.#frame;
    const at = this.#ops.push([OP.sheet, owner, SHEET_SOURCE.inline, NO_STRING, this.#media(media), disabled]) - 1;
    if (source === SHEET_SOURCE.address) {
      const url = resolve(text.trim(), context.base);
      if (!url) return;
      url.hash = '';
      this.#frame.noteSheet(owner, url.href);
      this.#sheets.push({
        op: at,
        address: url.href,
        still: context.still,
        fonts: context.fonts,
        asked: context.asked,
      });
      return;
    }
    const base = source === SHEET_SOURCE.inline ? context.base : this.#frame.sheetAddress(owner);
    const own = { ...context, base };
    if (!this.#fitsIn(text)) {
      this.#sheets.push({
        op: at,
        address: base,
        source: { text, context: own },
        still: context.still,
        fonts: context.fonts,
        asked: context.asked,
      });
      return;
    }
    const sheet = sanitizeSheet(text, own);
    if (sheet.parts.some((part) => typeof part !== 'string'))
      this.#sheets.push({
        op: at,
        address: base,
        sheet,
        still: context.still,
        fonts: context.fonts,
        asked: context.asked,
      });
    else {
      const [first, ...others] = divided(sheet, () => '');
      const made = this.#ops[at] as number[]; // pushed before
      made[3] = this.#strings.add(first);
      for (const other of others) this.#ops.push([OP.append, owner, this.#strings.add(other)]);
    }
  }

  /** Whether a sheet can be sanitized at once. */
  #fitsIn(text: string): boolean {
    this.#sheetUnits += text.length;
    return this.#sheetUnits <= MAX_AT_ONCE_UNITS;
  }

  /** Returns the index of the sanitized text of rules without imports, for the op that is pushed next. */
  #rules(index: number, context: AddressContext): number {
    const text = this.#strings.text(index);
    if (this.#fitsIn(text)) return this.#strings.add(joined(sanitizeSheet(text, context), () => ''));
    const { base: address, still } = context;
    this.#sheets.push({ op: this.#ops.length, address, source: { text, context }, importsNothing: true, still });
    return NO_STRING;
  }

  #media(index: number): number {
    if (index === NO_STRING) return NO_STRING;
    const made = this.#once(sanitizeFragment, index);
    return this.#strings.list[made] === '' ? NO_STRING : made;
  }
}

/** Returns the address of a document that the client may know: the one that the person sees in the address bar anyway. */
function shownAddress(address: string): string {
  const url = address.length > 8192 ? null : URL.parse(address);
  if (!url) return 'about:blank';
  return ['http:', 'https:', 'about:'].includes(url.protocol) ? url.href : url.protocol;
}
