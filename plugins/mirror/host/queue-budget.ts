import { AppError } from '../../../core/protocol/errors.ts';

/** Maximum number of batches that wait in all frames of a tab, and their total size in UTF-16 units. Page halves are held far before. */
const MAX_BATCHES = 10_000;
const MAX_UNITS = 96 * 1024 * 1024;

/** Limits what waits in all frames of a tab: a hostile page half does not stop when it is held. */
export class QueueBudget {
  readonly #max: { readonly batches: number; readonly units: number };
  #batches = 0;
  #units = 0;

  constructor(max = { batches: MAX_BATCHES, units: MAX_UNITS }) {
    this.#max = max;
  }

  /** Adds a batch. @throws AppError `mirror-refused`, retryable, when too much is waiting. */
  take(units: number): void {
    if (this.#batches >= this.#max.batches || this.#units + units > this.#max.units)
      throw new AppError('mirror-refused', 'too much is waiting in the frames of the tab', { retryable: true });
    this.#batches += 1;
    this.#units += units;
  }

  release(batches: number, units: number): void {
    this.#batches -= batches;
    this.#units -= units;
  }
}
