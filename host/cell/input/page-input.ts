import { setTimeout as delay } from 'node:timers/promises';
import { edited, focused, scrolled } from '../../../core/protocol/core-messages.ts';
import type { Endpoint } from '../../../core/protocol/endpoint.ts';
import { AppError, toAppError } from '../../../core/protocol/errors.ts';
import { focusTarget, resolveTarget, scrollTo, setValue } from '../../../core/protocol/page-messages.ts';
import type { Target } from '../../../core/protocol/target.ts';
import { GESTURE_MS } from '../../contracts/tab-input.ts';
import type { Gesture, HostInput, InputKind, InputMethod, InputTurn, Place } from '../../contracts/tab-input.ts';
import type { PageBus } from '../../contracts/host-scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { FramePlacement } from '../page/frame-placement.ts';
import type { FrameTree } from '../page/frames.ts';
import { InputQueue } from './input-queue.ts';
import { InputSessions } from './input-sessions.ts';
import { PersonEdits } from './person-edits.ts';

/**
 * A page half that does not say within this time where a target is has a page that hangs: the event is dropped. Pages and machines are busy
 * for a second or two now and then; a press is not lost for that.
 */
const RESOLVE_DEADLINE_MS = 3000;
/** A page that has not handled an event within this time shows a dialog or hangs: other devices go on, though keys may overtake a press. */
const HANDLE_DEADLINE_MS = 3000;
/**
 * Longest time between two keys that is kept up where they come faster than they were pressed, in ms: a frame. Lines and machines deliver in
 * bursts what nobody types in bursts, and editors that wait for a timer or a frame of their own after a key lose the next one then.
 */
const LONGEST_PACE_MS = 17;
/** Events that wait at which no pace is kept up: the person waits for them. */
const UNPACED_WAITING = 60;
/** Faults of events that are lost because their frame has gone, or its page hangs. */
const LOST = [
  'call-timeout',
  'cdp-closed',
  'cdp-error',
  'cdp-timeout',
  'document-awaited',
  'frame-gone',
  'no-page-half',
  'no-target',
];

/** The plugin that takes part, and what it may do. */
interface Participant {
  readonly plugin: string;
  /** `permissions.cdp` of its manifest. */
  readonly permissions: readonly string[];
  /** Aborted when its scope is disposed. */
  readonly signal: AbortSignal;
  readonly onFault: (fault: AppError) => void;
}

interface PageInputOptions {
  readonly frames: FrameTree;
  /** Messages to the kernels of the page halves; its calls wait for as long as Chromium holds them back. */
  readonly kernel: PageBus;
  /** The same, whose calls fail with `document-awaited` then. */
  readonly impatient: PageBus;
  /** Whether the person looks at the tab. */
  readonly isShown: () => boolean;
  /** See `AwaitedDocuments.of`: page halves of such a session do not hear the host. */
  readonly waitOf: (session: CdpSession) => number | undefined;
  /** Called with the document that has to handle what the person has done. */
  readonly expect: (session: CdpSession) => void;
}

/**
 * The person's input in one tab, on its way to the page as trusted events. Each device is a plugin; this gives them the order, the
 * places, the way to the page and the mark of what the person has done, and holds them to the rules. Events keep their order. Those of
 * one device do not wait for the page to have handled one: a page that shows a dialog never acknowledges.
 */
export class PageInput {
  readonly #options: PageInputOptions;
  readonly #placement: FramePlacement;
  readonly #queue = new InputQueue();
  readonly #sessions: InputSessions;
  readonly #edits = new PersonEdits();
  /** Waits in which something was scrolled, edited or focused, which Chromium holds back: a press would miss it. */
  readonly #behind = new WeakMap<CdpSession, number>();
  #actedAt = -Infinity;
  /** The last key: when it was pressed, and when it went to the page. */
  #lastKey = { pressedAt: 0, sentAt: -Infinity };
  /** The last event other than a movement, until the page has handled it or another device has waited for it. */
  #unhandled: { readonly plugin: string; readonly done: Promise<void> } | undefined;
  /** Number of times that all input was dropped. */
  #drops = 0;
  readonly gesture: Gesture;

  constructor(options: PageInputOptions) {
    this.#options = options;
    this.#placement = new FramePlacement(options.frames, (session) => options.waitOf(session) !== undefined);
    this.#sessions = new InputSessions(options.frames, options.expect);
    const actedAt = (): number => this.#actedAt;
    this.gesture = {
      isActive: () => options.isShown() && performance.now() - actedAt() < GESTURE_MS,
      get actedAt() {
        return actedAt();
      },
    };
  }

  /** Takes what the view itself reports, in the same order. */
  handle(endpoint: Endpoint): void {
    const { kernel } = this.#options;
    endpoint.handle(scrolled, ({ target, left, top }) => {
      void this.#queue.add(async () => {
        this.#mayBeHeld(target.frame);
        this.#placement.scrolled();
        kernel.send(target.frame, scrollTo, { target, left, top });
      });
    });
    endpoint.handle(edited, (edit) => {
      const { target, by, value } = edit;
      if (!this.#edits.takes(target, by, value)) return;
      void this.#queue.add(async () => {
        this.#mayBeHeld(target.frame);
        lost(kernel.call(target.frame, setValue, edit));
      });
    });
    endpoint.handle(focused, ({ target }) => {
      this.#edits.pressed(target);
      void this.#queue.add(async () => {
        this.#mayBeHeld(target.frame);
        lost(kernel.call(target.frame, focusTarget, { target }));
      });
    });
  }

  /** Something is done in a frame that a press must not overtake. */
  #mayBeHeld(frame: number): void {
    const session = this.#options.frames.sessionOf(frame);
    const wait = session && this.#options.waitOf(session);
    if (session && wait !== undefined) this.#behind.set(session, wait);
  }

  /** The input of one plugin. */
  of(participant: Participant): HostInput {
    return {
      gesture: this.gesture,
      place: (target, shift) => this.#place(target, shift),
      enqueue: async (apply, kind = {}) => {
        if (!this.#admits(participant)) return false;
        if (kind.isPress) this.#actedAt = performance.now();
        if (kind.at) this.#edits.pressed(kind.at);
        const { plugin } = participant;
        return this.#queue.add(() => this.#run(participant, apply, kind), kind.isMove ? plugin : undefined);
      },
      handled: () => this.#handled(),
    };
  }

  /** The page is being left: resolves once it has handled what was done in it, or after `patienceMs`, which drops what still waits then. */
  async settle(patienceMs: number): Promise<void> {
    const isLate = delay(patienceMs, true, { ref: false });
    const isOver = this.#handled().then(() => false);
    if (await Promise.race([isOver, isLate])) this.#drop();
  }

  /** Drops what waits, and what has its turn but has not acted yet. */
  #drop(): void {
    this.#drops += 1;
    this.#queue.clear();
  }

  /** The page is another: nothing that was pressed or waits concerns it. */
  reset(): void {
    this.#actedAt = -Infinity;
    this.#unhandled = undefined;
    this.#edits.reset();
    this.#drop();
    this.#sessions.reset();
  }

  /** Whether an event is taken, and again whether it has its turn: what holds for the input of all devices is decided here. */
  #admits({ signal }: Participant): boolean {
    return !signal.aborted;
  }

  async #run(participant: Participant, apply: Parameters<HostInput['enqueue']>[0], kind: InputKind): Promise<boolean> {
    const drops = this.#drops;
    const isHandled = kind.isMove || (await this.#otherDevice(participant.plugin, kind.patienceMs));
    if (!isHandled && kind.patienceMs !== undefined) return true;
    if (kind.pressedAt !== undefined) await this.#keepPace(kind.pressedAt);
    if (!this.#admits(participant) || drops !== this.#drops) return false;
    const { turn, end } = this.#turn(participant, kind);
    try {
      await apply(turn);
    } catch (thrown) {
      const fault = toAppError(thrown);
      if (!LOST.includes(fault.code)) participant.onFault(fault);
    } finally {
      end();
    }
    return true;
  }

  /** Waits until as much time has gone by since the last key as went by between the presses. */
  async #keepPace(pressedAt: number): Promise<void> {
    const pace = this.#queue.length < UNPACED_WAITING ? pressedAt - this.#lastKey.pressedAt : 0;
    const wait = Math.min(pace, LONGEST_PACE_MS) - (performance.now() - this.#lastKey.sentAt);
    if (wait > 0) await delay(wait, undefined, { ref: false });
    this.#lastKey = { pressedAt, sentAt: performance.now() };
  }

  /** See {@link HostInput.handled}. The queue goes on meanwhile. */
  #handled(): Promise<void> {
    return new Promise((resolve) => {
      const reached = this.#queue.add(async () => {
        const last = this.#unhandled?.done;
        void Promise.race([last, delay(HANDLE_DEADLINE_MS, undefined, { ref: false })]).then(resolve);
      });
      void reached.then((ran) => {
        if (!ran) resolve();
      });
    });
  }

  /**
   * Waits until the page has handled the last event of another device. Chromium keeps the order of the events of one device only: a key
   * overtakes a turn of the wheel whose target it still looks for. Answers whether it has.
   */
  async #otherDevice(plugin: string, patienceMs = HANDLE_DEADLINE_MS): Promise<boolean> {
    const last = this.#unhandled;
    if (!last || last.plugin === plugin) return true;
    const isLate = delay(Math.min(patienceMs, HANDLE_DEADLINE_MS), true, { ref: false });
    const isHandled = !(await Promise.race([last.done, isLate]));
    if (this.#unhandled === last && (isHandled || patienceMs >= HANDLE_DEADLINE_MS)) this.#unhandled = undefined;
    return isHandled;
  }

  #turn(
    { plugin, permissions }: Participant,
    { isMove = false }: InputKind,
  ): { readonly turn: InputTurn; readonly end: () => void } {
    let isOver = false;
    const drops = this.#drops;
    const page = this.#options.frames.sessionOf(0);
    let hasActed = false;
    const check = (): void => {
      if (isOver) throw new AppError('turn-over', `${plugin} acts in the page outside of its turn`);
      // An act that has begun is brought to its end in the page that it began in: a key comes up.
      const mayEnd = hasActed && page === this.#options.frames.sessionOf(0);
      if (drops !== this.#drops && !mayEnd)
        throw new AppError('frame-gone', 'the page is being left', { retryable: true });
    };
    const permit = (method: InputMethod): void => {
      if (!method.startsWith('Input.') || !(permissions.includes(method) || permissions.includes('Input.*')))
        throw new AppError('cdp-not-permitted', `${plugin} may not use ${method}`);
    };
    const turn: InputTurn = {
      send: (method, params, options) => {
        check();
        permit(method);
        hasActed = true;
        const sent = this.#sessions.send(method, params ?? {}, options);
        const done = sent.catch(() => undefined); // its caller gets the error
        if (!isMove) this.#unhandled = { plugin, done };
        return sent;
      },
      leave: (frame) => {
        check();
        this.#sessions.leave(frame);
      },
    };
    return { turn, end: () => (isOver = true) };
  }

  async #place(target: Target, shift?: Place['shift']): Promise<Place | undefined> {
    const { frame, x, y } = target;
    const point = shift ? { x: x + shift.x, y: y + shift.y, bar: false } : await this.#pointOf(target);
    // A drag may leave what is in view.
    const place = point && (await this.#placement.inSession(frame, point, shift === undefined));
    const session = this.#options.frames.sessionOf(frame);
    if (!place || !session) return undefined;
    return {
      session: this.#sessions.numberOf(session),
      ...place,
      shift: { x: point.x - x, y: point.y - y },
      isOnScrollBar: point.bar,
    };
  }

  /**
   * The point of a target in its frame's viewport; undefined when the frame has no session. While the next document is awaited, which may take
   * a server minutes, it is where the person sees it: the page stays in use, as in direct browsing. Once something was scrolled or edited
   * meanwhile, which the page does not know of, it is undefined, too.
   */
  async #pointOf(target: Target): Promise<Point | undefined> {
    const { frames, impatient, expect, waitOf } = this.#options;
    const session = frames.sessionOf(target.frame);
    if (!session) return undefined;
    expect(session);
    const seen = (): Point | undefined => {
      const isBehind = this.#behind.get(session) === waitOf(session);
      return isBehind ? undefined : { x: target.x, y: target.y, bar: false };
    };
    if (waitOf(session) !== undefined) return seen();
    try {
      return await impatient.call(target.frame, resolveTarget, { target }, { deadlineMs: RESOLVE_DEADLINE_MS });
    } catch (thrown) {
      if (toAppError(thrown).code === 'document-awaited' && waitOf(session) !== undefined) return seen();
      throw thrown;
    }
  }
}

/** A point of a frame's viewport, in CSS px. */
interface Point {
  readonly x: number;
  readonly y: number;
  /** Whether a scroll bar is there. */
  readonly bar: boolean;
}

/** For messages to the page that need no answer: its frame may be gone. */
function lost(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}
