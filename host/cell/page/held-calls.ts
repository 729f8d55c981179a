import { AppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { AwaitedDocuments } from './awaited-documents.ts';

/** Time for which calls wait for an awaited document, in ms: most servers answer sooner, also those that answer with a file. */
const PATIENCE_MS = 500;

/** The calls to documents whose successors are awaited. */
export class HeldCalls {
  readonly #awaited: AwaitedDocuments;
  /** Waits that have taken too long, by session. */
  readonly #long = new WeakMap<CdpSession, number>();
  readonly #calls = new WeakMap<CdpSession, Set<(reason: AppError) => void>>();

  constructor(awaited: AwaitedDocuments) {
    this.#awaited = awaited;
    awaited.listen((session, wait) => {
      const timer = setTimeout(() => {
        if (awaited.of(session) !== wait) return;
        this.#long.set(session, wait);
        for (const reject of this.#calls.get(session) ?? []) reject(documentAwaited());
      }, PATIENCE_MS);
      timer.unref();
    });
  }

  /**
   * Resolves and rejects as `call`, which calls a document of the session: it is not made, or its answer is not waited for, once the next
   * document has been awaited for longer than {@link PATIENCE_MS}. When that is there, the one that was called has gone.
   *
   * @throws AppError `document-awaited`, retryable, then.
   */
  async run<T>(session: CdpSession, call: () => Promise<T>): Promise<T> {
    const wait = this.#awaited.of(session);
    if (wait !== undefined && this.#long.get(session) === wait) throw documentAwaited();
    const held = Promise.withResolvers<never>();
    const calls = this.#calls.get(session) ?? new Set();
    this.#calls.set(session, calls.add(held.reject));
    try {
      return await Promise.race([call(), held.promise]);
    } finally {
      calls.delete(held.reject);
    }
  }
}

function documentAwaited(): AppError {
  return new AppError('document-awaited', 'The page goes to another document, which does not come.', {
    retryable: true,
  });
}
