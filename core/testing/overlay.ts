import type { ComponentType } from 'react';
import type { Slots } from '../contracts/slots.ts';
import { SlotStore } from '../overlay/slot-store.ts';

/** A contribution in a docked slot. */
interface Filled {
  readonly slot: string;
  readonly props: object;
}

/** A dialog that a plugin has asked for and that is not answered yet. */
interface AskedDialog {
  readonly slot: string;
  readonly role: 'dialog' | 'alertdialog' | 'menu';
  readonly props: object;
  readonly load: () => Promise<{ readonly default: ComponentType<never> }>;
  /** Closes it; undefined: dismissed. */
  answer(outcome: unknown): void;
}

/** An overlay whose dialogs a test answers. Docked slots can be rendered into an element where there is a DOM. */
export class TestOverlay {
  /** Dialogs that are open or wait, in order. */
  readonly asked: AskedDialog[] = [];
  readonly #store = new SlotStore();

  /** Current contributions of the docked slots. */
  get filled(): readonly Filled[] {
    return this.#store.list();
  }

  /** Renders the docked slots into an element. Returns a function that undoes it. */
  async render(container: HTMLElement, onFault: (fault: Error, plugin: string) => void): Promise<() => void> {
    const { mountDocked } = await import('../overlay/docked-root.tsx');
    return mountDocked(container, this.#store, onFault);
  }

  slotsOf(plugin: string): Slots {
    return {
      fill: (slot, contribution, props) => this.#store.add(plugin, slot.name, contribution, props),
      ask: (slot, contribution, props, signal) =>
        new Promise((resolve) => {
          const close = (outcome: unknown): void => {
            const index = this.asked.indexOf(dialog);
            if (index >= 0) this.asked.splice(index, 1);
            resolve(outcome as never); // given by the test
          };
          const dialog: AskedDialog = {
            slot: slot.name,
            role: contribution.role ?? 'dialog',
            props,
            load: contribution.load as unknown as AskedDialog['load'], // inspected by the test
            answer: close,
          };
          if (signal?.aborted) {
            close(undefined);
            return;
          }
          this.asked.push(dialog);
          signal?.addEventListener('abort', () => {
            close(undefined);
          });
        }),
    };
  }
}
