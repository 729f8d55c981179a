import type { Gesture } from '../../../host/plugin.ts';

/** Number of dialogs that a site may show in a row while the person does nothing in the page; then they are asked whether it may go on. */
const MAX_IN_ROW = 5;
const MAX_SITES = 200;

interface Seen {
  inRow: number;
  /** When it last showed one, or was silenced, in `performance.now()` milliseconds. */
  at: number;
  silenced: boolean;
}

/** Verdict on a dialog: show it, ask the person first, or close it unseen. */
type FloodVerdict = 'show' | 'ask' | 'close';

/**
 * Counts the dialogs of each site of a page: one that shows them without end keeps the person from leaving. Who is silenced stays so until the
 * person has acted in the page and another document is shown.
 */
export class DialogFlood {
  readonly #gesture: Gesture;
  readonly #sites = new Map<string, Seen>();

  constructor(gesture: Gesture) {
    this.#gesture = gesture;
  }

  /** A site wants to show a dialog. */
  look(site: string): FloodVerdict {
    const seen = this.#sites.get(site) ?? { inRow: 0, at: -Infinity, silenced: false };
    if (seen.silenced) return 'close';
    this.#sites.delete(site);
    this.#sites.set(site, seen);
    for (const oldest of this.#sites.keys()) {
      if (this.#sites.size <= MAX_SITES) break;
      this.#sites.delete(oldest);
    }
    if (this.#gesture.actedAt > seen.at) seen.inRow = 0;
    seen.at = performance.now();
    seen.inRow += 1;
    return seen.inRow > MAX_IN_ROW ? 'ask' : 'show';
  }

  /** The person has decided: whether the site may show no more. */
  decide(site: string, silenced: boolean): void {
    const seen = this.#sites.get(site);
    if (!seen) return;
    seen.silenced = silenced;
    seen.inRow = silenced ? seen.inRow : 1;
    seen.at = performance.now();
  }

  /** Another document is shown. */
  navigated(): void {
    for (const [site, { at }] of this.#sites) if (this.#gesture.actedAt > at) this.#sites.delete(site);
  }
}
