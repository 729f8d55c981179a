import { dom } from '../../../core/page.ts';
import type { LoadedFont } from '../protocol.ts';
import type { Tracker } from './tracker.ts';

/** Maximum number of loaded fonts that are kept, and of faces checked at a time. */
const MOST_LOADED = 500;
const MOST_FACES = 1000;

/** Descriptors of a face, and their initial values. */
const DESCRIPTORS = [
  ['font-style', 'style', 'normal'],
  ['font-weight', 'weight', 'normal'],
  ['font-stretch', 'stretch', 'normal'],
  ['unicode-range', 'unicodeRange', 'U+0-10FFFF'],
  ['font-feature-settings', 'featureSettings', 'normal'],
  ['ascent-override', 'ascentOverride', 'normal'],
  ['descent-override', 'descentOverride', 'normal'],
  ['line-gap-override', 'lineGapOverride', 'normal'],
  ['size-adjust', 'sizeAdjust', '100%'],
] as const;

/**
 * Font faces that script has created, as equivalent rules. A face does not expose its address: the host learns it when the font is
 * loaded, and finds the source of bytes that script has fetched for a face.
 */
export class Fonts implements Tracker {
  /** The rules; undefined as long as there are none. */
  sheet: CSSStyleSheet | undefined;
  readonly #loaded: LoadedFont[] = [];
  readonly #ask: (key: number) => Promise<string | null>;
  /** Numbers of sources that have been asked for. */
  readonly #asked = new Set<number>();
  /** Addresses of faces. */
  readonly #sources = new WeakMap<FontFace, string>();
  #text = '';

  /** @param ask returns a long source by its number; null when it has to be asked for again */
  constructor(ask: (key: number) => Promise<string | null>) {
    this.#ask = ask;
  }

  /** Called when a frame of the page has loaded a font. */
  learn(font: LoadedFont): void {
    this.#loaded.push(font);
    if (this.#loaded.length > MOST_LOADED) this.#asked.delete(this.#loaded.shift()?.key ?? 0);
  }

  reset(): void {
    // The rules are the same in every epoch.
  }

  collect(full: boolean): void {
    if (!full || this.#loaded.length === 0) return;
    let text = '';
    let left = MOST_FACES;
    for (const face of dom.fonts(document)) {
      if (left-- === 0) break;
      const source = this.#sourceOf(face);
      if (source) text += ruleOf(face, source);
    }
    if (text === this.#text) return;
    this.#text = text;
    this.sheet ??= new CSSStyleSheet();
    this.sheet.replaceSync(text);
  }

  #sourceOf(face: FontFace): string | undefined {
    const known = this.#sources.get(face);
    if (known !== undefined || face.status !== 'loaded') return known;
    const font = this.#loaded.find((font) => isOf(font, face));
    if (!font) return undefined;
    const { key, source } = font;
    if (key === undefined) this.#sources.set(face, source);
    else if (!this.#asked.has(key)) this.#want(key, face);
    return source;
  }

  /** Its rule is written with the next poll. */
  #want(key: number, face: FontFace): void {
    this.#asked.add(key);
    const missed = (): void => void this.#asked.delete(key);
    this.#ask(key).then((source) => {
      if (source === null) missed();
      else this.#sources.set(face, source);
    }, missed);
  }
}

function isOf({ family, style, weight, stretch, range }: LoadedFont, face: FontFace): boolean {
  return (
    bare(family) === bare(face.family) &&
    style === face.style &&
    weight === face.weight &&
    stretch === face.stretch &&
    range === face.unicodeRange
  );
}

/** Strips the quotes of a family name: browsers add them where the name needs them. */
function bare(family: string): string {
  return family.replace(/^(["'])(.*)\1$/s, '$2');
}

function ruleOf(face: FontFace, source: string): string {
  const values = face as unknown as Readonly<Record<string, string>>; // the types lack some descriptors
  const said = DESCRIPTORS.filter(([, key, initial]) => (values[key] ?? initial) !== initial);
  return `@font-face{font-family:${quoted(face.family)};src:url(${quoted(source)});${said.map(([name, key]) => `${name}:${values[key]};`).join('')}}\n`;
}

/** Quotes a text, unless it has quotes already. */
function quoted(text: string): string {
  return /^(["']).*\1$/s.test(text)
    ? text
    : `"${text.replace(/["\\\n\r\f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`;
}
