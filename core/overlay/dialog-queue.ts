import type { ComponentType } from 'react';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';
import type { PageFrame } from './page-frame.ts';
import type { DialogProps, SlotContribution } from '../contracts/slots.ts';

/** A requested dialog. */
export interface Dialog {
  readonly plugin: string;
  readonly slot: string;
  readonly role: 'dialog' | 'alertdialog' | 'menu';
  readonly load: () => Promise<{ readonly default: ComponentType<DialogProps<unknown>> }>;
  readonly styles: readonly string[];
  readonly props: object;
}

/** Shows one dialog in a document. Returns a function that removes it. */
export type OpenDialog = (document: Document, dialog: Dialog, done: (outcome: unknown) => void) => () => void;

/** Dependencies of a queue of dialogs. */
interface DialogQueueOptions {
  readonly frame: Pick<PageFrame, 'call'>;
  readonly loadOpener: () => Promise<OpenDialog>;
  /** Covers the view with the frame. Returns a function that uncovers it. */
  readonly cover: (frame: HTMLIFrameElement) => () => void;
  readonly onFault: (fault: AppError, plugin: string) => void;
}

interface Asked {
  readonly dialog: Dialog;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: unknown) => void;
}

/** Shows dialogs one after the other; the frame covers the view only while one is open. */
export class DialogQueue {
  readonly #options: DialogQueueOptions;
  readonly #asked: Asked[] = [];
  #current: Asked | undefined;

  constructor(options: DialogQueueOptions) {
    this.#options = options;
  }

  /** See `Slots.ask`. */
  ask(
    plugin: string,
    slot: string,
    contribution: SlotContribution<never>,
    props: object,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const dialog: Dialog = {
      plugin,
      slot,
      role: contribution.role ?? 'dialog',
      load: contribution.load as unknown as Dialog['load'], // receives these props and `done` when it is shown
      styles: contribution.styles ?? [],
      props,
    };
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve(undefined);
        return;
      }
      const ended = new AbortController();
      const end = (outcome: unknown): void => {
        ended.abort(); // a signal that lives longer holds nothing of the dialog
        resolve(outcome);
      };
      const asked = { dialog, signal, resolve: end };
      this.#asked.push(asked);
      signal?.addEventListener(
        'abort',
        () => {
          const at = this.#asked.indexOf(asked);
          if (at >= 0) this.#asked.splice(at, 1);
          end(undefined); // an open dialog is removed by its own listener
        },
        { once: true, signal: ended.signal },
      );
      this.#next();
    });
  }

  #next(): void {
    if (this.#current) return;
    const asked = this.#asked.shift();
    if (!asked) return;
    this.#current = asked;
    const finish = (outcome: unknown): void => {
      asked.resolve(outcome);
      this.#current = undefined;
      this.#next();
    };
    this.#options.loadOpener().then(
      (open) => {
        this.#options.frame.call(
          (frame, document) => {
            this.#show(open, frame, document, asked, finish);
          },
          () => {
            finish(undefined);
          },
        );
      },
      (thrown: unknown) => {
        this.#options.onFault(toAppError(thrown), asked.dialog.plugin);
        finish(undefined);
      },
    );
  }

  #show(
    open: OpenDialog,
    frame: HTMLIFrameElement,
    document: Document,
    asked: Asked,
    finish: (outcome: unknown) => void,
  ): void {
    if (asked.signal?.aborted) {
      finish(undefined);
      return;
    }
    const uncover = this.#options.cover(frame);
    const closed = new AbortController();
    const close = (outcome: unknown): void => {
      if (closed.signal.aborted) return;
      closed.abort();
      takeAway();
      uncover();
      finish(outcome);
    };
    const takeAway = open(document, asked.dialog, close);
    asked.signal?.addEventListener(
      'abort',
      () => {
        close(undefined);
      },
      { once: true, signal: closed.signal },
    );
  }
}
