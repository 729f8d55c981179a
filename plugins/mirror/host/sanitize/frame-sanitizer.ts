import { DOCUMENT_ID, HOST_SHEET, NO_STRING, OP, SHEET_SOURCE } from '../../ops.ts';
import type { Batch, Op } from '../../ops.ts';
import { resolve } from './addresses.ts';
import type { AddressContext, KeepsInline, ResourceKind } from './addresses.ts';
import { safeAnimations } from './animations.ts';
import { isLazy, safePicture, safeValue } from './attributes.ts';
import { fontNames } from './css-fonts.ts';
import type { FontNames } from './css-fonts.ts';
import { divided, joined, sanitizeFragment, sanitizeSheet } from './css.ts';
import type { Rewritten } from './css.ts';
import { CANVAS, classAt, elementOf, IMAGE, LAZY_IMAGE, MASKED_INPUT, NODE } from './element-classes.ts';
import { checkBatch, checkOp, refused } from './grammar.ts';
import { NodeTable } from './node-table.ts';
import { Originals } from './originals.ts';
import type { Revealed } from './originals.ts';
import { ORIGINAL_PREFIX, TEXT_LIKE_TYPES, TYPE_ATTRIBUTE } from './policy.ts';
import { StreamReader } from './stream.ts';
import type { UseJob } from './stream.ts';
import { Strings } from './strings.ts';

/** An op with a sheet's text of a safe batch whose text is not there yet: index of the op, and what its text will be made of. */
export interface SheetJob {
  readonly op: number;
  /** Absolute address of the sheet, or of what its relative addresses are resolved against. */
  readonly address: string;
  /** The sanitized text, with imports to be filled in; absent: to be made of the source, or else of what is fetched from the address. */
  readonly sheet?: Rewritten;
  /** A long source text, yet to be sanitized: in turns, so that others have theirs. */
  readonly source?: { readonly text: string; readonly context: AddressContext };
  /** Imports in it mean nothing. */
  readonly importsNothing?: true;
  /** The document runs no scripts. */
  readonly still: boolean;
  /** Takes up the families that its imports name; absent where fonts are the person's. */
  readonly fonts?: FontNames | undefined;
}

/** A batch that may go to the client once its sheets are filled in: until then their text is -1. */
export interface SafeBatch {
  readonly epoch: number;
  readonly seq: number;
  readonly more: boolean;
  readonly strings: string[];
  readonly ops: number[][];
  readonly sheets: readonly SheetJob[];
  readonly uses: readonly UseJob[];
}

/** What sheets of a batch may add up to that are sanitized at once, in UTF-16 units: the others follow in turns. */
const MAX_AT_ONCE_UNITS = 64 * 1024;
/** Most sheet owners whose address is remembered. */
const MAX_SHEET_ADDRESSES = 4096;

/**
 * Turns the untrusted batches of one frame into safe ones, in order: no I/O, no state but what later ops are judged by. What is
 * well-formed and not allowed is left out or replaced; what does not fit the grammar refuses the whole batch, because the sender is
 * broken or hostile and the two trees have parted.
 */
export class FrameSanitizer {
  readonly #resource: (kind: ResourceKind, address: string) => string;
  readonly #keepsInline: KeepsInline | undefined;
  readonly #showsCanvases: () => boolean;
  readonly #mapsFonts: () => boolean;
  #epoch: number | undefined;
  #fonts: FontNames | undefined;
  #nodes = new NodeTable();
  #originals = new Originals();
  #base = 'about:blank';
  #page = 'about:blank';
  #still = false;
  /** Where the sheets of owners came from: rules that script has changed still have relative addresses. */
  #sheetAddresses = new Map<number, string>();

  /**
   * `showsCanvases`: whether the policy lets pictures of canvases out, now; `mapsFonts`: whether a document that begins now is shown
   * in the surrogate's fonts, by a sheet of the host's own.
   */
  constructor(
    resource: (kind: ResourceKind, address: string) => string,
    keepsInline?: KeepsInline,
    showsCanvases = (): boolean => true,
    mapsFonts = (): boolean => false,
  ) {
    this.#resource = resource;
    this.#keepsInline = keepsInline;
    this.#showsCanvases = showsCanvases;
    this.#mapsFonts = mapsFonts;
  }

  /** @throws AppError `mirror-refused`; after that only a batch that begins with a `doc` op is taken. */
  sanitize(batch: Batch): SafeBatch {
    try {
      checkBatch(batch);
      const first = batch.ops[0];
      if (first?.[0] !== OP.doc && batch.epoch !== this.#epoch)
        throw refused('a batch of an epoch that has no document');
      return new Pass(this, batch).run();
    } catch (thrown) {
      this.#epoch = undefined;
      throw thrown;
    }
  }

  /** What addresses of the document mean. */
  get context(): AddressContext {
    return {
      base: this.#base,
      page: this.#page,
      still: this.#still,
      resource: this.#resource,
      keepsInline: this.#keepsInline,
      fonts: this.#fonts,
    };
  }

  /** The families that the document names so far, if it is shown in the surrogate's fonts. */
  get fonts(): FontNames | undefined {
    return this.#fonts;
  }

  get nodes(): NodeTable {
    return this.#nodes;
  }

  get originals(): Originals {
    return this.#originals;
  }

  /** The picture that a node shows now, as it may leave; empty for none. */
  picture(id: number, picture: string): string {
    const isHidden = classAt(this.#nodes.get(id)) === CANVAS && !this.#showsCanvases();
    return isHidden ? '' : safePicture(picture, this.context);
  }

  /** Attributes of nodes so far that have to be sent because a safe sheet of the document asks for them. */
  reveal(sheet: string): Revealed[] {
    return this.#originals.reveal(sheet);
  }

  /** Begins a document. */
  begin(epoch: number, page: string, base: string, still: boolean): void {
    this.#still = still;
    this.#epoch = epoch;
    this.#fonts = this.#mapsFonts() ? fontNames() : undefined;
    this.#nodes = new NodeTable();
    this.#nodes.set(DOCUMENT_ID, NODE.document);
    this.#originals = new Originals();
    this.#sheetAddresses = new Map();
    this.#page = page;
    this.#base = base;
  }

  rebase(base: string): void {
    this.#base = base;
  }

  /** The address that a sheet's own addresses are resolved against; noted when it is given. */
  sheetAddress(owner: number, address?: string): string {
    if (address === undefined) return this.#sheetAddresses.get(owner) ?? this.#base;
    if (this.#sheetAddresses.size >= MAX_SHEET_ADDRESSES) this.#sheetAddresses.clear();
    this.#sheetAddresses.set(owner, address);
    return address;
  }
}

/** One batch on its way. */
class Pass {
  readonly #frame: FrameSanitizer;
  readonly #batch: Batch;
  readonly #strings: Strings;
  readonly #ops: number[][] = [];
  readonly #sheets: SheetJob[] = [];
  readonly #uses: UseJob[] = [];
  #reader: StreamReader | undefined;
  /** What sheets have added up to. */
  #sheetUnits = 0;

  constructor(frame: FrameSanitizer, batch: Batch) {
    this.#frame = frame;
    this.#batch = batch;
    this.#strings = new Strings(batch.strings);
  }

  run(): SafeBatch {
    const { epoch, seq, more, ops, strings } = this.#batch;
    ops.forEach((op, index) => {
      checkOp(op, strings.length);
      if (op[0] === OP.doc && index > 0) throw refused('a document begins within a batch');
      this.#op(op);
    });
    return { epoch, seq, more, strings: this.#strings.list, ops: this.#ops, sheets: this.#sheets, uses: this.#uses };
  }

  #op(op: Op): void {
    // The grammar has checked the number of fields.
    const [code, id, second, third, fourth, fifth] = op as unknown as [number, number, number, number, number, number];
    const strings = this.#strings;
    switch (code) {
      case OP.doc: {
        const url = strings.text(third);
        this.#frame.begin(this.#batch.epoch, url, strings.text(fourth), fifth === 1);
        this.#reader = undefined;
        this.#ops.push([code, id, second, strings.add(shownAddress(url)), NO_STRING]);
        if (this.#frame.fonts) {
          // Its text is filled in when the batch leaves.
          this.#ops.push([OP.define, HOST_SHEET, strings.add(''), NO_STRING, 0], [OP.adopt, DOCUMENT_ID, HOST_SHEET]);
        }
        return;
      }
      case OP.base:
        this.#frame.rebase(strings.text(id));
        this.#reader = undefined;
        return;
      case OP.insert:
        this.#ops.push(this.#stream().insert(op, this.#silentParent(id)));
        return;
      case OP.move:
        this.#move(op, id, second);
        return;
      case OP.attribute:
        this.#attribute(id, second, third);
        return;
      case OP.text:
        if (this.#frame.nodes.get(id) === NODE.text) this.#ops.push([code, id, strings.passText(second)]);
        return;
      case OP.sheet:
        this.#sheet(id, second, strings.text(third), strings.text(fourth), fifth);
        return;
      case OP.define: {
        // A constructed sheet has no imports.
        const media = this.#media(strings.text(third));
        this.#ops.push([code, id, this.#rules(strings.text(second), this.#frame.context), media, fourth]);
        return;
      }
      case OP.adopt:
        this.#ops.push(id === DOCUMENT_ID && this.#frame.fonts ? [code, id, HOST_SHEET, ...op.slice(2)] : [...op]);
        return;
      case OP.append: {
        // Rules that are added one by one cannot be imports.
        const context = { ...this.#frame.context, base: this.#frame.sheetAddress(id) };
        this.#ops.push([code, id, this.#rules(strings.text(second), context)]);
        return;
      }
      case OP.highlight:
        this.#ops.push([code, strings.pass(id), ...op.slice(2)]);
        return;
      case OP.picture:
        this.#ops.push([code, id, strings.add(this.#frame.picture(id, strings.text(second)))]);
        return;
      case OP.animate:
        this.#ops.push([code, id, strings.add(safeAnimations(strings.text(second), this.#frame.context))]);
        return;
      case OP.value:
      case OP.validity:
        this.#ops.push([code, id, strings.passText(second)]);
        return;
      case OP.splice:
        this.#ops.push([...op.slice(0, 5), strings.passText(fifth)]);
        return;
      case OP.transition:
      case OP.states:
        this.#ops.push([code, id, ...op.slice(2).map((state) => strings.pass(state))]);
        return;
      default: // numbers alone, in range
        this.#ops.push([...op]);
    }
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
    if (kind === NODE.unknown || kind === NODE.text || kind === NODE.silentText) throw refused('a parent that is none');
    return classAt(kind)?.silent ?? false;
  }

  #move(op: Op, id: number, parent: number): void {
    const kind = this.#frame.nodes.get(id);
    if (kind === NODE.unknown || kind === NODE.document || kind === NODE.shadow)
      throw refused('a move of what cannot move');
    // Text that has been sent would become what the style or script element holds.
    if (this.#silentParent(parent) && kind === NODE.text) this.#ops.push([OP.remove, id]);
    else this.#ops.push([...op]);
  }

  #attribute(id: number, name: number, value: number): void {
    const { nodes, originals, context } = this.#frame;
    const of = classAt(nodes.get(id));
    if (!of) return;
    const strings = this.#strings;
    const rule = this.#stream().rule(of, name);
    if (rule === 'keep') {
      this.#ops.push([OP.attribute, id, strings.pass(name), strings.pass(value)]);
      return;
    }
    const text = strings.text(value);
    const safe = value === NO_STRING && rule !== 'action' ? undefined : safeValue(rule, text, context);
    if (rule !== 'drop')
      this.#ops.push([OP.attribute, id, strings.pass(name), safe === undefined ? NO_STRING : strings.add(safe)]);
    const original = this.#stream().original(of, name);
    if (original !== undefined) {
      const isChanged = value !== NO_STRING && safe !== text;
      if (!isChanged) originals.forget(id, original);
      const keeps = isChanged ? strings.add(originals.text(id, original, text)) : NO_STRING;
      this.#ops.push([OP.attribute, id, strings.add(ORIGINAL_PREFIX + original), keeps]);
    }
    if (of === IMAGE && value !== NO_STRING && isLazy(strings.text(name), text)) nodes.set(id, LAZY_IMAGE.index);
    if (rule === 'use') this.#stream().use(id, name, safe === undefined && value !== NO_STRING ? text : undefined);
    if (rule !== 'input-type') return;
    const type = text.toLowerCase();
    const masked = TEXT_LIKE_TYPES.has(type);
    if (!masked && of !== MASKED_INPUT) return;
    nodes.set(id, masked ? MASKED_INPUT.index : elementOf(0, 'input').class.index);
    this.#ops.push([OP.attribute, id, strings.add(TYPE_ATTRIBUTE), masked ? strings.add(type) : NO_STRING]);
  }

  #sheet(owner: number, source: number, text: string, media: string, disabled: number): void {
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
      this.#sheets.push({
        op: at,
        address: this.#frame.sheetAddress(owner, url.href),
        still: context.still,
        fonts: context.fonts,
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
      });
      return;
    }
    const sheet = sanitizeSheet(text, own);
    if (sheet.parts.some((part) => typeof part !== 'string'))
      this.#sheets.push({ op: at, address: base, sheet, still: context.still, fonts: context.fonts });
    else {
      const [first, ...others] = divided(sheet, () => '');
      const op = this.#ops[at] as number[]; // pushed before
      op[3] = this.#strings.add(first);
      for (const other of others) this.#ops.push([OP.append, owner, this.#strings.add(other)]);
    }
  }

  /** Whether a sheet can be sanitized at once. */
  #fitsIn(text: string): boolean {
    this.#sheetUnits += text.length;
    return this.#sheetUnits <= MAX_AT_ONCE_UNITS;
  }

  /** The safe text of rules without imports, for the op that is pushed next. */
  #rules(text: string, context: AddressContext): number {
    if (this.#fitsIn(text)) return this.#strings.add(joined(sanitizeSheet(text, context), () => ''));
    const { base: address, still } = context;
    this.#sheets.push({ op: this.#ops.length, address, source: { text, context }, importsNothing: true, still });
    return NO_STRING;
  }

  #media(text: string): number {
    return text === '' ? NO_STRING : this.#strings.add(sanitizeFragment(text, this.#frame.context));
  }
}

/** The address of a document as the client may know it: what the person sees in the address bar anyway. */
function shownAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || address.length > 8192) return 'about:blank';
  return ['http:', 'https:', 'about:'].includes(url.protocol) ? url.href : url.protocol;
}
