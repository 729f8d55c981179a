import { SLOTS } from '../../../core/index.ts';
import type { SlotContribution, Slots } from '../../../core/index.ts';
import styles from './loading-address.css';

/** Time for which a page may load before its address is shown, in ms. */
const SHOW_AFTER_MS = 1000;
/** Longest part of an address that is shown, in UTF-16 units. */
const MAX_SHOWN = 300;

/** A text that a component reads. */
interface ShownText {
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => string;
}

export interface LoadingAddressProps {
  readonly address: ShownText;
}

const loadingAddress: SlotContribution<LoadingAddressProps> = {
  load: () => import('./loading-address.tsx'),
  styles: [styles],
};

/**
 * Shows the address that the page is loading (M-084), apart from the shell's own address: that stays the one of the page that is shown, since a
 * page decides where it goes, and could otherwise show its content under any site's address.
 */
export class Loading {
  readonly #slots: Slots;
  readonly #listeners = new Set<() => void>();
  readonly #text: ShownText = {
    subscribe: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    get: () => this.#address,
  };
  #address = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hide: (() => void) | undefined;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** The page is loading an address, or nothing any more. */
  show(address?: string): void {
    if (address === undefined) this.#end();
    else this.#begin(address);
  }

  #begin(address: string): void {
    this.#address = address.slice(0, MAX_SHOWN);
    for (const listener of this.#listeners) listener();
    if (this.#hide) return;
    this.#timer ??= setTimeout(() => {
      this.#hide = this.#slots.fill(SLOTS.panel, loadingAddress, { address: this.#text });
    }, SHOW_AFTER_MS);
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hide?.();
    this.#hide = undefined;
  }
}
