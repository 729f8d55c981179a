import type { Events } from '../contracts/client-scope.ts';
import { sheetLoaded } from './style-check.ts';
import { SLOTS } from '../contracts/slots.ts';
import type { SlotContribution, Slots } from '../contracts/slots.ts';

/** Display time of a snackbar, in ms. */
const SNACKBAR_MS = 5000;
/** Time for its code to come, in ms: a text that is older is no longer shown. */
const LOAD_MS = 30_000;
/** Address of its style sheet. */
const SHEET = '/safeview-static/css/snackbar.css';

export interface SnackbarProps {
  readonly text: string;
  /** Called once the person can see it: its code may come late. */
  readonly onShown: () => void;
}

/** The part of a plugin's scope that a snackbar needs. */
interface SnackbarScope {
  readonly slots: Slots;
  readonly events: Events;
  onDispose(undo: () => void): void;
}

/** A plugin's snackbar: one short text at a time, which disappears automatically. */
export class Snackbar {
  readonly #scope: SnackbarScope;
  readonly #contribution: SlotContribution<SnackbarProps>;
  #hide: (() => void) | undefined;

  constructor(scope: SnackbarScope) {
    this.#scope = scope;
    this.#contribution = {
      load: () => {
        // It is readable without its style sheet too.
        void loadSheet().then((isLoaded) => {
          if (!isLoaded) scope.events.report('tc-snackbar-load-failed', { sheet: SHEET }, { level: 'warning' });
        });
        return import('./snackbar-part.tsx');
      },
    };
    scope.onDispose(() => this.#hide?.());
  }

  /** Shows a text for five seconds, in place of the previous one. */
  show(text: string): void {
    this.#hide?.();
    let isShown = false;
    const hide = (): void => {
      clearTimeout(timer);
      undo();
      if (this.#hide === hide) this.#hide = undefined;
    };
    let timer = setTimeout(hide, LOAD_MS);
    const onShown = (): void => {
      if (isShown || this.#hide !== hide) return;
      isShown = true;
      clearTimeout(timer);
      timer = setTimeout(hide, SNACKBAR_MS);
    };
    this.#hide = hide;
    const undo = this.#scope.slots.fill(SLOTS.notice, this.#contribution, { text, onShown });
  }
}

/** Links the sheet into the shell, once for all plugins. Resolves with whether it loaded. */
function loadSheet(): Promise<boolean> {
  return new Promise((resolve) => {
    const known = document.querySelector<HTMLLinkElement>(`link[href="${SHEET}"]`);
    const link = known ?? document.createElement('link');
    link.addEventListener('load', () => resolve(true));
    link.addEventListener('error', () => resolve(false));
    void sheetLoaded(link).then(resolve); // a sheet that hangs or is already loaded fires no event
    if (known) return;
    link.rel = 'stylesheet';
    link.href = SHEET;
    document.head.append(link);
  });
}
