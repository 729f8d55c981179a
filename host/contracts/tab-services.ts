/** Services that the core provides to the host halves of a tab: `scope.services.get(token)`. */
import { token } from '../../core/contracts/token.ts';
import type { SystemFonts } from '../fonts/system-fonts.ts';

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

/** The order in which the person's input reaches the page. */
export interface InputOrder {
  /** Does something after the page has handled the keys that the person pressed before, and before what the person does later, which waits for it. */
  enqueue(run: () => Promise<void>): void;
  /** When the person last pressed a key or a button in the page, in `performance.now()` milliseconds; -Infinity when that was never. */
  readonly actedAt: number;
}

export const gestureToken = token<Gesture>('vitrine.gesture');
export const inputOrderToken = token<InputOrder>('vitrine.input-order');
/** The fonts of the surrogate's machine. */
export const systemFontsToken = token<SystemFonts>('vitrine.system-fonts');
