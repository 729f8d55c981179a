import type { ComponentType } from 'react';

/** A place in the overlay that plugins fill with React components that take `Props`. */
export interface Slot<Props> {
  readonly name: string;
  /** Docked slots live under `#vitrine-overlay`, dialog slots in the page frame, over everything, one after the other. */
  readonly place: 'docked' | 'dialog';
  readonly props?: Props;
}

/** One contribution to a slot. */
export interface SlotContribution<Props> {
  /** Loaded when the slot is first shown; its name appears in faults beside the plugin's. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  /** Style sheet addresses (imported `.css` files) that the component needs. */
  readonly styles?: readonly string[];
  /** Ascending; 0 unless given. */
  readonly order?: number;
  /** Dialogs only: `alertdialog` for one that interrupts; `dialog` unless given. */
  readonly role?: 'dialog' | 'alertdialog';
}

/** Fills slots and shows dialogs for one plugin. */
export interface Slots {
  /** Shows a contribution in a docked slot from now on, with these props. Answers with its undo. */
  fill<Base extends object, Props extends Base>(
    slot: Slot<Base>,
    contribution: SlotContribution<Props>,
    props: Props,
  ): () => void;
  /**
   * Shows a modal dialog in the page frame; resolves with what it passes to `done`. Dialogs queue: one at a time. Aborting `signal`
   * takes the dialog away and resolves with undefined.
   */
  ask<Props extends object, R>(
    slot: Slot<Props & DialogProps<R>>,
    contribution: SlotContribution<Props & DialogProps<R>>,
    props: Props,
    signal?: AbortSignal,
  ): Promise<R | undefined>;
}

/**
 * What every dialog component gets beside its own props. Its first heading (or `data-dialog-label`) names the dialog,
 * `data-dialog-text` describes it, `data-autofocus` is focused first; Escape closes with undefined.
 */
export interface DialogProps<R> {
  /** Closes the dialog with its outcome. */
  readonly done: (outcome: R) => void;
}

/** Declares a slot. */
export function slot<Props>(name: string, place: Slot<Props>['place']): Slot<Props> {
  return { name, place };
}

/** The slots of the core, by what they are for. */
export const SLOTS = {
  /** In place of the page: what is shown when there is none. */
  page: slot<object>('overlay.page', 'docked'),
  /** Banners at the top edge. */
  banner: slot<object>('overlay.banner', 'docked'),
  /** Bars at the bottom edge. */
  bar: slot<object>('overlay.bar', 'docked'),
  /** Small panels over a corner of the page: find, HUD. */
  panel: slot<object>('overlay.panel', 'docked'),
  /** Short notices that go by themselves. */
  notice: slot<object>('overlay.notice', 'docked'),
} as const;
