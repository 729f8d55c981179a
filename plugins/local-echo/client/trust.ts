import type { Editable } from '../../../core/index.ts';
import { isSign } from './acts.ts';
import type { Act } from './acts.ts';

/** Fields that are remembered. */
const MOST_FIELDS = 500;
/** Signs that editors of rich text close, or type over: what they do is seen once before they are shown at once. */
const PAIRED = /^[()[\]{}<>"'`]$/;
/** Wrong echoes after which rich text is left to the page for good (M-047). */
const MOST_WRONG_RICH = 3;

interface Memory {
  /** Times of wrong echoes. */
  wrong: readonly number[];
  /** Acts that this field has answered otherwise. */
  readonly surprises: Set<string>;
  /** Signs of {@link PAIRED} that it has answered as expected. */
  readonly known: Set<string>;
  isExcluded: boolean;
}

interface TrustOptions {
  /** Wrong echoes in a field, within so many ms, that are put up with. */
  readonly tolerance: number;
  readonly toleranceMs: number;
  readonly now?: () => number;
}

/**
 * Remembers where echoes were wrong. A key that a field has answered otherwise is not echoed there again: an editor that closes brackets goes on
 * to do so. Signs are no more than that; where letters, digits or editing keys are answered otherwise too often, nothing is echoed any more.
 */
export class Trust {
  readonly #options: TrustOptions;
  readonly #fields = new Map<string, Memory>();

  constructor(options: TrustOptions) {
    this.#options = options;
  }

  /** Whether an act in a field may be shown before the page has answered. */
  allows(field: Editable, act: Act): boolean {
    const memory = this.#fields.get(keyOf(field));
    if (memory && (memory.isExcluded || memory.surprises.has(nameOf(act)))) return false;
    return !this.isUnknown(field, act);
  }

  /** Whether a field is left to the page. */
  isExcluded(field: Editable): boolean {
    return this.#fields.get(keyOf(field))?.isExcluded === true;
  }

  /** Whether nobody knows what a field does with an act: what it answers tells {@link learn}. */
  isUnknown(field: Editable, act: Act): boolean {
    if (field.kind !== 'rich' || act.kind !== 'insert' || !PAIRED.test(act.text)) return false;
    const { known, surprises } = this.#fields.get(keyOf(field)) ?? {};
    return known?.has(act.text) !== true && surprises?.has(act.text) !== true;
  }

  /** A field has answered an act that was not shown at once: as expected, or otherwise. */
  learn(field: Editable, act: Act, isExpected: boolean): void {
    const { known, surprises } = this.#memoryOf(field);
    (isExpected ? known : surprises).add(nameOf(act));
  }

  /** An echo was wrong. Answers whether the field is left to the page from now on. */
  wrong(field: Editable, act: Act): boolean {
    const memory = this.#memoryOf(field);
    memory.surprises.add(nameOf(act));
    if (isSign(act)) return memory.isExcluded;
    const now = (this.#options.now ?? (() => performance.now()))();
    const { tolerance, toleranceMs } = this.#options;
    const most = field.kind === 'rich' ? Math.min(tolerance, MOST_WRONG_RICH) : tolerance;
    memory.wrong = [...memory.wrong.filter((at) => field.kind === 'rich' || now - at <= toleranceMs), now];
    memory.isExcluded ||= memory.wrong.length > most;
    return memory.isExcluded;
  }

  /** The person wants echoes in the field again, or not. */
  decide(field: Editable, isWanted: boolean): void {
    if (isWanted) this.#fields.delete(keyOf(field));
    else this.#memoryOf(field).isExcluded = true;
  }

  #memoryOf(field: Editable): Memory {
    const key = keyOf(field);
    const memory = this.#fields.get(key) ?? { wrong: [], surprises: new Set(), known: new Set(), isExcluded: false };
    this.#fields.delete(key);
    this.#fields.set(key, memory);
    if (this.#fields.size > MOST_FIELDS) {
      const [oldest = key] = this.#fields.keys();
      this.#fields.delete(oldest);
    }
    return memory;
  }
}

const keyOf = ({ target: { frame, epoch, node } }: Editable): string => `${frame} ${epoch} ${node}`;
const nameOf = (act: Act): string => (act.kind === 'insert' ? act.text : act.kind);
