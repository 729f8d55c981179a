import type { HostScope } from '../../../host/plugin.ts';
import { fontLoaded } from '../protocol.ts';
import { FetchedFonts } from './fetched-fonts.ts';
import type { LoadedFont } from '../protocol.ts';

/** Longest address of a font that is passed on, in UTF-16 units: it may be a data address. */
const MAX_ADDRESS_UNITS = 2 * 1024 * 1024;
/** Most addresses that are remembered. */
const MAX_ADDRESSES = 5000;
/** How long a font may wait for the style sheet that names it, in ms: the text of sheets comes by another way. */
const GATHER_MS = 100;

/**
 * Tells page halves which fonts Chromium has loaded that no style sheet names: a face that script has made does not say where it
 * comes from.
 */
export class LoadedFonts {
  readonly #scope: Pick<HostScope, 'frames' | 'page' | 'signal'>;
  readonly #fetched: FetchedFonts;
  readonly #named = new Set<string>();
  /** What has been told; page halves make rules of it. */
  readonly #told = new Set<string>();

  constructor(scope: Pick<HostScope, 'cdp' | 'frames' | 'page' | 'signal'>) {
    this.#scope = scope;
    this.#fetched = new FetchedFonts(scope);
    scope.cdp.on('CSS.fontsUpdated', ({ font }) => {
      if (!font || font.src.length > MAX_ADDRESS_UNITS) return;
      const { fontFamily: family, fontStyle: style, fontWeight: weight, fontStretch: stretch } = font;
      const { unicodeRange: range, src: source } = font;
      const told = { family, style, weight, stretch, range };
      if (source === '') void this.#findBytes(told, font.platformFontFamily);
      else setTimeout(() => this.#named.has(source) || this.#tell({ ...told, source }), GATHER_MS);
    });
  }

  /** A style sheet names a font. */
  named(address: string): void {
    if (this.#told.has(address)) return;
    if (this.#named.size >= MAX_ADDRESSES) this.#named.clear();
    this.#named.add(address);
  }

  /** Another page begins. */
  forget(): void {
    this.#named.clear();
    this.#fetched.forget();
  }

  /** A face has been made of bytes. */
  async #findBytes(font: Omit<LoadedFont, 'source'>, platformFamily: string): Promise<void> {
    const source = await this.#fetched.address(platformFamily);
    if (source !== undefined) this.#tell({ ...font, source });
  }

  #tell(font: LoadedFont): void {
    if (this.#scope.signal.aborted) return;
    if (this.#told.size >= MAX_ADDRESSES) this.#told.clear();
    this.#told.add(font.source);
    // The event does not say in which frame.
    for (const { id } of this.#scope.frames.all()) this.#scope.page.send(id, fontLoaded, font);
  }
}
