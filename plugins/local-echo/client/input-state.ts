import type { TextState } from '../../../core/index.ts';
import { isSame, isSameText, isSign } from './acts.ts';
import type { Act } from './acts.ts';

/** How typing is shown: at once; as the page has it; as the page has it, since it is too far behind (M-026). */
export const MODE = { local: 1, remote: 2, overflow: 3 } as const;
export type Mode = (typeof MODE)[keyof typeof MODE];

/** Something that the person has done, and that the page has not handled yet. */
export interface Pending {
  readonly seq: number;
  readonly act: Act;
  /** Shown after it; undefined where only the page knows. */
  readonly after: TextState | undefined;
  /** The page has had that text since. It may still change it while it handles the act. */
  readonly isConfirmed?: boolean;
  /** The state that would have been shown after it, where that is only to be compared with the page's answer. */
  readonly guess?: TextState | undefined;
  /** Time, in ms of `performance.now()`. */
  readonly at: number;
}

/** Whether what stands before the caret of a state begins a text, and what stands behind it ends that. */
function isPartOf({ text, start, end }: TextState, whole: string): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const rest = whole.length - after.length;
  return (
    before.length <= rest && isSameText(whole.slice(0, before.length), before) && isSameText(whole.slice(rest), after)
  );
}

/** The typing in the editable with the focus (M-026). */
export class InputState {
  mode: Mode = MODE.local;
  /** The page's own state when it was last seen; undefined while nothing is shown ahead of it. */
  remote: TextState | undefined;
  /** The acts that the page has not handled, in order, with what is shown after each. */
  pending: readonly Pending[] = [];
  /** The last act. */
  last: Act | undefined;

  /** The state that is shown ahead of the page; undefined where nothing is. */
  get shown(): TextState | undefined {
    return this.pending.findLast(({ after }) => after)?.after;
  }

  /** Whether the page is to handle something first that only it knows the outcome of. */
  get isBlocked(): boolean {
    return this.mode !== MODE.local || this.pending.some(({ after }) => !after);
  }

  /** The acts that are shown, and that the page has not confirmed. */
  get ahead(): readonly Pending[] {
    return this.pending.filter(({ after, isConfirmed }) => after && isConfirmed !== true);
  }

  add(pending: Pending): void {
    this.pending = [...this.pending, pending];
    this.last = pending.act;
  }

  /** The acts are handled up to this one. Answers with them. */
  settle(seq: number): readonly Pending[] {
    const settled = this.pending.filter((each) => each.seq <= seq);
    this.pending = this.pending.slice(settled.length);
    return settled;
  }

  /**
   * The page has another text: it is what was shown after one of the acts, then that is the page's from now on. The first that fits counts:
   * what is shown does not change by it, and a later one settles the rest.
   */
  confirm(page: TextState): boolean {
    const found = this.pending.find(({ after }) => after && isSame(after, page));
    if (!found) return false;
    this.remote = page;
    // A text whose caret was late may have looked like that after a later act.
    this.pending = this.pending.map((each) => ({ ...each, isConfirmed: each.seq <= found.seq }));
    return true;
  }

  /** Whether the page has the text that was shown after an act, and its caret not yet there: that comes some time after the text. */
  isHalfway({ text }: TextState): boolean {
    return this.pending.some(({ after }) => after && isSameText(after.text, text));
  }

  /**
   * The act that the page has answered otherwise, where it has this text now: the first one whose outcome is not part of it, or the sign
   * before that, as of an editor that closes brackets. Undefined where something was done that nobody knows the outcome of.
   */
  culprit({ text }: TextState): Pending | undefined {
    if (this.pending.some(({ after }) => !after)) return undefined;
    const last = this.pending.findLast(({ isConfirmed }) => isConfirmed);
    if (text.length === this.remote?.text.length && last) return last;
    const { ahead } = this;
    const at = ahead.findIndex(({ after }) => after && !isPartOf(after, text));
    const [before, first] = at < 0 ? [ahead.at(-1)] : [ahead[at - 1], ahead[at]];
    return before && isSign(before.act) ? before : (first ?? before ?? last);
  }

  /** The acts that the page has not handled are shown again, on what it has. */
  resume(page: TextState, pending: readonly Pending[]): void {
    this.pending = pending;
    this.remote = page;
    this.mode = MODE.local;
  }

  /** Nothing is shown ahead of the page any more. */
  takeBack(mode: Mode): void {
    this.pending = this.pending.map(({ seq, act, at, guess }) => ({ seq, act, at, guess, after: undefined }));
    this.remote = undefined;
    this.mode = mode;
  }
}
