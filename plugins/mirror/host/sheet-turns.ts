import { setImmediate as turn } from 'node:timers/promises';
import { counted } from '../../../host/plugin.ts';
import type { Work } from '../../../host/plugin.ts';
import type { AddressContext } from './sanitize/addresses.ts';
import { NOTHING, sanitizingSheet, TURN_MS } from './sanitize/css.ts';
import type { Rewritten } from './sanitize/css.ts';

interface Job {
  readonly turns: Generator<undefined, Rewritten>;
  readonly isCurrent: () => boolean;
  readonly resolve: (sheet: Rewritten) => void;
  readonly reject: (thrown: unknown) => void;
}

/**
 * Sanitizes the sheets of a tab in slices, and yields to other work between them. The sheets of a frame are sanitized in order; frames
 * alternate, so that the sheets of one do not delay those of another.
 */
export class SheetTurns {
  /** Waiting jobs by frame; the next frame is first. */
  readonly #waiting = new Map<number, Job[]>();
  readonly #work: Work | undefined;
  #isRunning = false;

  /** @param work counts the processor time */
  constructor(work?: Work) {
    this.#work = work;
  }

  /** Resolves to the sanitized sheet; to an empty one if `isCurrent` returns false before a slice. */
  sanitize(frame: number, text: string, context: AddressContext, isCurrent: () => boolean): Promise<Rewritten> {
    const { promise, resolve, reject } = Promise.withResolvers<Rewritten>();
    const job: Job = { turns: sanitizingSheet(text, context), isCurrent, resolve, reject };
    const before = this.#waiting.get(frame);
    if (before) before.push(job);
    else this.#waiting.set(frame, [job]);
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    let started = performance.now();
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      this.#step(...next);
      const isOver = performance.now() - started >= TURN_MS;
      // Lets the batch request its other sheets, and those who wait for this one continue.
      await (isOver ? turn() : Promise.resolve());
      if (isOver) started = performance.now();
    }
    this.#isRunning = false;
  }

  #step(frame: number, jobs: Job[]): void {
    this.#waiting.delete(frame);
    const [job] = jobs;
    if (!job || counted(this.#work, 'sanitizing', () => stepped(job))) jobs.shift();
    if (jobs.length > 0) this.#waiting.set(frame, jobs);
  }
}

/** Runs one slice of a job; returns whether it was the last. */
function stepped({ turns, isCurrent, resolve, reject }: Job): boolean {
  try {
    const { done, value } = isCurrent() ? turns.next() : { done: true as const, value: NOTHING };
    if (done) resolve(value);
    return done ?? false;
  } catch (thrown) {
    reject(thrown);
    return true;
  }
}
