import { AppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { FRAME_ENDS, withoutFrame } from './event-frames.ts';
import { Listeners } from './listeners.ts';

/** Maximum size of all events of one tab that wait for a frame's change of session, in UTF-16 units of JSON. */
const MAX_HELD_UNITS = 4 * 1024 * 1024;

/** The frame that an event is about, by Chromium's ids; `context` where it reports one. */
export interface About {
  readonly cdpId: string;
  readonly parent?: string | undefined;
  readonly context?: number;
}

interface HeldEvent {
  readonly units: number;
  readonly context: number | undefined;
  readonly play: () => void;
}

/** Events of a session about a frame that still is a target of its own, and about frames below it. */
interface Held {
  readonly session: CdpSession;
  readonly below: Set<string>;
  events: HeldEvent[];
}

/**
 * Says by which session the events of a frame come. The process of a page or an embedded frame may send any event on its own session,
 * so that what an event names proves nothing: only the tree of sessions does, which the browser's process announces. A frame with a
 * target of its own has the session of that target, any other one that of its parent.
 */
export class FrameSpeakers {
  readonly #parentOf: (cdpId: string) => string | undefined;
  /** Sessions of frames that are targets of their own, and of the main frame, by Chromium's frame id. */
  readonly #roots = new Map<string, CdpSession>();
  readonly #held = new Map<string, Held>();
  readonly #faulty = new WeakSet<CdpSession>();
  readonly #faults = new Listeners<AppError>();
  #heldUnits = 0;

  /** `parentOf` returns the parent of a known frame. */
  constructor(parentOf: (cdpId: string) => string | undefined) {
    this.#parentOf = parentOf;
  }

  /** Calls `listener` once for each session that speaks for frames of others (`foreign-frame`). */
  onFault(listener: (fault: AppError) => void): () => void {
    return this.#faults.add(listener);
  }

  /** Returns the session that may speak for a frame; undefined for unknown frames. */
  of(cdpId: string): CdpSession | undefined {
    for (let id: string | undefined = cdpId; id !== undefined; id = this.#parentOf(id)) {
      const root = this.#roots.get(id);
      if (root) return root;
    }
    return undefined;
  }

  /** Returns the session that may speak for the frame around this one. */
  around(cdpId: string): CdpSession | undefined {
    const parent = this.#parentOf(cdpId);
    return parent === undefined ? undefined : this.of(parent);
  }

  /**
   * Returns an event for its listeners if the session may speak for the frame that it is about; a new frame is its parent's session's.
   * An event of a frame that may be on its way back into this session's process is held until the browser's process confirms it.
   */
  admit(session: CdpSession, about: About, event: string, params: object): object | undefined {
    const { cdpId, parent = '' } = about;
    const speaker = this.of(cdpId) ?? this.of(parent);
    if (speaker === session || (event === FRAME_ENDS && this.around(cdpId) === session)) return params;
    const rest = withoutFrame(event, params);
    if (rest) return rest;
    const again = (): void => session.dispatch(event, params);
    if (event !== FRAME_ENDS && this.#hold(session, about, params, again)) return undefined;
    if (!speaker) return params;
    return this.refuse(session);
  }

  isRoot(cdpId: string): boolean {
    return this.#roots.has(cdpId);
  }

  setRoot(cdpId: string, session: CdpSession): void {
    this.#roots.set(cdpId, session);
  }

  /** The frame is gone, or no target of its own any more. Returns the events held for it, to be played now or forgotten. */
  removeRoot(cdpId: string): readonly (() => void)[] {
    this.#roots.delete(cdpId);
    const held = this.#held.get(cdpId);
    this.forget(cdpId);
    return held?.events.map(({ play }) => play) ?? [];
  }

  /** Forgets what was held for a frame: it is in its own process for good. */
  forget(cdpId: string): void {
    for (const { units } of this.#held.get(cdpId)?.events ?? []) this.#heldUnits -= units;
    this.#held.delete(cdpId);
  }

  /** Forgets held reports of a context of the session that is gone, or of all. */
  forgetContext(session: CdpSession, contextId?: number): void {
    for (const held of this.#held.values()) {
      if (held.session !== session) continue;
      const isGone = ({ context }: HeldEvent): boolean =>
        context !== undefined && (contextId === undefined || context === contextId);
      for (const { units } of held.events.filter(isGone)) this.#heldUnits -= units;
      held.events = held.events.filter((event) => !isGone(event));
    }
  }

  /** Reports that a session speaks for a frame of another one. */
  refuse(session: CdpSession): undefined {
    if (this.#faulty.has(session)) return undefined;
    this.#faulty.add(session);
    this.#faults.call(new AppError('foreign-frame', 'a session reports a frame that belongs to another one'));
    return undefined;
  }

  /**
   * Keeps an event of the session around a frame that is a target of its own: the frame may be on its way back into the process
   * around it, before the browser's process has said so. False: the session is another one.
   */
  #hold(session: CdpSession, about: About, event: object, play: () => void): boolean {
    const root = this.#rootFor(session, about.cdpId) ?? this.#rootFor(session, about.parent ?? '');
    if (root === undefined) return false;
    const units = JSON.stringify(event).length;
    if (this.#heldUnits + units > MAX_HELD_UNITS) return false;
    const held: Held = this.#held.get(root) ?? { session, below: new Set<string>(), events: [] };
    this.#held.set(root, held);
    this.#heldUnits += units;
    if (about.cdpId !== root) held.below.add(about.cdpId);
    held.events.push({ units, context: about.context, play });
    return true;
  }

  /** The frame with a target of its own that an event of the session around it is about, or is below. */
  #rootFor(session: CdpSession, cdpId: string): string | undefined {
    if (this.#roots.has(cdpId) && this.around(cdpId) === session) return cdpId;
    return [...this.#held].find(([, held]) => held.session === session && held.below.has(cdpId))?.[0];
  }
}
