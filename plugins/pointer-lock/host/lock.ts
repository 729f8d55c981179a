import { giveGesture, toAppError } from '../../../host/plugin.ts';
import type { HostScope } from '../../../host/plugin.ts';
import { lockOver, lockRequest, pageAnswer, pageLeave } from '../protocol.ts';
import type { Refusal } from '../protocol.ts';

const MAIN_FRAME = 1;
/** Longest wait for the person's browser, and then for the page's lock, in ms. */
const CONFIRM_MS = 5000;
/** Longest wait for a page to leave its lock before further input goes to it, in ms. */
const LEAVE_MS = 1000;
/** Requests of one document that wait for the same answer. */
const MAX_REQUESTS = 10;

/** A request of a page: its frame, and the page's own id for it. */
interface PageRequest {
  readonly frame: number;
  readonly pageId: number;
}

/** Circumstances of a request. */
interface Asking {
  readonly unadjusted: boolean;
  /** Whether policy lets the page. */
  readonly isAllowed: boolean;
  /** Whether the person has just acted in the page. */
  readonly hasGesture: boolean;
}

/** A question to the person's browser that has no answer yet. */
interface Asked {
  readonly id: number;
  readonly frame: number;
  readonly pageIds: number[];
}

/**
 * The lock of one tab: the person's pointer and that of the page are locked together. The person's comes first, so that a page never has a
 * lock in the surrogate without it.
 */
export class Lock {
  readonly #scope: HostScope;
  #asked: Asked | undefined;
  #last = 0;
  /** The frame whose lock the person's browser has confirmed. */
  #frame: number | undefined;
  /** Requests of that document which were permitted and have not failed, by its own ids. */
  readonly #permitted = new Set<number>();
  /** Whether that document has locked the pointer. */
  #isIn = false;
  /** The frame whose page has left its lock itself: it may have it again without a gesture, as in any browser. */
  #leaver: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /** A page requests a lock. */
  ask(request: PageRequest, { unadjusted, isAllowed, hasGesture }: Asking): void {
    const { frame, pageId } = request;
    if (!isAllowed) this.#refuse(request, 'denied');
    else if (this.#frame === frame) this.#letIn(request);
    else if (this.#asked?.frame === frame && this.#asked.pageIds.length < MAX_REQUESTS)
      this.#asked.pageIds.push(pageId);
    else if (this.#asked || this.#frame !== undefined) this.#refuse(request, 'denied');
    else if (!hasGesture && this.#leaver !== frame) this.#refuse(request, 'gesture');
    else {
      const asked = { id: ++this.#last, frame, pageIds: [pageId] };
      this.#asked = asked;
      this.#wait(() => this.cancel('denied'));
      this.#scope.commands.send(lockRequest, { id: asked.id, unadjusted });
    }
  }

  /** Answer of the person's browser. */
  answer(id: number, refusal: Refusal | undefined): void {
    if (this.#asked?.id !== id) {
      // The request was cancelled meanwhile.
      if (refusal === undefined && this.#frame === undefined) this.#scope.commands.send(lockOver, undefined);
    } else if (refusal !== undefined) this.#drop(refusal);
    else {
      const { frame, pageIds } = this.#asked;
      this.#asked = undefined;
      this.#frame = frame;
      this.#wait(() => this.end());
      for (const pageId of pageIds) this.#letIn({ frame, pageId });
    }
  }

  /** A document has locked the pointer. Returns whether it may. */
  entered(frame: number): boolean {
    if (this.#frame !== frame) {
      this.#takeOut(frame);
      return false;
    }
    clearTimeout(this.#timer);
    this.#leaver = undefined;
    this.#isIn = true;
    return true;
  }

  /** A document has no lock any more. */
  exited(frame: number): void {
    if (this.#frame !== frame) return;
    this.#over();
    this.#leaver = frame;
  }

  /** A permitted request failed in the page. With others of the same document there is or will be a lock nevertheless. */
  failed({ frame, pageId }: PageRequest): void {
    if (this.#frame !== frame) return;
    this.#permitted.delete(pageId);
    if (!this.#isIn && this.#permitted.size === 0) this.end();
  }

  /** Ends the lock of both, for another reason than the page's: the person has left it, or something else has come up. */
  end(): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    this.#over();
    this.#takeOut(frame);
  }

  /** Refuses the request that waits for an answer. */
  cancel(refusal: Refusal): void {
    if (!this.#asked) return;
    this.#drop(refusal);
    this.#scope.commands.send(lockOver, undefined);
  }

  /** A frame was removed, or shows another document. */
  gone(frame: number): void {
    if (this.#leaver === frame) this.#leaver = undefined;
    const isOf = (other: number | undefined): boolean =>
      other !== undefined && (frame === MAIN_FRAME || other === frame);
    if (isOf(this.#asked?.frame)) this.cancel('denied');
    if (isOf(this.#frame)) this.#over();
  }

  /** Refuses what waits, and ends the page's lock. */
  dispose(): void {
    this.#drop('denied');
    this.end();
    clearTimeout(this.#timer);
  }

  #drop(refusal: Refusal): void {
    const { frame, pageIds } = this.#asked ?? { frame: 0, pageIds: [] };
    this.#asked = undefined;
    if (pageIds.length > 0) clearTimeout(this.#timer);
    for (const pageId of pageIds) this.#refuse({ frame, pageId }, refusal);
  }

  #over(): void {
    clearTimeout(this.#timer);
    this.#frame = undefined;
    this.#permitted.clear();
    this.#isIn = false;
    this.#scope.commands.send(lockOver, undefined);
  }

  #wait(late: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(late, CONFIRM_MS);
  }

  #refuse({ frame, pageId }: PageRequest, refusal: Refusal): void {
    this.#scope.page.send(frame, pageAnswer, { id: pageId, refusal });
  }

  /** Ends the lock of a document. Input that follows, which has places again, waits until it has ended. */
  #takeOut(frame: number): void {
    const { input, page } = this.#scope;
    const left = page.call(frame, pageLeave, undefined, { deadlineMs: LEAVE_MS }).catch((thrown: unknown) => {
      // Its next document is awaited: it gets this where it stays.
      if (toAppError(thrown).code === 'document-awaited') page.send(frame, pageLeave, undefined);
    });
    void input.enqueue(() => left);
  }

  #letIn({ frame, pageId }: PageRequest): void {
    const { page, log } = this.#scope;
    if (this.#permitted.size < MAX_REQUESTS) this.#permitted.add(pageId);
    giveGesture(this.#scope, frame).then(
      () => page.send(frame, pageAnswer, { id: pageId }),
      (thrown: unknown) => {
        log.info('a page could not be given a lock of the pointer', { reason: String(thrown) });
        this.#refuse({ frame, pageId }, 'denied');
        this.failed({ frame, pageId });
      },
    );
  }
}
