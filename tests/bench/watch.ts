import { setTimeout as delay } from 'node:timers/promises';
import type { LivePage } from './live-page.ts';

/** A stamp of the page that was seen complete in the client. */
interface Sighting {
  /** Kind of the page's change. */
  readonly kind: string;
  /** Time from the start of the change until it is in the shown document, in milliseconds. */
  readonly ms: number;
}

/** Sightings of a live page's stamps, in order. */
interface Watch {
  /** Waits for a sighting of a kind; returns all since the last call, that one included. Throws at the timeout. */
  until(kind: string, bound?: number): Promise<Sighting[]>;
}

/**
 * Watches the shown document of a page of `pages/`. Its stamp reads `KIND SERIAL TIME`, time being that of the page's
 * clock, which is set like the watcher's; a stamp counts when the change that it announces is there: the observer that
 * sees it runs with the change, so this is when the document changed, not when it was painted.
 */
export async function watch({ client, frame }: LivePage): Promise<Watch> {
  await client.evaluate(observe, frame);
  let taken = 0;
  return {
    until: async (kind, bound = 20_000) => {
      for (const end = performance.now() + bound; performance.now() < end; await delay(50)) {
        const seen = await client.evaluate(sightings, taken);
        const at = seen.findIndex((sighting) => sighting.kind === kind);
        if (at < 0) continue;
        taken += at + 1;
        return seen.slice(0, at + 1);
      }
      throw new Error(`"${kind}" was not seen`);
    },
  };
}

interface Watching extends Window {
  vitrineSightings?: Sighting[];
}

/** Runs in the client. */
function observe(frame: string): void {
  const view = document.querySelector<HTMLIFrameElement>(frame)?.contentDocument;
  if (!view) throw new Error('There is no shown document.');
  // The same as in pages/clock.js.
  const start = Date.now();
  let anchor = start;
  while (anchor === start) anchor = Date.now();
  const base = performance.now();
  const seen: Sighting[] = ((window as Watching).vitrineSightings = []);
  let last = view.getElementById('stamp')?.textContent;
  const isThere = (rows: Element, first: string, final: string): boolean =>
    rows.childElementCount === 1000 &&
    rows.firstElementChild?.firstElementChild?.textContent === first &&
    rows.lastElementChild?.lastElementChild?.textContent === `row ${final}`;
  const check = (): void => {
    const stamp = view.getElementById('stamp')?.textContent;
    const rows = view.getElementById('rows');
    if (!stamp || stamp === last) return;
    const [kind = '', , time] = stamp.split(' ');
    if (kind === 'create' && !(rows && isThere(rows, '1', '1000'))) return;
    if (kind === 'reverse' && !(rows && isThere(rows, '1000', '1'))) return;
    last = stamp;
    seen.push({ kind, ms: anchor + performance.now() - base - Number(time) });
  };
  new MutationObserver(check).observe(view, { subtree: true, childList: true, characterData: true });
}

/** Runs in the client. */
function sightings(from: number): Sighting[] {
  return ((window as Watching).vitrineSightings ?? []).slice(from);
}
