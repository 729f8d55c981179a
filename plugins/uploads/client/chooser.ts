import type { Picker } from './picker.ts';

interface ChooserOptions {
  readonly picker: Picker;
  /** Asks the person to act: without that the browser opens no picker. */
  readonly confirm: (over: AbortSignal) => Promise<boolean>;
  readonly onChosen: (id: number, files: readonly File[]) => void;
  readonly onCancelled: (id: number) => void;
}

/** The file chooser of a page: a later one takes the place of an earlier one. */
export class Chooser {
  readonly #options: ChooserOptions;
  #over = new AbortController();

  constructor(options: ChooserOptions) {
    this.#options = options;
  }

  async run(id: number, wanted: Parameters<Picker['pick']>[0]): Promise<void> {
    this.dispose();
    this.#over = new AbortController();
    const { signal } = this.#over;
    const { picker, confirm, onChosen, onCancelled } = this.#options;
    const isOpened = picker.mayOpen() || (await confirm(signal));
    if (isAborted(signal)) return;
    const files = isOpened ? await picker.pick(wanted) : [];
    if (isAborted(signal)) return;
    if (files.length > 0) onChosen(id, files);
    else onCancelled(id); // M-052
  }

  dispose(): void {
    this.#over.abort();
  }
}

/** As a call, which the compiler does not take for constant. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;
