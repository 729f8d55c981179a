import { TRANSITION } from '../ops.ts';

/** Timeouts in ms: for capturing the old state, for the new state to arrive, and for a finished transition to end automatically. */
const CAPTURE_MS = 500;
const CHANGE_MS = 4000;
const END_MS = 300;

interface Running {
  readonly transition: ViewTransition;
  /** Reports to the browser that the new state is complete. */
  readonly changed: () => void;
  readonly startedAt: number;
}

const running = new WeakMap<Document, Running>();

/** Follows a view transition of the page in a document of the view. Resolves when the document may be changed, or after a timeout. */
export function follow(document: Document, phase: number, types: string[]): Promise<void> | undefined {
  const current = running.get(document);
  switch (phase) {
    case TRANSITION.started:
      return begin(document, types);
    case TRANSITION.changed:
      current?.changed();
      return undefined;
    case TRANSITION.over:
      current?.changed();
      setTimeout(() => current?.transition.skipTransition(), END_MS);
  }
  return undefined;
}

function begin(document: Document, types: string[]): Promise<void> | undefined {
  if (!('startViewTransition' in Document.prototype)) return undefined; // not in this browser
  const startedAt = performance.now();
  const last = running.get(document);
  // Transitions in a row would block the view forever.
  if (last && startedAt - last.startedAt < CAPTURE_MS) return undefined;
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  return new Promise((captured) => {
    const update = (): Promise<void> => {
      captured();
      setTimeout(resolve, CHANGE_MS);
      return changed;
    };
    setTimeout(captured, CAPTURE_MS);
    const transition = Document.prototype.startViewTransition.call(document, { update, types });
    transition.ready.catch(() => undefined); // skipped; the page has changed anyway
    running.set(document, { transition, changed: resolve, startedAt });
  });
}
