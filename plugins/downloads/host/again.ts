import type { SessionTab, SurrogateDownload } from '../../../host/plugin.ts';

export const MAIN_FRAME = 1;
const MAX_ADDRESS_UNITS = 4096;

/** A download as its page can ask for it again. */
export interface Again {
  readonly tab: string;
  readonly frame: number;
  /** Origin of the frame's document at that time; empty for none that another document could have. */
  readonly from: string;
  /** The address: the first one, as browsers do, or, where a form was posted, the first one that was asked for by GET after that. */
  readonly address: string;
  /** Name that the browser would have saved it under. */
  readonly name: string;
}

/**
 * Reads from where a download comes: call it before anything is awaited. The function that it returns is given its first address, once known, and
 * answers undefined for one that is not of the web, and for one that was posted: its body is known to the page alone.
 */
export function againOf(
  { frame = MAIN_FRAME, opener, redirects, posted, url, name }: SurrogateDownload,
  source: SessionTab,
): (first: string | undefined) => Again | undefined {
  // A window that was opened for it is closed: the page that has opened it asks again.
  const place = opener
    ? { tab: opener.id, frame: MAIN_FRAME, from: originOf(opener.url()) }
    : { tab: source.id, frame, from: originOf(source.frames().find(({ id }) => id === frame)?.url ?? source.url()) };
  const way = [...redirects, url];
  return (first) => {
    const address = posted === 0 ? (first ?? way[0]) : way[posted];
    // One that was cut is another one.
    const isOfWeb = address !== undefined && /^https?:/.test(address) && address.length < MAX_ADDRESS_UNITS;
    return isOfWeb ? { ...place, address, name } : undefined;
  };
}

/** Origin of an address; empty for those of no origin. */
export function originOf(address: string): string {
  const origin = URL.parse(address)?.origin ?? '';
  return origin === 'null' ? '' : origin;
}
