import type { PageSessions } from './page-sessions.ts';

/** UTF-16 units of the addresses that are known, of the frames that were led on last: a page with many frames must not make others forgotten. */
const MAX_UNITS = 2_000_000;
/** Chromium follows 20 redirects. */
const MAX_ADDRESSES = 21;
const MAX_ADDRESS_UNITS = 4096;

interface Led {
  readonly requestId: string;
  /** The first address, and those that it was led to. */
  readonly addresses: string[];
  /** Number of addresses up to the last one that was not asked for by GET. */
  posted: number;
  units: number;
}

/** The way to a download. */
export interface Way {
  /** Addresses before that of the download, the first one first. */
  readonly redirects: readonly string[];
  /** Number of its addresses, that of the download being the last one, up to the last one that was not asked for by GET. */
  readonly posted: number;
}

/** Redirects and methods of the documents that the frames of a tab have asked for last: what comes may be a download. */
export class Redirects {
  /** By CDP's ids of frames. */
  readonly #frames = new Map<string, Led>();
  #units = 0;

  constructor(sessions: Pick<PageSessions, 'listen'>) {
    sessions.listen({
      added: ({ session, kind }) => {
        if (kind === 'worker') return;
        session.on('Network.requestWillBeSent', ({ type, requestId, loaderId, frameId, request, redirectResponse }) => {
          if (type !== 'Document' || requestId !== loaderId || frameId === undefined) return;
          const known = this.#forget(frameId);
          const isPosted = request.method !== 'GET';
          if (!redirectResponse && !isPosted) return;
          const isSame = redirectResponse && known?.requestId === requestId;
          const led = isSame ? known : ledFrom(requestId, redirectResponse && cut(redirectResponse.url));
          if (led.addresses.length >= MAX_ADDRESSES) led.units -= led.addresses.pop()?.length ?? 0;
          const address = cut(request.url);
          led.addresses.push(address);
          led.units += address.length;
          if (isPosted) led.posted = led.addresses.length;
          this.#frames.set(frameId, led);
          this.#units += led.units;
          for (const oldest of this.#frames.keys()) {
            if (this.#units <= MAX_UNITS) break;
            this.#forget(oldest);
          }
        });
      },
    });
  }

  /** The way on which a frame has come to a download; once: the next one of the same address may come another way. */
  takeTo(address: string, cdpFrameId: string): Way {
    const { addresses = [], posted = 0 } = this.#frames.get(cdpFrameId) ?? {};
    const [reached = ''] = address.split('#', 1);
    if (addresses.at(-1) !== cut(reached)) return { redirects: [], posted: 0 };
    this.#forget(cdpFrameId);
    return { redirects: addresses.slice(0, -1), posted };
  }

  #forget(cdpFrameId: string): Led | undefined {
    const known = this.#frames.get(cdpFrameId);
    this.#frames.delete(cdpFrameId);
    this.#units -= known?.units ?? 0;
    return known;
  }
}

const ledFrom = (requestId: string, address: string | undefined): Led => ({
  requestId,
  addresses: address === undefined ? [] : [address],
  posted: 0,
  units: address?.length ?? 0,
});
const cut = (address: string): string => address.slice(0, MAX_ADDRESS_UNITS);
