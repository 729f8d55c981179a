import { encodeOp } from '../op-table.ts';
import { OPERATIONS } from './sanitize/operations.ts';
import type { SentOp, TextKind } from '../op-table.ts';
import { HOST_SHEET, NO_STRING, OP, SHEET_SOURCE } from '../ops.ts';
import type { Batch, Op } from '../ops.ts';
import type { KeepsInline, ResourceKind } from './sanitize/addresses.ts';
import { FrameSanitizer } from './sanitize/frame-sanitizer.ts';
import { refused } from './sanitize/grammar.ts';
import type { SafeBatch, SheetJob } from './sanitize/batch-sanitizer.ts';
import type { FontSheet } from './font-sheet.ts';
import type { UseJob } from './sanitize/stream.ts';
import { NODE } from './sanitize/element-classes.ts';
import type { SheetText } from './sheet-texts.ts';

/** What the sources of sheets that wait to be made safe may add up to in one frame, in UTF-16 units; past it a batch is refused. */
export const MAX_SOURCE_UNITS = 32 * 1024 * 1024;

/** What a frame's stream works with. */
interface StreamOptions {
  readonly frame: number;
  readonly resource: (kind: ResourceKind, address: string) => string;
  /** `signal` is aborted when the document's sheets are not wanted any more. */
  readonly sheet: (job: SheetJob, signal: AbortSignal) => Promise<SheetText>;
  readonly keepsInline?: KeepsInline;
  readonly showsCanvases?: () => boolean;
  /** The path of a sanitized SVG file, or undefined when there is none. */
  readonly svg: (address: string) => Promise<string | undefined>;
  /** The sheet of the surrogate's fonts. */
  readonly fonts?: FontSheet;
  /** Hands a safe batch on; `units` is its approximate size in UTF-16 units. */
  readonly emit: (batch: Batch, units: number) => void;
  /** A batch has been taken in, sanitized; `begins`: it is the first of a document. */
  readonly onTaken: (begins: boolean) => void;
}

/** A batch on its way out: what waits for its sheets holds up those after it. */
interface Waiting {
  readonly safe: SafeBatch;
  readonly units: number;
  /** Those of its units that are the sources of sheets. */
  readonly sourceUnits: number;
  /** Sheets that are not there yet. */
  missing: number;
  /** Index of the last op that says anything of an owner's sheet. */
  readonly lastSheets: ReadonlyMap<number, number>;
  /** What follows it: the further parts of its sheets. */
  readonly further: OwnOps[];
  /** Runs when it has been emitted. */
  readonly done: (() => void)[];
}

/** Ops that the host adds on its own. */
export interface OwnOps {
  readonly ops: readonly SentOp[];
  readonly done?: () => void;
}

/**
 * The way of one frame's batches from its page half to the client: sanitized at once, completed with the text of their sheets,
 * emitted in order. Ops that the host adds go under the number of the last batch.
 */
export class FrameStream {
  readonly #options: StreamOptions;
  readonly #sanitizer: FrameSanitizer;
  readonly #queue: Waiting[] = [];
  /** The sheet ops of owners by their number, so that a late text is not put over a newer one. */
  readonly #sheetVersions = new Map<number, number>();
  #sheets = 0;
  /** What `use` elements refer to in other files, by their ids. */
  readonly #uses = new Map<number, UseJob>();
  #emitted: Pick<Batch, 'epoch' | 'seq' | 'more'> | undefined;
  #epoch: number | undefined;
  #awaitsDocument = false;
  #open: boolean;
  #queuedUnits = 0;
  #sourceUnits = 0;
  /** Ends the work on what has been taken in. */
  #work = new AbortController();

  /** @param open whether batches may leave: a nested frame's wait until its owner is known to the client */
  constructor(options: StreamOptions, open: boolean) {
    this.#options = options;
    this.#open = open;
    this.#sanitizer = new FrameSanitizer(
      options.resource,
      options.keepsInline,
      options.showsCanvases,
      () => options.fonts?.available ?? false,
    );
  }

  /** Units that wait here. */
  get queuedUnits(): number {
    return this.#queuedUnits;
  }

  /** Batches that wait here. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Whether a node of an epoch has been taken in. */
  knows(epoch: number, node: number): boolean {
    return this.#epoch === epoch && this.#sanitizer.nodes.get(node) !== NODE.unknown;
  }

  /** Takes an untrusted batch. @throws AppError `mirror-refused`; the frame has to be serialized again. */
  take(batch: Batch): void {
    const begins = batch.ops[0]?.[0] === OP.doc;
    if (this.#awaitsDocument && !begins) return;
    this.#awaitsDocument = true; // unless it passes
    const safe = this.#sanitizer.sanitize(batch);
    if (begins) this.#clear();
    const sourceUnits = sourceUnitsOf(safe);
    if (this.#sourceUnits + sourceUnits > MAX_SOURCE_UNITS) throw refused('more text of style sheets than may wait');
    this.#awaitsDocument = false;
    if (begins) {
      this.#sheetVersions.clear();
      this.#uses.clear();
      this.#options.fonts?.begin();
      this.#epoch = batch.epoch;
    }
    const units = unitsOf(safe) + sourceUnits;
    const lastSheets = this.#countSheets(safe);
    const missing = safe.sheets.length;
    const waiting: Waiting = { safe, units, sourceUnits, missing, lastSheets, further: [], done: [] };
    this.#queue.push(waiting);
    this.#reveal(safe.epoch);
    this.#queuedUnits += units;
    this.#sourceUnits += sourceUnits;
    for (const job of safe.sheets) void this.#complete(waiting, job);
    for (const [address, uses] of this.#noteUses(safe.uses)) void this.#use(batch.epoch, address, uses);
    this.#options.onTaken(begins);
    this.#flush();
  }

  /** Adds ops of the host's own after all that has been taken in; dropped when the epoch is not the frame's any more. */
  add(epoch: number, own: OwnOps): void {
    if (epoch !== this.#epoch) return;
    const last = this.#queue.at(-1);
    if (last) {
      const { strings, ops } = last.safe;
      for (const op of own.ops) ops.push(encoded(op, strings));
      if (own.done) last.done.push(own.done);
    } else if (this.#emitted?.epoch === epoch) {
      this.#emitOwn(own, this.#emitted.more);
      own.done?.();
    }
  }

  /** Sends ops of the host's own under the number of the last batch. */
  #emitOwn(own: OwnOps, more: boolean): void {
    if (!this.#emitted) return;
    const strings: string[] = [];
    const ops = own.ops.map((op) => encoded(op, strings));
    const batch: Batch = { ...this.#emitted, more, strings, ops };
    this.#options.emit(batch, unitsOf(batch));
  }

  /** Lets batches out. */
  open(): void {
    this.#open = true;
    this.#flush();
  }

  /** Keeps batches back again. */
  close(): void {
    this.#open = false;
  }

  /** Forgets all that waits; nothing passes before the next document begins. */
  reset(): void {
    this.#clear();
    this.#emitted = undefined;
    this.#epoch = undefined;
    this.#awaitsDocument = true;
  }

  #clear(): void {
    this.#work.abort();
    this.#work = new AbortController();
    this.#queue.length = 0;
    this.#queuedUnits = 0;
    this.#sourceUnits = 0;
  }

  #countSheets({ ops }: SafeBatch): Map<number, number> {
    const last = new Map<number, number>();
    ops.forEach(([code, owner = 0], at) => {
      if (code === OP.sheet) this.#sheetVersions.set(owner, ++this.#sheets);
      if (code === OP.sheet || code === OP.append) last.set(owner, at);
    });
    return last;
  }

  /** Remembers the references into other files, and answers with the new ones by file. */
  #noteUses(jobs: readonly UseJob[]): Map<string, UseJob[]> {
    const byAddress = new Map<string, UseJob[]>();
    for (const job of jobs) {
      if (job.address === undefined) this.#uses.delete(job.id);
      else {
        this.#uses.set(job.id, job);
        byAddress.set(job.address, [...(byAddress.get(job.address) ?? []), job]);
      }
    }
    return byAddress;
  }

  async #use(epoch: number, address: string, jobs: readonly UseJob[]): Promise<void> {
    const path = await this.#options.svg(address);
    if (path === undefined) return;
    const current = jobs.filter((job) => this.#uses.get(job.id) === job);
    const ops = current.map(({ id, name, fragment = '' }) => [OP.attribute, id, name, path + fragment] as const);
    if (ops.length > 0) this.add(epoch, { ops });
  }

  /** Sends what the page has said in attributes that its sheets ask for, if that has not been sent. */
  #reveal(epoch: number): void {
    if (epoch !== this.#epoch) return;
    const revealed = this.#sanitizer.reveal();
    const ops = revealed.map(({ id, name, text }) => [OP.attribute, id, name, text] as const);
    if (ops.length > 0) this.add(epoch, { ops });
  }

  async #complete(waiting: Waiting, job: SheetJob): Promise<void> {
    const { safe } = waiting;
    const op = safe.ops[job.op] as number[]; // sheet jobs name ops of their batch
    const owner = op[1] ?? 0;
    const version = this.#sheetVersions.get(owner);
    const { parts, later } = await this.#options.sheet(job, this.#work.signal);
    // Parts come after the batch: not when it has something to say after the sheet.
    const isFollowed = op[0] !== OP.define && waiting.lastSheets.get(owner) !== job.op;
    const [text, ...others] = isFollowed ? ([parts.join('')] as const) : parts;
    op[sheetField(op)] = safe.strings.push(text) - 1;
    this.#reveal(safe.epoch);
    waiting.further.push(...others.map((part) => furtherPart(owner, part)));
    waiting.missing--;
    this.#flush();
    if (!later) return;
    const media = op[4] === undefined || op[4] < 0 ? '' : (safe.strings[op[4]] ?? '');
    const whole = await later;
    if (whole.join('') === parts.join('') || this.#sheetVersions.get(owner) !== version) return;
    this.#reveal(safe.epoch);
    const [first, ...rest] = whole;
    this.add(safe.epoch, { ops: [[OP.sheet, owner, SHEET_SOURCE.inline, first, media, op[5] ?? 0]] });
    for (const part of rest) this.add(safe.epoch, furtherPart(owner, part));
  }

  /** Gives a batch the fonts that its document has come to name. */
  #addFonts({ epoch, strings, ops }: SafeBatch): void {
    const names = this.#sanitizer.fonts;
    if (!names || epoch !== this.#epoch) return;
    const text = this.#options.fonts?.text(names, () => this.#addLateFonts(epoch));
    if (text === undefined) return;
    const define = encoded([OP.define, HOST_SHEET, text, null, 0], strings);
    if (ops[0]?.[0] === OP.doc) ops[1] = define;
    else ops.push(define);
  }

  /** The same once more families have been found. */
  #addLateFonts(epoch: number): void {
    const names = this.#sanitizer.fonts;
    if (!names || epoch !== this.#epoch) return;
    const text = this.#options.fonts?.text(names, () => this.#addLateFonts(epoch));
    if (text !== undefined) this.add(epoch, { ops: [[OP.define, HOST_SHEET, text, null, 0]] });
  }

  #flush(): void {
    while (this.#open && this.#queue[0]?.missing === 0) {
      const { safe, units, sourceUnits, further, done } = this.#queue.shift() as Waiting; // looked at above
      this.#queuedUnits -= units;
      this.#sourceUnits -= sourceUnits;
      const { epoch, seq, more, strings, ops } = safe;
      this.#addFonts(safe);
      this.#emitted = { epoch, seq, more };
      const last = further.pop();
      this.#options.emit({ epoch, seq, more: more || last !== undefined, strings, ops }, unitsOf(safe));
      for (const part of further) this.#emitOwn(part, true);
      if (last) this.#emitOwn(last, more);
      for (const run of done) run();
    }
  }
}

/** Kinds of fields that are the text of a sheet. */
const SHEET_KINDS: ReadonlySet<string> = new Set<TextKind>(['$sheet', '$css', '$rules']);

/** Where an op has the text of a sheet; 0 where it has none. */
const SHEET_FIELDS: ReadonlyMap<number, number> = new Map(
  [...OPERATIONS].map(([code, { kinds }]) => [code, 1 + kinds.findIndex((kind) => SHEET_KINDS.has(kind))]),
);

function sheetField(op: Op): number {
  return SHEET_FIELDS.get(op[0] ?? 0) ?? 0;
}

/** A further part of an element's sheet. */
function furtherPart(owner: number, text: string): OwnOps {
  return { ops: [[OP.append, owner, text]] };
}

/** An own op with its texts put at the end of a batch's strings. */
function encoded(op: SentOp, strings: string[]): number[] {
  return encodeOp(op, (text) => (text === null ? NO_STRING : strings.push(text) - 1));
}

/** What the sheets take up that are yet to be made safe. */
function sourceUnitsOf({ sheets }: SafeBatch): number {
  return sheets.reduce((sum, { source }) => sum + (source?.text.length ?? 0), 0);
}

/** About what a batch takes up as JSON. */
function unitsOf({ strings, ops }: Pick<Batch, 'strings' | 'ops'>): number {
  let units = 100;
  for (const text of strings) units += text.length + 3;
  for (const op of ops) units += op.length * 3 + 2;
  return units;
}
