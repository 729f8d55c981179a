import type { HostScope, SessionOrigin } from '../../../host/plugin.ts';
import { fontLoaded } from '../protocol.ts';
import { FetchedFonts } from './fetched-fonts.ts';
import { LongSources } from './long-sources.ts';
import type { LoadedFont } from '../protocol.ts';

/** Longest font address that is passed on, in UTF-16 units: it may be a data address. */
const MAX_ADDRESS_UNITS = 2 * 1024 * 1024;
/** Longest address that all frames are sent, in UTF-16 units: a longer one is given to a frame that asks. */
const MAX_TOLD_UNITS = 2048;
/** Maximum number of addresses that are kept, and their total length in UTF-16 units. */
const MAX_ADDRESSES = 5000;
const MAX_NAMED_UNITS = 16 * 1024 * 1024;
/** Maximum length of all descriptors of a font that is passed on, in UTF-16 units. */
const MAX_DESCRIPTOR_UNITS = 8192;
/** Delay before a font is reported, in ms: the style sheet that names it may arrive later. */
const GATHER_MS = 100;

/**
 * Notifies page halves of fonts that Chromium has loaded and that no style sheet names: a face that script has made does not expose
 * its address.
 */
export class LoadedFonts {
  readonly #scope: Pick<HostScope, 'cdp' | 'page' | 'signal'>;
  readonly #fetched: FetchedFonts;
  readonly #named = new KnownAddresses();
  /** Reported addresses; page halves make rules of them. */
  readonly #reported = new KnownAddresses();
  readonly #long = new LongSources();

  constructor(scope: Pick<HostScope, 'cdp' | 'page' | 'signal'>) {
    this.#scope = scope;
    this.#fetched = new FetchedFonts(scope);
    scope.cdp.on('CSS.fontsUpdated', ({ font }, origin) => {
      if (!font || font.src.length > MAX_ADDRESS_UNITS) return;
      const { fontFamily: family, fontStyle: style, fontWeight: weight, fontStretch: stretch } = font;
      const { unicodeRange: range, src: source } = font;
      if (family.length + style.length + weight.length + stretch.length + range.length > MAX_DESCRIPTOR_UNITS) return;
      const loaded = { family, style, weight, stretch, range };
      if (source === '') void this.#findBytes(loaded, font.platformFontFamily, origin);
      else setTimeout(() => this.#named.has(source) || this.#report({ ...loaded, source }, origin), GATHER_MS);
    });
  }

  /** Called when a style sheet names a font. */
  named(address: string): void {
    if (!this.#reported.has(address)) this.#named.add(address);
  }

  /** Returns a long source for a frame that asks for it, or null; see {@link LongSources.give}. */
  source(key: number): string | null {
    return this.#long.give(key);
  }

  /** Called when another page starts. */
  forget(): void {
    this.#named.clear();
    this.#long.clear();
    this.#fetched.forget();
  }

  /** Reports a face made of bytes, once the source of the bytes is found. */
  async #findBytes(font: Omit<LoadedFont, 'source'>, platformFamily: string, origin: SessionOrigin): Promise<void> {
    const source = await this.#fetched.address(platformFamily);
    if (source !== undefined) this.#report({ ...font, source }, origin);
  }

  #report(font: LoadedFont, origin: SessionOrigin): void {
    if (this.#scope.signal.aborted) return;
    this.#reported.add(font.source);
    const isLong = font.source.length > MAX_TOLD_UNITS;
    const sent = isLong ? { ...font, source: '', key: this.#long.keep(font.source) } : font;
    // The event does not name the frame; its process may speak for these only.
    for (const id of this.#scope.cdp.framesOf(origin)) this.#scope.page.send(id, fontLoaded, sent);
  }
}

/** A set of addresses that starts again when it is full. */
class KnownAddresses {
  readonly #known = new Set<string>();
  #units = 0;

  has(address: string): boolean {
    return this.#known.has(address);
  }

  add(address: string): void {
    if (this.#known.has(address)) return;
    if (this.#known.size >= MAX_ADDRESSES || this.#units + address.length > MAX_NAMED_UNITS) this.clear();
    this.#known.add(address);
    this.#units += address.length;
  }

  clear(): void {
    this.#known.clear();
    this.#units = 0;
  }
}
