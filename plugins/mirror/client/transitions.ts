import { TRANSITION } from '../ops.ts';

/** How long the old state may take to be captured, the new one to come, and what is over to end by itself, in ms. */
const CAPTURE_MS = 500;
const CHANGE_MS = 4000;
const END_MS = 300;

interface Running {
  readonly transition: ViewTransition;
  /** Tells the browser that the new state is there. */
  readonly changed: () => void;
  readonly begunAt: number;
}

const running = new WeakMap<Document, Running>();

/** Follows a view transition of the page in a document of the view. Resolves, at once or in time, when the document may be changed. */
export function follow(document: Document, phase: number, types: string[]): Promise<void> | undefined {
  const current = running.get(document);
  switch (phase) {
    case TRANSITION.begun:
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
  const begunAt = performance.now();
  const last = running.get(document);
  // One after the other would hold the view back for ever.
  if (last && begunAt - last.begunAt < CAPTURE_MS) return undefined;
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  return new Promise((captured) => {
    const update = (): Promise<void> => {
      captured();
      setTimeout(resolve, CHANGE_MS);
      return changed;
    };
    setTimeout(captured, CAPTURE_MS);
    const transition = Document.prototype.startViewTransition.call(document, { update, types });
    transition.ready.catch(() => undefined); // skipped: the page has changed all the same
    running.set(document, { transition, changed: resolve, begunAt });
  });
}
