import { AppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { AwaitedDocuments } from './awaited-documents.ts';

/** Time for which calls wait for an awaited document, in ms: most servers answer sooner, also those that answer with a file. */
const PATIENCE_MS = 500;

type Waits = Pick<AwaitedDocuments, 'of' | 'answered' | 'listen'>;

/** Age of calls that have surely reached the document when Chromium reports a wait, in ms: they are answered during it. */
const DELIVERED_MS = 200;
/** Longest wait that is looked at, in ms. */
const MAX_WAIT_MS = 600_000;

/** The calls to documents whose successors are awaited. */
export class HeldCalls {
  readonly #awaited: Waits;
  /** Waits that have taken too long, by session. */
  readonly #long = new WeakMap<CdpSession, number>();
  /** Open calls, with the time at which each began. */
  readonly #calls = new WeakMap<CdpSession, Map<(reason: AppError) => void, number>>();

  constructor(awaited: Waits) {
    this.#awaited = awaited;
    awaited.listen((session, wait) => {
      const begun = performance.now();
      const timer = setTimeout(() => {
        if (awaited.of(session) !== wait) return;
        this.#long.set(session, wait);
        for (const [reject, since] of this.#calls.get(session) ?? [])
          if (since > begun - DELIVERED_MS) reject(documentAwaited());
        // Its end is not always heard of.
        const over = (): void => awaited.answered(session, wait);
        session.send('Runtime.evaluate', { expression: '0' }, { deadlineMs: MAX_WAIT_MS }).then(over, () => undefined);
      }, PATIENCE_MS);
      timer.unref();
    });
  }

  /**
   * Resolves and rejects as `call`, which calls a document of the session. It is not made while the next document is awaited, since it would come
   * late to one that stays; nor is an answer waited for that the document has not given before.
   *
   * @throws AppError `document-awaited`, retryable, once that takes longer than {@link PATIENCE_MS}.
   */
  async run<T>(session: CdpSession, call: () => Promise<T>): Promise<T> {
    const wait = this.#awaited.of(session);
    if (wait !== undefined && this.#long.get(session) === wait) throw documentAwaited();
    const held = Promise.withResolvers<never>();
    const calls = this.#calls.get(session) ?? new Map<(reason: AppError) => void, number>();
    this.#calls.set(session, calls.set(held.reject, performance.now()));
    try {
      if (wait !== undefined) {
        const over = session.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined); // a call says what is wrong
        await Promise.race([over, held.promise]);
        this.#awaited.answered(session, wait);
      }
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
