import type { Report } from '../dispatch/dispatcher.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import { coverWith } from './cover.ts';
import { DialogQueue } from './dialog-queue.ts';
import dialogStyle from './dialog.css';
import dockedStyle from './docked.css';
import type { Texts } from './messages.ts';
import { PageFrame, styled } from './page-frame.ts';
import type { DialogProps, Slot, SlotContribution, Slots } from './slot.ts';
import { SlotStore } from './slot-store.ts';

/** What the overlay works with. */
export interface OverlayOptions {
  readonly document: Document;
  readonly texts: Texts;
  readonly report: Report;
  /** Of the page frame: see S-109. */
  readonly origin: string;
  readonly hash: string;
  readonly apiVersion: number;
}

/** What plugins show over the page. React and all that needs it is fetched when the first slot is filled. */
export class Overlay {
  readonly #options: OverlayOptions;
  readonly #store = new SlotStore();
  readonly #dialogs: DialogQueue;
  #docked: Promise<void> | undefined;

  constructor(options: OverlayOptions) {
    this.#options = options;
    const { texts } = options;
    this.#dialogs = new DialogQueue({
      frame: new PageFrame({ ...options, style: dialogStyle }),
      loadOpener: async () => {
        const { dialogOpener } = await import('./dialog-root.tsx');
        return dialogOpener(this.#fault, { lang: texts.language, dir: texts.direction });
      },
      cover: coverWith,
      onFault: this.#fault,
    });
  }

  /** The slots as one plugin sees them. */
  slotsOf(plugin: string): Slots {
    return {
      fill: <Base extends object, Props extends Base>(
        slot: Slot<Base>,
        contribution: SlotContribution<Props>,
        props: Props,
      ) => {
        if (slot.place !== 'docked') throw new AppError('wrong-place', `${slot.name} is for dialogs: ask`);
        const undo = this.#store.add(plugin, slot.name, contribution, props);
        this.#docked ??= this.#mount(plugin);
        return undo;
      },
      ask: <Props extends object, R>(
        slot: Slot<Props & DialogProps<R>>,
        contribution: SlotContribution<Props & DialogProps<R>>,
        props: Props,
        signal?: AbortSignal,
      ) => this.#dialogs.ask(plugin, slot.name, contribution as never, props, signal) as Promise<R | undefined>, // what the contribution says
    };
  }

  async #mount(plugin: string): Promise<void> {
    const { document, texts } = this.#options;
    try {
      const [{ mountDocked }] = await Promise.all([import('./docked-root.tsx'), styled(document, dockedStyle)]);
      const container =
        document.getElementById('vitrine-overlay') ?? document.body.appendChild(document.createElement('div'));
      container.id = 'vitrine-overlay';
      container.setAttribute('role', 'region');
      container.setAttribute('aria-label', texts.text('ID_OVERLAY'));
      container.lang = texts.language;
      container.dir = texts.direction;
      mountDocked(container, this.#store, this.#fault);
    } catch (thrown) {
      this.#docked = undefined; // the next contribution tries again
      this.#fault(toAppError(thrown), plugin);
    }
  }

  readonly #fault = (fault: AppError, plugin: string): void => {
    console.error(`the overlay of ${plugin} failed`, fault);
    this.#options.report(
      'tc-overlay-fault',
      { plugin, code: fault.code, message: fault.message },
      { level: 'error', force: true },
    );
  };
}
