import type { Commands, Editable, Target, TextState } from '../../../core/index.ts';
import { ednt, edtx, MOST_TEXT } from '../protocol.ts';
import type { Patch } from '../protocol.ts';

/** Delay with which an edit of a control is sent, in ms: the edits of one task are one (M-107). */
const CONTROL_DELAY_MS = 0;
/** Time for which edits of rich text are gathered, in ms (M-107). */
const RICH_DELAY_MS = 100;
/** Time after which the view shows the page's text without an answer, in ms: no answer comes of a session that has been lost. */
const LONGEST_MS = 10_000;

/** An edit that is to be sent. */
interface Staged {
  readonly target: Target;
  readonly isRich: boolean;
  readonly before: string;
  readonly after: string;
}

/** A replacement in a text: UTF-16 units from `start` to `end` become `text`. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Options {
  readonly commands: Pick<Commands, 'send'>;
  readonly makePatches: (before: string, after: string) => readonly Patch[];
  /** Whether something else holds the editable. */
  readonly isHeld: (editable: Editable) => boolean;
}

/**
 * Sends text that the person's browser has replaced, as differences to what the person saw: the page may have another text by then. The view
 * shows the edit until the page has answered.
 */
export class TextEdits {
  readonly #options: Options;
  #staged: Staged | undefined;
  #stageTimer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  /** The editable that is held until the page has answered the last edit. */
  #held: Editable | undefined;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Takes a replacement in the whole text of an editable, as the person sees it. False where it is too long, or none. */
  take(editable: Editable, before: string, { start, end, text }: Replacement): boolean {
    const after = before.slice(0, start) + text + before.slice(end);
    if (before === after || before.length > MOST_TEXT || after.length > MOST_TEXT) return false;
    const { target, kind } = editable;
    const isRich = kind === 'rich';
    const staged = this.#staged;
    if (staged && (staged.target !== target || staged.after !== before)) this.flush();
    this.#staged = { target, isRich, before: this.#staged?.before ?? before, after };
    this.#stageTimer ??= setTimeout(() => this.flush(), isRich ? RICH_DELAY_MS : CONTROL_DELAY_MS);
    return true;
  }

  /** Keeps what an editable shows from changes by the page until the edit is answered. */
  hold(editable: Editable): void {
    if (this.#held !== editable) this.#release();
    this.#held = editable;
    editable.hold();
    clearTimeout(this.#holdTimer);
    this.#holdTimer = setTimeout(() => this.#release(), LONGEST_MS);
  }

  /** Shows a replacement in a text that an editable shows, where it can be shown. */
  show(editable: Editable, shown: TextState, replacement: Replacement): void {
    const page = editable.page();
    const caret = page?.text === shown.text && page.start === page.end ? page.start : replacement.end;
    const at = moved(caret, replacement);
    const text = shown.text.slice(0, replacement.start) + replacement.text + shown.text.slice(replacement.end);
    this.hold(editable);
    if (!editable.show({ text, start: at, end: at })) this.#release();
  }

  /** Sends an edit that waits: something else comes after it. */
  flush(): void {
    clearTimeout(this.#stageTimer);
    this.#stageTimer = undefined;
    const staged = this.#staged;
    this.#staged = undefined;
    if (!staged || staged.before === staged.after) return;
    const { commands, makePatches } = this.#options;
    const params = {
      edit: (this.#last += 1),
      target: staged.target,
      patches: [...makePatches(staged.before, staged.after)],
    };
    if (staged.isRich) commands.send(ednt, params);
    else commands.send(edtx, params);
  }

  /** The page has answered an edit: the view shows its text, unless another edit is under way. */
  settled(edit: number): void {
    if (edit === this.#last && !this.#staged) this.#release();
  }

  /** The browser has not done what was to be sent: the view shows the page's text, unless an edit is under way. */
  abandon(): void {
    if (!this.#staged) this.#release();
  }

  /** A document has gone, with what was edited in it. */
  leave(frame: number): void {
    if (this.#staged?.target.frame === frame || this.#held?.target.frame === frame) this.dispose();
  }

  /** Nothing is sent any more, nor held. */
  dispose(): void {
    clearTimeout(this.#stageTimer);
    this.#stageTimer = undefined;
    this.#staged = undefined;
    this.#release();
  }

  #release(): void {
    clearTimeout(this.#holdTimer);
    const held = this.#held;
    this.#held = undefined;
    if (held && !this.#options.isHeld(held)) held.release();
  }
}

/** Where a caret is after a replacement: as far from the text around as before, or after what it was in. */
function moved(caret: number, { start, end, text }: Replacement): number {
  if (caret < start) return caret;
  return caret > end ? caret + text.length - (end - start) : start + text.length;
}
