import type { InstalledFont, matchedFamily } from './fontconfig.ts';

/** Fonts that Chromium treats as equivalent, as Skia does (`SkFontConfigInterface_direct.cpp`). */
const INTERCHANGEABLE: readonly (readonly string[])[] = [
  ['arial', 'arimo', 'liberation sans'],
  ['times new roman', 'tinos', 'liberation serif'],
  ['courier new', 'cousine', 'liberation mono'],
  ['symbol', 'symbol neu'],
  ['cambria', 'caladea'],
  ['calibri', 'carlito'],
  ['ms pgothic', 'ｍｓ ｐゴシック', 'noto sans cjk jp', 'ipapgothic'],
  ['ms gothic', 'ｍｓ ゴシック', 'noto sans mono cjk jp', 'ipagothic'],
  ['ms pmincho', 'ｍｓ ｐ明朝', 'noto serif cjk jp', 'ipapmincho'],
  ['ms mincho', 'ｍｓ 明朝', 'noto serif cjk jp', 'ipamincho'],
  ['simsun', '宋体', 'noto serif cjk sc'],
  ['nsimsun', '新宋体', 'noto serif cjk sc'],
  ['simhei', '黑体', 'noto sans cjk sc'],
  ['pmingliu', '新細明體', 'noto serif cjk tc'],
  ['mingliu', '細明體', 'noto serif cjk tc'],
];

/** Alternates that Blink requests when no font has the name. */
const ALTERNATES: ReadonlyMap<string, string> = new Map([
  ['arial', 'Helvetica'],
  ['helvetica', 'Arial'],
  ['courier', 'Courier New'],
  ['courier new', 'Courier'],
  ['times', 'Times New Roman'],
  ['times new roman', 'Times'],
]);

/** Names for which fontconfig's match is always accepted. */
const ANYTHING: ReadonlySet<string> = new Set(['sans', 'serif', 'monospace']);

/** Finds the fonts that Chromium uses for a family on this machine. */
export class Families {
  readonly #byName = new Map<string, InstalledFont[]>();
  readonly #match: typeof matchedFamily;

  constructor(fonts: readonly InstalledFont[], match: typeof matchedFamily) {
    this.#match = match;
    for (const font of fonts) {
      for (const name of new Set(font.families.map((family) => family.toLowerCase()))) {
        const known = this.#byName.get(name);
        if (known) known.push(font);
        else this.#byName.set(name, [font]);
      }
    }
  }

  /** Returns the fonts of a family in all their styles; none when Chromium goes on to the next family. */
  async find(family: string): Promise<readonly InstalledFont[]> {
    const found = await this.#find(family);
    const alternate = ALTERNATES.get(family.toLowerCase());
    return found.length > 0 || alternate === undefined ? found : this.#find(alternate);
  }

  async #find(family: string): Promise<readonly InstalledFont[]> {
    const name = family.toLowerCase();
    const exact = this.#byName.get(name);
    if (exact && !ANYTHING.has(name)) return exact;
    const { asked, found } = await this.#match(family);
    const accepted = found.find((other) => {
      const lower = other.toLowerCase();
      return ANYTHING.has(name) || lower === name || lower === asked.toLowerCase() || isInterchangeable(name, lower);
    });
    return (accepted !== undefined && this.#byName.get(accepted.toLowerCase())) || [];
  }
}

function isInterchangeable(a: string, b: string): boolean {
  return INTERCHANGEABLE.some((names) => names.includes(a) && names.includes(b));
}
