import type { HostScope } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { permitted } from '../policy.ts';
import type { Refusal } from '../protocol.ts';
import type { ClipboardContent, HeldClipboard } from './clipboard.ts';
import { letPaste, policyOf } from './guard.ts';
import { keyOf, NOTHING } from './shared.ts';
import type { SharedClipboard } from './shared.ts';

/** Presses the shortcut that makes the page paste. */
export type Press = () => Promise<void>;

interface PastingOptions {
  readonly scope: HostScope<typeof manifest>;
  readonly shared: SharedClipboard;
  /** Reports to the client that something is not pasted. */
  readonly refuse: (reason: Refusal['reason']) => void;
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
    const { scope, shared } = this.#options;
    await inHand.write(content);
    shared.seen = NOTHING;
    try {
      await letPaste(scope, press);
    } finally {
      await inHand.write({});
    }
  }

  /** The same with as much of it as may be pasted, into the page that is there when it is its turn. */
  async insertPermitted(inHand: HeldClipboard, content: ClipboardContent, press: Press): Promise<void> {
    const verdict = permitted(policyOf(this.#options.scope), content);
    if ('reason' in verdict) this.#options.refuse(verdict.reason);
    else await this.insert(inHand, verdict.content, press);
  }

  /**
   * Has the page paste what the clipboard holds, where that is what the client was sent last, or reads as `text` does. False: it is
   * something else, which another page may have put there since.
   */
  async insertOwn(inHand: HeldClipboard, text: string | undefined, press: Press): Promise<boolean> {
    const { scope, toldKey } = this.#options;
    const own = await inHand.read();
    const key = keyOf(own);
    const isTold = key !== NOTHING && key === toldKey();
    if (!isTold && (text === undefined || own.text?.replaceAll('\r\n', '\n') !== text)) return false;
    if (policyOf(scope).pasteLimit === undefined) await press();
    else await this.insertPermitted(inHand, own, press);
    return true;
  }
}
