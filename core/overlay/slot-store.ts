import type { ComponentType } from 'react';
import type { SlotContribution } from '../contracts/slots.ts';

/** A contribution that is shown in a docked slot. */
export interface Shown {
  readonly key: number;
  readonly plugin: string;
  readonly slot: string;
  readonly load: () => Promise<{ readonly default: ComponentType<object> }>;
  readonly styles: readonly string[];
  readonly order: number;
  readonly props: object;
}

/** Current contributions of the docked slots, in order. Made for React's `useSyncExternalStore`: each change creates a new list. */
export class SlotStore {
  #shown: readonly Shown[] = [];
  #keys = 0;
  readonly #listeners = new Set<() => void>();

  /** Adds a contribution. Returns a function that removes it. */
  add<Props extends object>(
    plugin: string,
    slot: string,
    contribution: SlotContribution<Props>,
    props: Props,
  ): () => void {
    const shown: Shown = {
      key: ++this.#keys,
      plugin,
      slot,
      load: contribution.load as unknown as Shown['load'], // called with exactly these props below
      styles: contribution.styles ?? [],
      order: contribution.order ?? 0,
      props,
    };
    this.#set([...this.#shown, shown].sort((a, b) => a.order - b.order || a.key - b.key));
    return () => {
      this.#set(this.#shown.filter((other) => other !== shown));
    };
  }

  readonly list = (): readonly Shown[] => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  #set(shown: readonly Shown[]): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}
