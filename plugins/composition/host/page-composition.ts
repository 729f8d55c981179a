import { setTimeout as delay } from 'node:timers/promises';
import { toAppError } from '../../../host/plugin.ts';
import type { HostScope, InputTurn, ParamsOf } from '../../../host/plugin.ts';
import type { composition, insertion, Replaced } from '../protocol.ts';
import { over, pageSelect, pageState, settled } from '../protocol.ts';

/**
 * Selects in a frame what an edit takes the place of. False where the page has changed meanwhile, or cannot be asked while its next document is
 * awaited: the edit would hit something else.
 */
export async function selectIn({ page }: HostScope, frame: number, { before, after }: Replaced): Promise<boolean> {
  return (await unlessAwaited(page.call(frame, pageSelect, { before, after })))?.isDone ?? false;
}

/** Undefined where the page cannot be asked while its next document is awaited. */
async function unlessAwaited<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (toAppError(thrown).code === 'document-awaited') return undefined;
    throw thrown;
  }
}

type Step = ParamsOf<typeof composition>;

/** Time after the last step after which a composition is ended, in ms: nobody chooses among candidates for so long. */
const ABANDONED_MS = 120_000;
/** Time that a page has to handle a step, in ms; past it, as while it shows a dialog, the next one goes out all the same. */
const HANDLE_MS = 3000;

/** The composition that is under way in the page. */
interface Current {
  readonly id: number;
  readonly frame: number;
  text: string;
  /** Whether the page has got any of it. */
  isBegun: boolean;
}

/**
 * One tab's composition in the page. The page may end it by itself at any time, and keeps what was composed until then: what the view still
 * sends of it would be there twice, so the page is asked before each step.
 */
export class PageComposition {
  readonly #scope: HostScope;
  #current: Current | undefined;
  #last = 0;
  #handled: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(scope: HostScope) {
    this.#scope = scope;
  }

  /** Takes a step of the view's composition. */
  take(step: Step): void {
    this.#watch();
    void this.#scope.input.enqueue((turn) => this.#apply(step, turn));
  }

  /** Takes a text that is inserted without a composition. */
  insert({ frame, text, replaced }: ParamsOf<typeof insertion>): void {
    void this.#scope.input.enqueue(async (turn) => {
      // It would stand beside what it takes the place of.
      if (replaced && !(await selectIn(this.#scope, frame, replaced))) return;
      this.#handled = turn.send('Input.insertText', { text });
    });
  }

  /** The view's composition is over, which the page may have missed where too much waited. Answers once the page has drawn all of it. */
  notice(id: number, frame: number): void {
    const { input, commands, page } = this.#scope;
    void input.enqueue(async (turn) => {
      if (this.#current?.id === id) this.#commit(turn, this.#current.text);
      await this.#whenHandled();
      const state = await page.call(frame, pageState, { isFlushed: true }).catch(() => undefined); // its frame may be gone
      commands.send(settled, { composition: id }, state && { after: [frame, state.epoch, state.seq] });
    });
  }

  /** A frame says that its composition has ended. */
  look(frame: number): void {
    if (this.#current?.frame !== frame) return;
    void this.#scope.input.enqueue(async () => {
      if (this.#current?.frame === frame && this.#current.isBegun) await this.#isLost(this.#current);
    });
  }

  /** Another client, which counts anew. */
  attached(): void {
    this.finish();
    void this.#scope.input.enqueue(() => {
      this.#last = 0;
    });
  }

  /** Leaves in the page what is composed there, as a browser does that loses its input method. */
  finish(): void {
    clearTimeout(this.#timer);
    if (!this.#current) return;
    void this.#scope.input.enqueue(async (turn) => {
      const current = this.#current;
      if (!current || (current.isBegun && (await this.#isLost(current)))) return;
      this.#commit(turn, current.text);
      this.#scope.commands.send(over, { composition: current.id });
    });
  }

  /** The document of a frame, or of all, has gone with what is composed in it. */
  drop(frame?: number): void {
    if (frame !== undefined && this.#current?.frame !== frame) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
  }

  async #apply({ composition: id, frame, state, text, start, end, replaced }: Step, turn: InputTurn): Promise<void> {
    if (id > this.#last) {
      // A new one while another is open: its end was lost.
      if (this.#current) this.#commit(turn, this.#current.text);
      this.#last = id;
      this.#current = { id, frame, text: '', isBegun: false };
    }
    const current = this.#current;
    if (state === 'start' || current?.id !== id || (current.isBegun && (await this.#isLost(current)))) return;
    if (state === 'end') {
      this.#commit(turn, text);
      return;
    }
    if (replaced && !(await selectIn(this.#scope, frame, replaced))) {
      // It would stand beside what it takes the place of.
      this.drop();
      this.#scope.commands.send(over, { composition: id });
      return;
    }
    current.text = text;
    current.isBegun = true;
    this.#handled = turn.send('Input.imeSetComposition', { text, selectionStart: start, selectionEnd: end });
  }

  /** Ends the composition in the page with a text. Chromium gives a composition up that is empty. */
  #commit(turn: InputTurn, text: string): void {
    const isBegun = this.#current?.isBegun ?? false;
    this.#current = undefined;
    clearTimeout(this.#timer);
    if (text !== '') this.#handled = turn.send('Input.insertText', { text });
    else if (isBegun)
      this.#handled = turn.send('Input.imeSetComposition', { text, selectionStart: 0, selectionEnd: 0 });
  }

  /** Whether the page has ended a composition that it had got, by itself; the view is notified. */
  async #isLost(current: Current): Promise<boolean> {
    await this.#whenHandled();
    const state = await unlessAwaited(this.#scope.page.call(current.frame, pageState, { isFlushed: false }));
    if (this.#current !== current) return true;
    if (!state || state.isComposing) return false; // it still takes input
    this.drop();
    this.#scope.commands.send(over, { composition: current.id });
    return true;
  }

  async #whenHandled(): Promise<void> {
    await Promise.race([this.#handled.catch(() => undefined), delay(HANDLE_MS, undefined, { ref: false })]);
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.finish(), ABANDONED_MS);
    this.#timer.unref();
  }
}
