import { createHash } from 'node:crypto';
import type { Gesture } from '../../../host/plugin.ts';
import type { Clipboard, ClipboardContent } from './clipboard.ts';

/** What {@link keyOf} says of an empty clipboard. */
export const NOTHING = '{}';

/** The same for the same content. */
export function keyOf({ picture, ...texts }: ClipboardContent): string {
  const digest = picture && createHash('sha256').update(picture).digest('hex');
  return JSON.stringify({ ...texts, ...(digest !== undefined && { picture: digest }) });
}

const all = new WeakMap<Clipboard, SharedClipboard>();

/** What the tabs of a person know together of the clipboard that they share. */
export class SharedClipboard {
  /** The clipboard's one, for as long as it lasts. */
  static of(clipboard: Clipboard): SharedClipboard {
    const shared = all.get(clipboard) ?? new SharedClipboard();
    all.set(clipboard, shared);
    return shared;
  }

  readonly #gestures = new Set<Gesture>();
  /** What it held when it was looked at last, by its key: told to the person, or not the person's to have. */
  seen = NOTHING;
  /** Whose doing had brought that about. */
  seenBy: Gesture | undefined;

  /** Adds a tab, by what the person does in it. Answers with the undo. */
  join(gesture: Gesture): () => void {
    this.#gestures.add(gesture);
    return () => this.#gestures.delete(gesture);
  }

  /** Whether the person has acted in this tab last. Chromium tells the pages of all tabs when the clipboard changes, and not who has changed it. */
  isLatest(gesture: Gesture): boolean {
    return [...this.#gestures].every(({ actedAt }) => actedAt <= gesture.actedAt);
  }
}
