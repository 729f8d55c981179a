import type { HostScope } from '../../../host/plugin.ts';
import { fontLoaded } from '../protocol.ts';
import { FetchedFonts } from './fetched-fonts.ts';
import type { LoadedFont } from '../protocol.ts';

/** Longest font address that is passed on, in UTF-16 units: it may be a data address. */
const MAX_ADDRESS_UNITS = 2 * 1024 * 1024;
/** Maximum number of addresses that are kept. */
const MAX_ADDRESSES = 5000;
/** Delay before a font is reported, in ms: the style sheet that names it may arrive later. */
const GATHER_MS = 100;

/**
 * Notifies page halves of fonts that Chromium has loaded and that no style sheet names: a face that script has made does not expose
 * its address.
 */
export class LoadedFonts {
  readonly #scope: Pick<HostScope, 'frames' | 'page' | 'signal'>;
  readonly #fetched: FetchedFonts;
  readonly #named = new Set<string>();
  /** Reported addresses; page halves make rules of them. */
  readonly #reported = new Set<string>();

  constructor(scope: Pick<HostScope, 'cdp' | 'frames' | 'page' | 'signal'>) {
    this.#scope = scope;
    this.#fetched = new FetchedFonts(scope);
    scope.cdp.on('CSS.fontsUpdated', ({ font }) => {
      if (!font || font.src.length > MAX_ADDRESS_UNITS) return;
      const { fontFamily: family, fontStyle: style, fontWeight: weight, fontStretch: stretch } = font;
      const { unicodeRange: range, src: source } = font;
      const loaded = { family, style, weight, stretch, range };
      if (source === '') void this.#findBytes(loaded, font.platformFontFamily);
      else setTimeout(() => this.#named.has(source) || this.#report({ ...loaded, source }), GATHER_MS);
    });
  }

  /** Called when a style sheet names a font. */
  named(address: string): void {
    if (this.#reported.has(address)) return;
    if (this.#named.size >= MAX_ADDRESSES) this.#named.clear();
    this.#named.add(address);
  }

  /** Called when another page starts. */
  forget(): void {
    this.#named.clear();
    this.#fetched.forget();
  }

  /** Reports a face made of bytes, once the source of the bytes is found. */
  async #findBytes(font: Omit<LoadedFont, 'source'>, platformFamily: string): Promise<void> {
    const source = await this.#fetched.address(platformFamily);
    if (source !== undefined) this.#report({ ...font, source });
  }

  #report(font: LoadedFont): void {
    if (this.#scope.signal.aborted) return;
    if (this.#reported.size >= MAX_ADDRESSES) this.#reported.clear();
    this.#reported.add(font.source);
    // The event does not name the frame.
    for (const { id } of this.#scope.frames.all()) this.#scope.page.send(id, fontLoaded, font);
  }
}
