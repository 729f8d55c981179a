/** The person's input on its way to the page, as host halves take part in it: `scope.input`. */
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import type { Target } from '../../core/protocol/target.ts';

type CdpCommands = ProtocolMapping.Commands;
/** A CDP method that brings an event to the page. */
export type InputMethod = Extract<keyof CdpCommands, `Input.${string}`>;

/** Time within which a key or button press of the person counts as consent for the page, in ms: as long as in Chromium. */
export const GESTURE_MS = 5000;

/** The person's last act in a tab. */
export interface Gesture {
  /**
   * Whether the person looks at the tab and has pressed a key or a button in it within {@link GESTURE_MS}: a page may ask the person for
   * something then.
   */
  isActive(): boolean;
  /** Time of the last press of a key or a button in the page, in `performance.now()` milliseconds; -Infinity when there was none. */
  readonly actedAt: number;
}

/** A distance in CSS px of a frame. */
interface Shift {
  readonly x: number;
  readonly y: number;
}

/** The place of a target in the page now. */
export interface Place {
  /** Number of the session that takes events there: that of all frames of one target. */
  readonly session: number;
  /** In the viewport of that session, in CSS px. */
  readonly x: number;
  readonly y: number;
  /** From the point where the person sees the target to the point where the page has it. */
  readonly shift: Shift;
  /** Whether the page has a scroll bar there, as the view has: a press scrolls the view, and the page follows. */
  readonly isOnScrollBar: boolean;
}

/** An event's turn in the order of the person's input. It ends with the function that was given it. */
export interface InputTurn {
  /**
   * Sends an event to the page, as a trusted one. Resolves once the page has handled it; a page that shows a dialog does not say so, so
   * devices do not wait. `session` is that of a place; without it the page's own, where Chromium finds the frame with the focus.
   *
   * @throws AppError `cdp-not-permitted` when the manifest does not name the method, `turn-over`. Rejects with `frame-gone`, `cdp-error`,
   * `cdp-timeout`, `cdp-closed`, which nobody has to catch.
   */
  send<M extends InputMethod>(
    method: M,
    params: CdpCommands[M]['paramsType'][0],
    options?: { readonly session?: number; readonly deadlineMs?: number },
  ): Promise<void>;
  /** The pointer has left a frame: what it was over there is notified. */
  leave(frame: number): void;
}

/** The kind of an event in the order of the person's input. */
export interface InputKind {
  /** The person has pressed something: {@link Gesture} is from now on. */
  readonly isPress?: boolean;
  /**
   * When a key was pressed, in ms of the person's clock: keys that come in a burst go to the page as far apart as they were pressed, up to a
   * frame.
   */
  readonly pressedAt?: number;
  /** Where it was pressed: a control there may be changed by the browser's own means until the next press elsewhere. */
  readonly at?: Target;
  /**
   * Longest time in ms to wait for the page to have handled an event of another plugin, at most 3 s. Past it this one does not have its turn.
   */
  readonly patienceMs?: number;
  /** A movement: the next one of the same plugin takes its place if it comes before its turn. It does not wait for other devices. */
  readonly isMove?: boolean;
}

/**
 * The person's input in one tab. There is no other way for a host half to act in the page for the person: what holds for all input, such as
 * the bound of the queue and the consent of the person, holds for every device.
 */
export interface HostInput {
  readonly gesture: Gesture;
  /**
   * Finds where a target is in the page now, and scrolls it into view if it was outside. With a `shift` (that of the place of a press) the
   * page is not asked: the target is there, moved by it. Undefined when its frame is gone.
   *
   * @throws AppError when the page does not answer.
   */
  place(target: Target, shift?: Shift): Promise<Place | undefined>;
  /**
   * Takes an event into the order of the person's input. `apply` has its turn once those before it have had theirs and, if the last was
   * another plugin's, once the page has handled it or has taken 3 s over it. Resolves with false when it never comes: too much waits, the
   * page was replaced, another movement took its place. With `patienceMs` it resolves with true also where the page took longer, without a
   * turn. What `apply` throws for a frame that has gone or a page that hangs is the event's loss, as in a browser; any other fault is
   * reported. Never rejects.
   */
  enqueue(apply: (turn: InputTurn) => void | Promise<void>, kind?: InputKind): Promise<boolean>;
  /**
   * Resolves once the page has handled all that the person has done up to now, or has taken 3 s over the last event. Holds nothing up. Never
   * rejects.
   */
  handled(): Promise<void>;
}
