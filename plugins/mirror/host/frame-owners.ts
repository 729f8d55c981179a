import type { Frames } from '../../../host/plugin.ts';
import { OP } from '../ops.ts';
import type { FrameStream } from './frame-stream.ts';

/** Delay between two queries for an owner in ms, if no event triggers one sooner (M-109); and their maximum number. */
const RETRY_MS = 100;
const MAX_RETRIES = 100;

interface Child {
  readonly parent: number;
  asking: boolean;
  /** Whether another query was requested during the current one. */
  again: boolean;
  retries: number;
  timer?: NodeJS.Timeout;
  /** Epoch of the parent in which the client knows the owner. */
  bound?: number;
}

/**
 * Sends the client the element that shows each nested frame, and holds the frame's batches until then. If the element has not been sent
 * yet, the query is repeated when its page has sent more.
 */
export class FrameOwners {
  readonly #frames: Pick<Frames, 'ownerOf'>;
  readonly #stream: (frame: number) => FrameStream | undefined;
  readonly #children = new Map<number, Child>();

  constructor(frames: Pick<Frames, 'ownerOf'>, stream: (frame: number) => FrameStream | undefined) {
    this.#frames = frames;
    this.#stream = stream;
  }

  /** Adds a nested frame. */
  add(frame: number, parent: number): void {
    this.#children.set(frame, { parent, asking: false, again: false, retries: 0 });
    void this.#ask(frame);
  }

  /** Called when a frame has sent a batch; `begins`: of a new document, in which all elements are new. */
  taken(parent: number, begins: boolean): void {
    for (const [frame, child] of this.#children) {
      if (child.parent !== parent) continue;
      if (begins) {
        delete child.bound;
        this.#stream(frame)?.close();
      }
      if (child.bound === undefined) {
        child.retries = 0;
        void this.#ask(frame);
      }
    }
  }

  remove(frame: number): void {
    clearTimeout(this.#children.get(frame)?.timer);
    this.#children.delete(frame);
  }

  async #ask(frame: number): Promise<void> {
    const child = this.#children.get(frame);
    if (!child || child.bound !== undefined) return;
    if (child.asking) {
      child.again = true;
      return;
    }
    clearTimeout(child.timer);
    child.asking = true;
    child.again = false;
    // Queries for a frame that has just changed its process fail.
    const owner = await this.#frames.ownerOf(frame).catch(() => undefined);
    child.asking = false;
    if (this.#children.get(frame) !== child) return;
    const parent = this.#stream(child.parent);
    if (owner && parent?.knows(owner.epoch, owner.node)) {
      child.bound = owner.epoch;
      const open = (): void => {
        if (this.#children.get(frame) === child && child.bound === owner.epoch) this.#stream(frame)?.open();
      };
      parent.add(owner.epoch, { ops: [[OP.frame, owner.node, frame]], done: open });
    } else if (mayAskAgain(child)) void this.#ask(frame);
    else if (child.retries++ < MAX_RETRIES) child.timer = setTimeout(() => void this.#ask(frame), RETRY_MS);
  }
}

/** Read through a function, since the value may have changed during the last query. */
function mayAskAgain({ again }: Child): boolean {
  return again;
}
