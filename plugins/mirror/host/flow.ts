/** Maximum of batches, and UTF-16 units, that the client has not applied yet; past it the page halves are held. */
export const MAX_OUTSTANDING_BATCHES = 64;
const MAX_OUTSTANDING_UNITS = 4 * 1024 * 1024;
/** Maximum number of batches of one frame that are counted one by one: a hostile page half does not stop when it is held. */
export const MAX_COUNTED = 1000;

interface Sent {
  readonly epoch: number;
  seq: number;
  units: number;
}

/** Counts the batches that were sent to the client and are not applied. */
export class Flow {
  readonly #sent = new Map<number, Sent[]>();
  #batches = 0;
  #units = 0;
  #full = false;

  /** Whether too much is unapplied; stays true until half of it has been applied. */
  get full(): boolean {
    return this.#full;
  }

  /** Number of batches that are counted one by one. */
  get counted(): number {
    return this.#batches;
  }

  sent(frame: number, epoch: number, seq: number, units: number): void {
    const list = this.#sent.get(frame) ?? [];
    this.#sent.set(frame, list);
    const last = list.at(-1);
    this.#units += units;
    if (last?.epoch === epoch && list.length >= MAX_COUNTED) {
      last.seq = seq;
      last.units += units;
    } else {
      list.push({ epoch, seq, units });
      this.#batches++;
    }
    this.#judge();
  }

  /** Called when the client has applied a batch of a frame, and all before it. */
  applied(frame: number, epoch: number, seq: number): void {
    const list = this.#sent.get(frame);
    const last = list?.findLastIndex((sent) => sent.epoch === epoch && sent.seq <= seq) ?? -1;
    if (list && last >= 0) this.#drop(list.splice(0, last + 1));
  }

  /** Called when a frame is removed or starts again: its batches count no more. */
  forget(frame: number): void {
    this.#drop(this.#sent.get(frame) ?? []);
    this.#sent.delete(frame);
  }

  #drop(dropped: readonly Sent[]): void {
    this.#batches -= dropped.length;
    for (const { units } of dropped) this.#units -= units;
    this.#judge();
  }

  #judge(): void {
    const share = this.#full ? 0.5 : 1;
    this.#full = this.#batches > MAX_OUTSTANDING_BATCHES * share || this.#units > MAX_OUTSTANDING_UNITS * share;
  }
}
