import { toAppError } from '../../../host/plugin.ts';
import type { Gesture, HostScope } from '../../../host/plugin.ts';
import type { CopyPaste } from '../policy.ts';
import { changed, copied, COPY_FLAG_MS, held } from '../protocol.ts';
import type { Clipboard } from './clipboard.ts';
import { keyOf, NOTHING } from './shared.ts';
import type { SharedClipboard } from './shared.ts';

/** Reports of pages about the clipboard since it was last read. */
interface Said {
  /** It is certain that something has been copied. */
  readonly isSure: boolean;
  /** Within a gesture of the person. */
  readonly isAsked: boolean;
  /** By a page that may not. */
  readonly isDenied: boolean;
}

/** Parts of a tab that copying needs. */
interface OutgoingTab {
  readonly clipboard: Clipboard;
  readonly shared: SharedClipboard;
  readonly gesture: Gesture;
  policy(): CopyPaste;
  /** Tells the person that nothing is copied. */
  refuse(): void;
}

const NO_PICTURE = new Uint8Array();

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
    scope.page.handle(changed, ({ sure }) => this.#note(sure));
    scope.page.handle(held, () => {
      if (this.#isFlagUp()) tab.refuse();
    });
  }

  /** The key of what the client has been sent last. */
  get toldKey(): string {
    return this.#sent.key;
  }

  #isFlagUp(): boolean {
    return performance.now() - this.#tab.gesture.actedAt <= COPY_FLAG_MS;
  }

  #note(sure: boolean): void {
    const { shared, gesture, policy } = this.#tab;
    if (!shared.isLatest(gesture)) return;
    this.#said = {
      isSure: sure || this.#said?.isSure === true,
      isAsked: this.#isFlagUp() || this.#said?.isAsked === true,
      isDenied: !policy().copy || this.#said?.isDenied === true,
    };
    if (!this.#isLooking) void this.#lookAll();
  }

  async #lookAll(): Promise<void> {
    this.#isLooking = true;
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

  #look({ isSure, isAsked, isDenied }: Said): Promise<void> {
    const { clipboard, shared, gesture: by, policy, refuse } = this.#tab;
    return clipboard.use(async (inHand) => {
      const content = await inHand.read();
      const key = keyOf(content);
      const gesture = by.actedAt;
      // A page may have copied nothing, or say twice that it has, by its event and by the clipboard's.
      const isAgain = isSure && shared.seenBy === by && gesture !== this.#sent.gesture;
      if (key === shared.seen && !isAgain) return;
      shared.seen = key;
      shared.seenBy = by;
      if (key === NOTHING) return;
      if (isDenied || !policy().copy) {
        await inHand.write({}); // or it would be there for the person's other pages
        shared.seen = NOTHING;
        if (isAsked) refuse();
      } else if (isAsked) {
        this.#sent = { key, gesture };
        const { picture = NO_PICTURE, text, html } = content;
        const parts = { ...(text !== undefined && { text }), ...(html !== undefined && { html }) };
        this.#sending.abort(); // the person's clipboard has but one picture
        this.#sending = new AbortController();
        this.#scope.commands.send(copied, parts, { body: picture, signal: this.#sending.signal });
      }
    });
  }
}
