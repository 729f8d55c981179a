import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';

/** Undo functions of a scope, run in reverse order; once it is disposed, at once. A fault of one does not stop the others. */
export class Disposal {
  readonly #abort = new AbortController();
  readonly #onFault: (fault: AppError) => void;
  readonly #undo = new Set<() => void>();

  constructor(onFault: (fault: AppError) => void) {
    this.#onFault = onFault;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  add(undo: () => void): void {
    this.once(undo);
  }

  /** Remembers an undo; answers with one that may be called early, and does nothing the second time. */
  once(undo: () => void): () => void {
    const run = (): void => {
      if (this.#undo.delete(run)) undo();
    };
    this.#undo.add(run);
    if (this.signal.aborted) this.#run(run);
    return run;
  }

  /** `reason`: of the signal. Idempotent. */
  dispose(reason?: AppError): void {
    if (this.signal.aborted) return;
    this.#abort.abort(reason);
    for (const undo of [...this.#undo].reverse()) this.#run(undo);
    this.#undo.clear();
  }

  #run(undo: () => void): void {
    try {
      undo();
    } catch (thrown) {
      this.#onFault(toAppError(thrown));
    }
  }
}
