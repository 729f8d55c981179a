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
import type { NodePages } from './sanitize/node-table.ts';
import { QueueBudget } from './queue-budget.ts';
import type { UseJob } from './sanitize/stream.ts';
import { NODE } from './sanitize/element-classes.ts';
import type { SheetText } from './sheet-texts.ts';
import { SheetVersions } from './sheet-versions.ts';
import { UseTable } from './use-table.ts';

/** Maximum total length of sheet sources in one frame that wait to be sanitized, in UTF-16 units; past it a batch is refused. */
export const MAX_SOURCE_UNITS = 32 * 1024 * 1024;

/** Dependencies of a frame's stream. */
interface StreamOptions {
  readonly frame: number;
  readonly resource: (kind: ResourceKind, address: string) => string;
  /** `signal` is aborted when the document's sheets are not needed any more. */
  readonly sheet: (job: SheetJob, signal: AbortSignal) => Promise<SheetText>;
  readonly keepsInline?: KeepsInline;
  readonly showsCanvases?: () => boolean;
  /** Links that may open the person's own applications. */
  readonly applications?: () => readonly string[];
  /** Resolves to the path of a sanitized SVG file, or undefined when there is none. */
  readonly svg: (address: string) => Promise<string | undefined>;
  /** The sheet with the surrogate's fonts. */
  readonly fonts?: FontSheet;
  /** Limits of all frames of the tab. */
  readonly nodePages?: NodePages;
  readonly budget?: QueueBudget;
  /** Sends a sanitized batch; `units` is its approximate size in UTF-16 units. */
  readonly emit: (batch: Batch, units: number) => void;
  /** Called when a batch has been received and sanitized; `begins`: it is the first of a document. */
  readonly onTaken: (begins: boolean) => void;
}

/** A queued batch: one that waits for its sheets delays the next ones. */
interface Waiting {
  readonly safe: SafeBatch;
  readonly units: number;
  /** Part of its units that is sources of sheets. */
  readonly sourceUnits: number;
  /** Number of sheets that are not loaded yet. */
  missing: number;
  /** Index of the last op on an owner's sheet. */
  readonly lastSheets: ReadonlyMap<number, number>;
  /** Ops that follow it: the further parts of its sheets. */
  readonly further: OwnOps[];
  /** Called when it has been emitted. */
  readonly done: (() => void)[];
}

/** Ops that the host adds. */
export interface OwnOps {
  readonly ops: readonly SentOp[];
  readonly done?: () => void;
}

/**
 * Queue of one frame's batches from its page half to the client: sanitizes them at once, adds the text of their sheets, and
 * emits them in order. Ops that the host adds get the number of the last batch.
 */
export class FrameStream {
  readonly #options: StreamOptions;
  readonly #sanitizer: FrameSanitizer;
  readonly #queue: Waiting[] = [];
  /** Versions of the sheets of owners, so that a late text does not replace a newer one. */
  readonly #sheetVersions = new SheetVersions();
  /** References of `use` elements into other files, by id. */
  readonly #uses = new UseTable();
  #emitted: Pick<Batch, 'epoch' | 'seq' | 'more'> | undefined;
  #epoch: number | undefined;
  #awaitsDocument = false;
  #open: boolean;
  readonly #budget: QueueBudget;
  #queuedUnits = 0;
  #sourceUnits = 0;
  /** Aborts the work on received batches. */
  #work = new AbortController();

  /** @param open whether batches may be sent: those of a nested frame wait until the client knows its owner */
  constructor(options: StreamOptions, open: boolean) {
    this.#options = options;
    this.#open = open;
    this.#budget = options.budget ?? new QueueBudget();
    this.#sanitizer = new FrameSanitizer(
      options.resource,
      options.keepsInline,
      options.showsCanvases,
      () => options.fonts?.available ?? false,
      options.nodePages,
      options.applications,
    );
  }

  /** Number of queued units. */
  get queuedUnits(): number {
    return this.#queuedUnits;
  }

  /** Number of queued batches. */
  get queued(): number {
    return this.#queue.length;
  }

  /** Whether a node of an epoch has been received. */
  knows(epoch: number, node: number): boolean {
    return this.#epoch === epoch && this.#sanitizer.nodes.get(node) !== NODE.unknown;
  }

  /** Receives an untrusted batch. @throws AppError `mirror-refused`; the frame must be serialized again. */
  take(batch: Batch): void {
    const begins = batch.ops[0]?.[0] === OP.doc;
    if (this.#awaitsDocument && !begins) return;
    this.#awaitsDocument = true; // unless it passes
    const safe = this.#sanitizer.sanitize(batch);
    if (begins) this.#clear();
    const sourceUnits = sourceUnitsOf(safe);
    if (this.#sourceUnits + sourceUnits > MAX_SOURCE_UNITS) throw refused('too much waiting text of style sheets');
    const units = unitsOf(safe) + sourceUnits;
    this.#budget.take(units);
    this.#awaitsDocument = false;
    if (begins) {
      this.#sheetVersions.clear();
      this.#uses.clear();
      this.#options.fonts?.begin();
      this.#epoch = batch.epoch;
    }
    const lastSheets = this.#countSheets(safe);
    const missing = safe.sheets.length;
    const waiting: Waiting = { safe, units, sourceUnits, missing, lastSheets, further: [], done: [] };
    this.#queue.push(waiting);
    this.#reveal(safe.epoch);
    this.#queuedUnits += units;
    this.#sourceUnits += sourceUnits;
    for (const job of safe.sheets) void this.#complete(waiting, job);
    for (const [address, uses] of this.#uses.note(safe.uses)) void this.#use(batch.epoch, address, uses);
    this.#options.onTaken(begins);
    this.#flush();
  }

  /** Adds the host's own ops after everything received; drops them if the frame is in another epoch. */
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

  /** Sends the host's own ops under the number of the last batch. */
  #emitOwn(own: OwnOps, more: boolean): void {
    if (!this.#emitted) return;
    const strings: string[] = [];
    const ops = own.ops.map((op) => encoded(op, strings));
    const batch: Batch = { ...this.#emitted, more, strings, ops };
    this.#options.emit(batch, unitsOf(batch));
  }

  /** Starts sending batches. */
  open(): void {
    this.#open = true;
    this.#flush();
  }

  /** Stops sending batches. */
  close(): void {
    this.#open = false;
  }

  /** Drops all queued batches; nothing is accepted before the next document starts. */
  reset(): void {
    this.#clear();
    this.#emitted = undefined;
    this.#epoch = undefined;
    this.#awaitsDocument = true;
    this.#sanitizer.end();
    this.#sheetVersions.clear();
    this.#uses.clear();
  }

  #clear(): void {
    this.#work.abort();
    this.#work = new AbortController();
    this.#budget.release(this.#queue.length, this.#queuedUnits);
    this.#queue.length = 0;
    this.#queuedUnits = 0;
    this.#sourceUnits = 0;
  }

  #countSheets({ ops }: SafeBatch): Map<number, number> {
    const last = new Map<number, number>();
    ops.forEach(([code, owner = 0], at) => {
      if (code === OP.sheet) this.#sheetVersions.renew(owner);
      if (code === OP.sheet || code === OP.append) last.set(owner, at);
    });
    return last;
  }

  async #use(epoch: number, address: string, jobs: readonly UseJob[]): Promise<void> {
    const path = await this.#options.svg(address);
    if (path === undefined) return;
    const current = jobs.filter((job) => this.#uses.has(job));
    const ops = current.map(({ id, name, fragment = '' }) => [OP.attribute, id, name, path + fragment] as const);
    if (ops.length > 0) this.add(epoch, { ops });
  }

  /** Sends the original attribute values that its sheets ask for, if they have not been sent. */
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
    const version = this.#sheetVersions.of(owner);
    const { parts, later } = await this.#options.sheet(job, this.#work.signal);
    // Further parts follow the batch: not possible if it has a later op on the sheet.
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
    if (whole.join('') === parts.join('') || this.#sheetVersions.of(owner) !== version) return;
    this.#reveal(safe.epoch);
    const [first, ...rest] = whole;
    this.add(safe.epoch, { ops: [[OP.sheet, owner, SHEET_SOURCE.inline, first, media, op[5] ?? 0]] });
    for (const part of rest) this.add(safe.epoch, furtherPart(owner, part));
  }

  /** Adds the fonts that its document names by now to a batch. */
  #addFonts({ epoch, strings, ops }: SafeBatch): void {
    const names = this.#sanitizer.fonts;
    if (!names || epoch !== this.#epoch) return;
    const text = this.#options.fonts?.text(names, () => this.#addLateFonts(epoch));
    if (text === undefined) return;
    const define = encoded([OP.define, HOST_SHEET, text, null, 0], strings);
    if (ops[0]?.[0] === OP.doc) ops[1] = define;
    else ops.push(define);
  }

  /** Sends them again when more families have been looked up. */
  #addLateFonts(epoch: number): void {
    const names = this.#sanitizer.fonts;
    if (!names || epoch !== this.#epoch) return;
    const text = this.#options.fonts?.text(names, () => this.#addLateFonts(epoch));
    if (text !== undefined) this.add(epoch, { ops: [[OP.define, HOST_SHEET, text, null, 0]] });
  }

  #flush(): void {
    while (this.#open && this.#queue[0]?.missing === 0) {
      const { safe, units, sourceUnits, further, done } = this.#queue.shift() as Waiting; // checked above
      this.#queuedUnits -= units;
      this.#sourceUnits -= sourceUnits;
      this.#budget.release(1, units);
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

/** Index of the field with the text of a sheet, by op; 0 for ops without one. */
const SHEET_FIELDS: ReadonlyMap<number, number> = new Map(
  [...OPERATIONS].map(([code, { kinds }]) => [code, 1 + kinds.findIndex((kind) => SHEET_KINDS.has(kind))]),
);

function sheetField(op: Op): number {
  return SHEET_FIELDS.get(op[0] ?? 0) ?? 0;
}

/** Returns the op for a further part of an element's sheet. */
function furtherPart(owner: number, text: string): OwnOps {
  return { ops: [[OP.append, owner, text]] };
}

/** Encodes an op; appends its texts to the strings of a batch. */
function encoded(op: SentOp, strings: string[]): number[] {
  return encodeOp(op, (text) => (text === null ? NO_STRING : strings.push(text) - 1));
}

/** Returns the total length of the sheet sources that wait to be sanitized. */
function sourceUnitsOf({ sheets }: SafeBatch): number {
  return sheets.reduce((sum, { source }) => sum + (source?.text.length ?? 0), 0);
}

/** Returns the approximate size of a batch as JSON. */
function unitsOf({ strings, ops }: Pick<Batch, 'strings' | 'ops'>): number {
  let units = 100;
  for (const text of strings) units += text.length + 3;
  for (const op of ops) units += op.length * 3 + 2;
  return units;
}
