import { permitted } from '../policy.ts';
import type { CopyPaste } from '../policy.ts';
import { COPY_FLAG_MS } from '../protocol.ts';
import type { Refusal } from '../protocol.ts';
import { refusalBy } from '../refusal.ts';
import type { ClipboardContent, HeldClipboard } from './clipboard.ts';
import type { FrameGuard } from './guard.ts';
import { keyOf, NOTHING } from './shared.ts';
import type { SharedClipboard } from './shared.ts';

/** Presses the shortcut that makes the page paste. */
export type Press = () => Promise<void>;

interface PastingOptions {
  readonly guard: Pick<FrameGuard, 'atFocus' | 'letPaste'>;
  readonly shared: SharedClipboard;
  /** Reports to the client that something is not pasted. */
  readonly refuse: (refusal: Refusal) => void;
  /** Key of the content that the client was sent last. */
  readonly toldKey: () => string;
}

/** Has a page paste content through the surrogate's clipboard, which is held meanwhile. */
export class Pasting {
  readonly #options: PastingOptions;

  constructor(options: PastingOptions) {
    this.#options = options;
  }

  /** Puts something into the clipboard, has the page paste it, and takes it out again: no other page of the person is to find it there. */
  async insert(inHand: HeldClipboard, content: ClipboardContent, press: Press): Promise<void> {
    const { guard, shared } = this.#options;
    await inHand.write(content);
    shared.seen = NOTHING;
    try {
      await guard.letPaste(content, press);
    } finally {
      await inHand.write({});
    }
  }

  /** The same with as much of it as may be pasted, into the frame that has the focus when it is its turn. */
  async insertPermitted(inHand: HeldClipboard, content: ClipboardContent, press: Press): Promise<void> {
    await this.#insertBy(await this.#options.guard.atFocus(), inHand, content, press);
  }

  async #insertBy(rules: CopyPaste, inHand: HeldClipboard, content: ClipboardContent, press: Press): Promise<void> {
    const verdict = permitted(rules, content);
    if ('reason' in verdict) this.#options.refuse(refusalBy(rules, 'paste', verdict.reason));
    else await this.insert(inHand, verdict.content, press);
  }

  /**
   * Has the page paste what the clipboard holds, where that is what the client was sent last, or reads as `text` does. False: it is
   * something else, which another page may have put there since.
   */
  insertOwn(inHand: HeldClipboard, text: string | undefined, press: Press): Promise<boolean> {
    return this.#insertHeld(inHand, this.#options.toldKey(), text, press);
  }

  /**
   * Has the page paste nothing; or what the clipboard holds, where a client of the person was sent that just now. Chromium gives a paste no text
   * where its clipboard is written between the event and the reading: by a client, which puts there what it was sent.
   */
  async insertUnread(inHand: HeldClipboard, press: Press): Promise<void> {
    const { shared } = this.#options;
    const key = shared.sentWithin(COPY_FLAG_MS);
    const isDone = key !== undefined && (await this.#insertHeld(inHand, key, undefined, press));
    if (!isDone) await this.insert(inHand, {}, press);
  }

  async #insertHeld(inHand: HeldClipboard, sentKey: string, text: string | undefined, press: Press): Promise<boolean> {
    const { guard } = this.#options;
    const own = await inHand.read();
    const key = keyOf(own);
    const isTold = key !== NOTHING && key === sentKey;
    if (!isTold && (text === undefined || own.text?.replaceAll('\r\n', '\n') !== text)) return false;
    const rules = await guard.atFocus();
    if (rules.pasteLimit === undefined) await press();
    else await this.#insertBy(rules, inHand, own, press);
    return true;
  }
}
