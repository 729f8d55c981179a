import { setTimeout as delay } from 'node:timers/promises';
import { toAppError } from '../../../host/plugin.ts';
import type { Frame, Gesture, HostScope } from '../../../host/plugin.ts';
import type { CopyPaste } from '../policy.ts';
import { changed, copied, COPY_FLAG_MS, held } from '../protocol.ts';
import type { Clipboard } from './clipboard.ts';
import type { FrameGuard } from './guard.ts';
import { MAIN_FRAME } from './rules.ts';
import { keyOf, NOTHING } from './shared.ts';
import type { SharedClipboard } from './shared.ts';

/** Reports of pages about the clipboard since it was last read. */
interface Said {
  /** It is certain that something has been copied. */
  readonly isSure: boolean;
  /** Within a gesture of the person. */
  readonly isAsked: boolean;
  /**
   * Policies that hold for it: of the page as it was, and of the frames that report it; where it was no event of a frame, also of the one that has the
   * focus, and of one that has just gone.
   */
  readonly rules: ReadonlyMap<Frame | 'page' | 'focus' | 'left', Promise<CopyPaste>>;
}

/** Parts of a tab that copying needs. */
interface OutgoingTab {
  readonly clipboard: Clipboard;
  readonly shared: SharedClipboard;
  readonly gesture: Gesture;
  readonly guard: Pick<FrameGuard, 'of' | 'mayDiffer' | 'leftWithin' | 'check' | 'atFocus'>;
  /** Tells the person that nothing is copied, and which policy that is. */
  refuse(rules: CopyPaste): void;
}

const NO_PICTURE = new Uint8Array();
/**
 * Time for which another tab, in which the person has just acted, may report the event by which it has copied, in ms: its page half does so
 * later than Chromium tells all tabs of the change.
 */
const OTHER_TAB_MS = 60;

/** Looks at the clipboard when pages say that they have copied, and tells the client of what is for the person. */
export class Outgoing {
  readonly #scope: HostScope;
  readonly #tab: OutgoingTab;
  #sent = { key: NOTHING, gesture: 0 };
  #said: Said | undefined;
  #sending = new AbortController();
  #isLooking = false;

  constructor(scope: HostScope, tab: OutgoingTab) {
    this.#scope = scope;
    this.#tab = tab;
    scope.page.handle(changed, ({ sure, here }, frame) => this.#note(sure, here, frame));
    scope.page.handle(held, (_, { id }) => {
      if (this.#isFlagUp()) tab.refuse(tab.guard.of(id));
    });
  }

  /** The key of what the client has been sent last. */
  get toldKey(): string {
    return this.#sent.key;
  }

  #isFlagUp(): boolean {
    return performance.now() - this.#tab.gesture.actedAt <= COPY_FLAG_MS;
  }

  /** Notes a report of a frame; `here`: it was an event there, which makes the copy this tab's, wherever the person has gone since. */
  #note(sure: boolean, here: boolean, frame: Frame): void {
    const { shared, gesture } = this.#tab;
    if (!here && !shared.isLatest(gesture)) return;
    this.#said = {
      isSure: sure || this.#said?.isSure === true,
      isAsked: this.#isFlagUp() || this.#said?.isAsked === true,
      rules: this.#rulesOf(frame, here, this.#said?.rules),
    };
    if (this.#isLooking) return;
    const isMine = here || !shared.hasRival(gesture, COPY_FLAG_MS);
    void this.#lookAll(isMine ? 0 : OTHER_TAB_MS);
  }

  /** Adds the policies that hold for a report to others. */
  #rulesOf(frame: Frame, here: boolean, earlier: Said['rules'] = new Map()): Said['rules'] {
    const { guard } = this.#tab;
    const rules = new Map(earlier);
    const page = guard.of(MAIN_FRAME);
    if (!page.copy) rules.set('page', Promise.resolve(page));
    if (frame.id !== MAIN_FRAME && !rules.has(frame)) rules.set(frame, guard.check(frame.id));
    if (here) return rules;
    // Pages write by `navigator.clipboard` in the frame that has the focus, or around it; it may have gone since, or have lost the focus.
    const left = guard.leftWithin(COPY_FLAG_MS);
    if (left) rules.set('left', Promise.resolve(left));
    if (guard.mayDiffer && !rules.has('focus')) rules.set('focus', guard.atFocus());
    return rules;
  }

  async #lookAll(afterMs: number): Promise<void> {
    this.#isLooking = true;
    if (afterMs > 0) await delay(afterMs);
    for (let next = this.#said; next; next = this.#said) {
      this.#said = undefined;
      try {
        await this.#look(next);
      } catch (thrown) {
        this.#scope.log.warn('the clipboard could not be read', { error: toAppError(thrown).message });
      }
    }
    this.#isLooking = false;
  }

  async #look({ isSure, isAsked, rules }: Said): Promise<void> {
    const { clipboard, shared, gesture: by, guard, refuse } = this.#tab;
    const earlier = (await Promise.all(rules.values())).find(({ copy }) => !copy);
    await clipboard.use(async (inHand) => {
      const content = await inHand.read();
      const key = keyOf(content);
      const gesture = by.actedAt;
      // A page may have copied nothing, or say twice that it has, by its event and by the clipboard's.
      const isAgain = isSure && shared.seenBy === by && gesture !== this.#sent.gesture;
      if (key === shared.seen && !isAgain) return;
      shared.seen = key;
      shared.seenBy = by;
      if (key === NOTHING) return;
      const decisive = earlier ?? guard.of(MAIN_FRAME);
      if (!decisive.copy) {
        await inHand.write({}); // or it would be there for the person's other pages
        shared.seen = NOTHING;
        if (isAsked) refuse(decisive);
      } else if (isAsked) {
        this.#sent = { key, gesture };
        shared.sent(key);
        const { picture = NO_PICTURE, text, html } = content;
        const parts = { ...(text !== undefined && { text }), ...(html !== undefined && { html }) };
        this.#sending.abort(); // the person's clipboard has but one picture
        this.#sending = new AbortController();
        this.#scope.commands.send(copied, parts, { body: picture, signal: this.#sending.signal });
      }
    });
  }
}
