import type { ComponentType } from 'react';

/** A place in the overlay that plugins fill with React components that take `Props`. */
export interface Slot<Props> {
  readonly name: string;
  /** Docked slots are under `#vitrine-overlay`; dialog slots are in the page frame, on top of everything, one at a time. */
  readonly place: 'docked' | 'dialog';
  readonly props?: Props;
}

/** One contribution to a slot. */
export interface SlotContribution<Props> {
  /** Loaded when the slot is first shown. Faults contain its name and the plugin's. */
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>;
  /** Addresses of style sheets (imported `.css` files) that the component needs. */
  readonly styles?: readonly string[];
  /** Ascending; default 0. */
  readonly order?: number;
  /** Dialogs only: `alertdialog` for one that interrupts, `menu` for one that any press outside of it ends; default `dialog`. */
  readonly role?: 'dialog' | 'alertdialog' | 'menu';
}

/** Fills slots and shows dialogs for one plugin. */
export interface Slots {
  /** Shows a contribution in a docked slot with these props. Returns a function that removes it. */
  fill<Base extends object, Props extends Base>(
    slot: Slot<Base>,
    contribution: SlotContribution<Props>,
    props: Props,
  ): () => void;
  /**
   * Shows a modal dialog in the page frame; resolves with the value passed to `done`. Dialogs are queued: one at a time. Aborting `signal`
   * removes the dialog and resolves with undefined.
   */
  ask<Props extends object, R>(
    slot: Slot<Props & DialogProps<R>>,
    contribution: SlotContribution<Props & DialogProps<R>>,
    props: Props,
    signal?: AbortSignal,
  ): Promise<R | undefined>;
}

/**
 * Props of every dialog component, in addition to its own. Its first heading (or `data-dialog-label`) names the dialog, `data-dialog-text`
 * describes it, `data-autofocus` is focused first; Escape closes with undefined.
 */
export interface DialogProps<R> {
  /** Closes the dialog with its result. */
  readonly done: (outcome: R) => void;
}

/** Declares a slot. */
export function slot<Props>(name: string, place: Slot<Props>['place']): Slot<Props> {
  return { name, place };
}

/** The slots of the core. */
export const SLOTS = {
  /** Shown in place of the page when there is none. */
  page: slot<object>('overlay.page', 'docked'),
  /** Banners at the top edge. */
  banner: slot<object>('overlay.banner', 'docked'),
  /** Bars at the bottom edge. */
  bar: slot<object>('overlay.bar', 'docked'),
  /** Small panels over a corner of the page: find, HUD. */
  panel: slot<object>('overlay.panel', 'docked'),
  /** Short notices that disappear automatically. */
  notice: slot<object>('overlay.notice', 'docked'),
} as const;
