import { encodeOp } from '../op-table.ts';
import type { SentOp } from '../op-table.ts';
import { BATCH_UNITS, NO_STRING } from '../ops.ts';
import type { Batch } from '../ops.ts';

/** Longest string that is looked up in the table: longer ones rarely repeat. */
const SHARED_UNITS = 256;
/** Approximate size of an integer in the JSON of a batch. */
const INTEGER_UNITS = 4;
/** Size of a string besides its text. */
const STRING_UNITS = 3;
/** Longest text that is sent unchecked, and longest one as JSON: the host accepts packets of at most 8 Mi units. */
const PLAIN_UNITS = 1024 * 1024;
const JSON_UNITS = 6 * 1024 * 1024;

/** Collects the ops of a flush and emits them in batches. */
export class Writer {
  readonly #send: (batch: Batch) => void;
  #first: () => SentOp | undefined = () => undefined;
  #epoch = 0;
  #seq = 0;
  #strings: string[] = [];
  #index = new Map<string, number>();
  #ops: number[][] = [];
  #units = 0;
  #goesOn = false;

  constructor(send: (batch: Batch) => void) {
    this.#send = send;
  }

  /** Registers a callback whose op precedes all others of a flush, except the first one of an epoch. */
  onFirst(first: () => SentOp | undefined): void {
    this.#first = first;
  }

  /** Number of the last batch of this epoch. */
  get seq(): number {
    return this.#seq;
  }

  /** Drops ops that were not emitted, and counts batches from 1 again. */
  begin(epoch: number): void {
    this.#epoch = epoch;
    this.#seq = 0;
    this.#goesOn = false;
    this.#empty();
  }

  /** Returns the index of a text in the batch's strings; none for null. Valid only for the op that is written next. */
  string(text: string | null): number {
    if (text === null) return NO_STRING;
    const shared = text.length <= SHARED_UNITS;
    const known = shared ? this.#index.get(text) : undefined;
    if (known !== undefined) return known;
    const index = this.#strings.push(isSendable(text) ? text : '') - 1;
    if (shared) this.#index.set(text, index);
    this.#units += text.length + STRING_UNITS;
    return index;
  }

  /** Adds an op; a large batch is emitted. */
  op(op: SentOp): void {
    this.stream(encodeOp(op, (text) => this.string(text)));
  }

  /** Adds an op of numbers, whose texts have their indexes already. */
  stream(op: number[]): void {
    if (this.#ops.length === 0 && this.#seq > 0 && !this.#goesOn) {
      const first = this.#first();
      if (first) this.#ops.push(encodeOp(first, (text) => this.string(text)));
    }
    this.#ops.push(op);
    this.#units += op.length * INTEGER_UNITS;
    if (this.#units >= BATCH_UNITS) this.#flush(true);
  }

  /** Whether an op of that many integers would fill the batch. */
  full(integers: number): boolean {
    return this.#units + integers * INTEGER_UNITS >= BATCH_UNITS;
  }

  /** Emits the rest: the flush is complete. */
  end(): void {
    if (this.#ops.length > 0 || this.#goesOn) this.#flush(false);
  }

  #flush(more: boolean): void {
    const batch: Batch = { epoch: this.#epoch, seq: ++this.#seq, more, strings: this.#strings, ops: this.#ops };
    this.#goesOn = more;
    this.#empty();
    this.#send(batch);
  }

  #empty(): void {
    this.#strings = [];
    this.#index = new Map();
    this.#ops = [];
    this.#units = 0;
  }
}

function isSendable(text: string): boolean {
  return text.length <= PLAIN_UNITS || JSON.stringify(text).length <= JSON_UNITS;
}
