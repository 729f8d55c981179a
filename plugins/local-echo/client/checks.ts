import type { Editable, Target } from '../../../core/index.ts';
import { digestOf, withoutSpaces } from '../protocol.ts';

/** Time since the last act of the person after which their text is compared with the page's, in ms (M-105). */
const QUIET_MS = 200;

type Digest = NonNullable<ReturnType<typeof digestOf>>;

/** Compares what the person sees with what the page has, once they pause. */
export class Checks {
  readonly #send: (field: Editable, digest: Digest) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #field: Editable | undefined;

  constructor(send: (field: Editable, digest: Digest) => void) {
    this.#send = send;
  }

  /** The person has done something: there is nothing to compare until they pause. */
  acted(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#wait();
  }

  /** All that was shown in a field has been answered. */
  settled(field: Editable): void {
    this.#field = field;
    clearTimeout(this.#timer);
    this.#wait();
  }

  /** Whether a field still has another text than one of this digest: the page may have changed it in the meantime. */
  differs({ epoch, node }: Target, { length, hash }: Digest): Editable | undefined {
    const field = this.#field;
    if (field?.target.epoch !== epoch || field?.target.node !== node) return undefined;
    const own = field?.isThere() ? digestIn(field) : undefined;
    return own && (own.length !== length || own.hash !== hash) ? field : undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const field = this.#field;
      const digest = field?.isThere() ? digestIn(field) : undefined;
      if (field && digest) this.#send(field, digest);
    }, QUIET_MS);
  }
}

function digestIn(field: Editable): Digest | undefined {
  const text = field.kind === 'rich' ? field.wholeText() : field.page()?.text;
  return text === undefined ? undefined : digestOf(field.kind === 'rich' ? withoutSpaces(text) : text);
}
