import type { Commands, Editable, ParamsOf, TextState } from '../../../core/index.ts';
import { ACTIVE_MS, composition, MOST_COMPOSED, notice } from '../protocol.ts';
import type { Replaced } from '../protocol.ts';

/** Time after the notice for which the view waits for the page's answer, in ms. */
const ANSWER_MS = 500;
/** Time after a press for which a page that has not changed may not have put its caret there yet, in ms. */
const PRESS_MS = 1000;

/** A composition in the view, until its `compositionend`. */
interface Composition {
  readonly id: number;
  readonly frame: number;
  /** Undefined outside text controls and editing hosts. */
  readonly editable: Editable | undefined;
  /** Where it begins in the editable; undefined before its first step, or where that is not known. */
  base: number | undefined;
  replaced: Replaced | undefined;
  /** Whether its first step is under way or done: where it begins is not to be seen any more. */
  hasBegun: boolean;
  /** State of the page before it, or that the page is about to have where it has not answered the last one yet. */
  readonly page: () => TextState | undefined;
  /** The text that was sent last, or is about to be. */
  text: string;
  /** The page hears no more of it. */
  isOver: boolean;
}

/** A composition that has ended here; its notice is pending, or the page's answer (S-078). */
interface Ended extends Readonly<Pick<Composition, 'id' | 'frame' | 'editable'>> {
  /** State of the view since, which the page is about to have. */
  shown: TextState | undefined;
  isNoticed: boolean;
}

/**
 * Sends each step of what an input method composes in the view. A step waits for the end of the task: the last one is the end itself where
 * both come together. The field is held from the start until the page has answered.
 */
export class Composer {
  readonly #commands: Pick<Commands, 'send'>;
  #last = 0;
  #composition: Composition | undefined;
  #staged: Pick<ParamsOf<typeof composition>, 'text' | 'start' | 'end'> | undefined;
  #stageTimer: ReturnType<typeof setTimeout> | undefined;
  #ended: Ended | undefined;
  /** The last press, and the state of the page then. */
  #lastPress: { readonly at: number; readonly page: TextState | undefined } = { at: -PRESS_MS, page: undefined };
  /** Until the input method is not active any more, then until the page should have answered. */
  #endTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(commands: Pick<Commands, 'send'>) {
    this.#commands = commands;
  }

  /** Whether `compositionend` is still to come. */
  get isComposing(): boolean {
    return this.#composition !== undefined;
  }

  /** Whether an editable is held until a composition in it is over. */
  holds(editable: Editable): boolean {
    return this.#composition?.editable === editable || this.#ended?.editable === editable;
  }

  start(frame: number, editable: Editable | undefined): void {
    this.#interrupt();
    const before = this.#takeOver(editable);
    const id = (this.#last += 1);
    const isNext = before && before.editable === editable;
    const page = (): TextState | undefined => (isNext ? before.shown : this.#composition?.editable?.page());
    const isNew = { base: undefined, replaced: undefined, hasBegun: false, text: '', isOver: false };
    this.#composition = { id, frame, editable, page, ...isNew };
    editable?.hold();
    this.#send('start', { text: '', start: 0, end: 0 });
  }

  /** Called before each step, while what it takes the place of is selected. */
  prepare(): void {
    const composing = this.#composition;
    if (!composing?.editable || composing.hasBegun) return;
    composing.hasBegun = true;
    const shown = composing.editable.shown();
    const page = composing.page();
    composing.base = shown?.start;
    const { at, page: before } = this.#lastPress;
    const isAnswered =
      performance.now() - at > PRESS_MS || before?.text !== page?.text || before?.start !== page?.start;
    if (isAnswered && shown && shown.text === page?.text) composing.replaced = distance(page, shown);
  }

  /** Called with the whole text of a step. */
  step(text: string): void {
    const composing = this.#composition;
    if (!composing || composing.isOver) return;
    this.flush();
    const whole = text.slice(0, MOST_COMPOSED);
    const { base = 0 } = composing;
    const shown = composing.base === undefined ? undefined : composing.editable?.shown();
    const at = (place: number): number => Math.max(0, Math.min(whole.length, place - base));
    const [start, end] = shown ? [at(shown.start), at(shown.end)] : [whole.length, whole.length];
    composing.text = whole;
    this.#staged = { text: whole, start, end };
    this.#stageTimer = setTimeout(() => this.flush());
  }

  /** Sends a step that waits: something else comes after it. */
  flush(): void {
    const staged = this.#staged;
    if (!staged) return;
    clearTimeout(this.#stageTimer);
    this.#staged = undefined;
    const replaced = this.#composition?.replaced;
    if (this.#composition) this.#composition.replaced = undefined;
    this.#send('update', staged, replaced);
  }

  /** The input method is done, with this text. */
  end(text: string): void {
    const composing = this.#composition;
    if (!composing) return;
    if (!composing.isOver) this.#finish(composing, text);
    this.#composition = undefined;
  }

  /** Holds a field into which the browser inserts a text ahead of the page: what is composed next goes after it. */
  insert(frame: number, editable: Editable): void {
    this.#takeOver(editable);
    const id = (this.#last += 1);
    this.#ended = { id, frame, editable, shown: undefined, isNoticed: false };
    editable.hold();
    this.notice();
  }

  /** Another text has been inserted in a field that is held after a composition. `shown`: its state since, where that is known. */
  inserted(shown: TextState | undefined): void {
    if (this.#ended) this.#ended.shown = shown;
  }

  /** Ends it before something else that the person does, with what is there. `page`: its state until it answers. */
  press(page: TextState | undefined): void {
    this.#lastPress = { at: performance.now(), page };
    this.#interrupt();
  }

  /** The page has ended it: what it has is shown, which also ends it here. */
  over(id: number): void {
    const composing = this.#composition;
    if (composing?.id !== id || composing.isOver) return;
    clearTimeout(this.#stageTimer);
    this.#staged = undefined;
    composing.isOver = true;
    const { editable } = composing;
    const shown = editable?.shown();
    // Browsers let an input method go on unless its text changes.
    if (shown) editable?.show({ ...shown, text: `${shown.text} ` });
    editable?.release();
  }

  /** The input method is active no more, as a key has come up (S-078), or something else begins. */
  notice(): void {
    const ended = this.#ended;
    if (!ended || ended.isNoticed) return;
    ended.isNoticed = true;
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => this.settled(ended.id), ANSWER_MS);
    this.#commands.send(notice, { frame: ended.frame, composition: ended.id });
  }

  /** The page has answered, or has had its time: its text is shown. */
  settled(id: number): void {
    const ended = this.#ended;
    if (ended?.id !== id) return;
    clearTimeout(this.#endTimer);
    this.#ended = undefined;
    ended.editable?.release();
  }

  /** A document has gone, with what is composed in it. */
  leave(frame: number): void {
    if (this.#composition?.frame === frame || this.#ended?.frame === frame) {
      this.dispose();
      this.#composition = undefined;
    }
  }

  /** Nothing is composed any more, nor held. */
  dispose(): void {
    clearTimeout(this.#stageTimer);
    clearTimeout(this.#endTimer);
    this.#staged = undefined;
    const editable = this.#composition?.editable ?? this.#ended?.editable;
    if (this.#composition) this.#composition.isOver = true;
    this.#ended = undefined;
    editable?.release();
  }

  /** A syllable that has just ended stays until the next one in its field has, too; another field is given back. */
  #takeOver(editable: Editable | undefined): Ended | undefined {
    this.notice();
    const before = this.#ended;
    clearTimeout(this.#endTimer);
    this.#ended = undefined;
    if (before && before.editable !== editable) before.editable?.release();
    return before;
  }

  #interrupt(): void {
    const composing = this.#composition;
    if (composing && !composing.isOver) {
      this.#finish(composing, composing.text);
      composing.isOver = true;
    }
    this.notice();
  }

  #finish(composing: Composition, text: string): void {
    const whole = text.slice(0, MOST_COMPOSED);
    // The page makes the same events of the end as of a last step with its text.
    if (this.#staged?.text === whole && composing.replaced === undefined) {
      clearTimeout(this.#stageTimer);
      this.#staged = undefined;
    }
    this.flush();
    this.#send('end', { text: whole, start: whole.length, end: whole.length });
    const { id, frame, editable } = composing;
    this.#ended = { id, frame, editable, shown: editable?.shown(), isNoticed: false };
    clearTimeout(this.#endTimer);
    this.#endTimer = setTimeout(() => this.notice(), ACTIVE_MS);
  }

  #send(
    state: ParamsOf<typeof composition>['state'],
    text: Pick<ParamsOf<typeof composition>, 'text' | 'start' | 'end'>,
    replaced?: Replaced,
  ): void {
    const composing = this.#composition;
    if (!composing || composing.isOver) return;
    const { frame, id } = composing;
    this.#commands.send(composition, { frame, composition: id, state, ...text, ...(replaced && { replaced }) });
  }
}

/** How far a selection goes beyond the page's on either side; undefined where it is the same. */
export function distance(
  page: { readonly start: number; readonly end: number },
  shown: { readonly start: number; readonly end: number },
): Replaced | undefined {
  const before = page.start - shown.start;
  const after = shown.end - page.end;
  return before === 0 && after === 0 ? undefined : { before, after };
}
