import { createHash } from 'node:crypto';
import type { Gesture } from '../../../host/plugin.ts';
import type { Clipboard, ClipboardContent } from './clipboard.ts';

/** Key of an empty clipboard, as {@link keyOf} returns it. */
export const NOTHING = '{}';

/** The same for the same content. */
export function keyOf({ picture, ...texts }: ClipboardContent): string {
  const digest = picture && createHash('sha256').update(picture).digest('hex');
  return JSON.stringify({ ...texts, ...(digest !== undefined && { picture: digest }) });
}

const all = new WeakMap<Clipboard, SharedClipboard>();

/** State of the clipboard that the tabs of a person share. */
export class SharedClipboard {
  /** The clipboard's one, for as long as it lasts. */
  static of(clipboard: Clipboard): SharedClipboard {
    const shared = all.get(clipboard) ?? new SharedClipboard();
    all.set(clipboard, shared);
    return shared;
  }

  readonly #gestures = new Set<Gesture>();
  /** Key of the content that it had when it was last read: sent to the person, or not for the person. */
  seen = NOTHING;
  /** Whose doing had brought that about. */
  seenBy: Gesture | undefined;
  #sent = { key: NOTHING, at: -Infinity };

  /** Adds a tab, by what the person does in it. Answers with the undo. */
  join(gesture: Gesture): () => void {
    this.#gestures.add(gesture);
    return () => this.#gestures.delete(gesture);
  }

  /** Whether the person has acted in this tab last. Chromium tells the pages of all tabs when the clipboard changes, and not who has changed it. */
  isLatest(gesture: Gesture): boolean {
    return [...this.#gestures].every(({ actedAt }) => actedAt <= gesture.actedAt);
  }

  /** Whether the person has acted in another tab within the last so many ms: what is copied may be that one's. */
  hasRival(gesture: Gesture, ms: number): boolean {
    const since = performance.now() - ms;
    return [...this.#gestures].some((each) => each !== gesture && each.actedAt >= since);
  }

  /** Notes that a client of the person has been sent content, by its key. */
  sent(key: string): void {
    this.#sent = { key, at: performance.now() };
  }

  /** The key of what a client of the person was sent last, within so many ms. */
  sentWithin(ms: number): string | undefined {
    return performance.now() - this.#sent.at <= ms ? this.#sent.key : undefined;
  }
}
