import type { Report } from '../events/report.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import type { DialogQueue } from './dialog-queue.ts';
import dockedStyle from './docked.css';
import type { Texts } from '../contracts/texts.ts';
import type { DialogProps, Slot, SlotContribution, Slots } from '../contracts/slots.ts';
import { SlotStore } from './slot-store.ts';

/** Dependencies of the overlay. */
export interface OverlayOptions {
  readonly document: Document;
  readonly texts: Texts;
  readonly report: Report;
  /** Origin for the page frame: see S-109. */
  readonly origin: string;
  readonly hash: string;
  readonly apiVersion: number;
}

type Asked = Parameters<DialogQueue['ask']> extends [string, ...infer Rest] ? Rest : never;

/** Views of plugins over the page. React and its dependencies are fetched when the first slot is filled. */
export class Overlay {
  readonly #options: OverlayOptions;
  readonly #store = new SlotStore();
  #dialogs: Promise<DialogQueue> | undefined;
  #docked: Promise<void> | undefined;

  constructor(options: OverlayOptions) {
    this.#options = options;
  }

  /** The slots API of one plugin. */
  slotsOf(plugin: string): Slots {
    return {
      fill: <Base extends object, Props extends Base>(
        slot: Slot<Base>,
        contribution: SlotContribution<Props>,
        props: Props,
      ) => {
        if (slot.place !== 'docked') throw new AppError('wrong-place', `${slot.name} is a dialog slot: use ask()`);
        const undo = this.#store.add(plugin, slot.name, contribution, props);
        this.#docked ??= this.#mount(plugin);
        return undo;
      },
      ask: <Props extends object, R>(
        slot: Slot<Props & DialogProps<R>>,
        contribution: SlotContribution<Props & DialogProps<R>>,
        props: Props,
        signal?: AbortSignal,
      ) => this.#ask(plugin, slot.name, contribution as never, props, signal) as Promise<R | undefined>, // contribution's type
    };
  }

  async #ask(plugin: string, ...asked: Asked): Promise<unknown> {
    this.#dialogs ??= import('./dialogs.ts').then(({ makeDialogs }) => makeDialogs(this.#options, this.#fault));
    try {
      return await (await this.#dialogs).ask(plugin, ...asked);
    } catch (thrown) {
      this.#dialogs = undefined; // the next dialog retries
      this.#fault(toAppError(thrown), plugin);
      return undefined;
    }
  }

  async #mount(plugin: string): Promise<void> {
    const { document, texts } = this.#options;
    try {
      const style = import('./styled.ts').then(({ styled }) => styled(document, dockedStyle));
      const [{ mountDocked }] = await Promise.all([import('./docked-root.tsx'), style]);
      const container =
        document.getElementById('vitrine-overlay') ?? document.body.appendChild(document.createElement('div'));
      container.id = 'vitrine-overlay';
      container.role = 'region';
      container.ariaLabel = texts.text('ID_OVERLAY');
      container.lang = texts.language;
      container.dir = texts.direction;
      mountDocked(container, this.#store, this.#fault);
    } catch (thrown) {
      this.#docked = undefined; // the next contribution retries
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
