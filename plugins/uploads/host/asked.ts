import type { FileTarget } from './upload.ts';

const MAIN_FRAME = 1;

/** A chooser that the page has opened, a drop or a paste, whose files the client has not named yet. */
interface Wish {
  readonly id: number;
  readonly target: FileTarget;
  readonly multiple: boolean;
}

/** The files that a tab waits for: a later wish takes the place of an earlier one, which comes to nothing. */
export class Asked {
  /** Documents in which something is done now. */
  readonly #documents = new Set<{ readonly frame: number; isLeft: boolean }>();
  #wish: Wish | undefined;
  #last = 0;

  /** The number of the next wish. */
  next(): number {
    this.#last += 1;
    return this.#last;
  }

  /** Returns false where a later one has come meanwhile. */
  set(wish: Wish): boolean {
    if (wish.id !== this.#last) {
      wish.target.cancel?.();
      return false;
    }
    this.cancel();
    this.#wish = wish;
    return true;
  }

  /** Sets one for several files. Returns its number. */
  offer(target: FileTarget): number {
    const id = this.next();
    this.set({ id, target, multiple: true });
    return id;
  }

  has(id: number): boolean {
    return this.#wish?.id === id;
  }

  /** Its files are named. */
  take(id: number): Wish | undefined {
    const wish = this.has(id) ? this.#wish : undefined;
    if (wish) this.#wish = undefined;
    return wish;
  }

  /** It comes to nothing, and the page hears of it. */
  cancel(): void {
    this.#wish?.target.cancel?.();
    this.#wish = undefined;
  }

  /** Runs a task in the document that a frame has now; undefined where another has taken its place meanwhile. */
  async inDocument<T>(frame: number, task: () => Promise<T>): Promise<T | undefined> {
    const document = { frame, isLeft: false };
    this.#documents.add(document);
    try {
      const done = await task();
      return document.isLeft ? undefined : done;
    } finally {
      this.#documents.delete(document);
    }
  }

  /** The document of a frame has gone. */
  left(frame: number): void {
    for (const document of this.#documents)
      if (document.frame === frame || frame === MAIN_FRAME) document.isLeft = true;
    if (this.#wish?.target.frame === frame || frame === MAIN_FRAME) this.#wish = undefined;
  }
}
