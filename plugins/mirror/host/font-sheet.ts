import type { SystemFace, SystemFonts } from '../../../host/plugin.ts';
import { MONOSPACE_ATTRIBUTE } from '../ops.ts';
import { RESERVED_PREFIX, STANDARD_FAMILY } from './sanitize/css-policy.ts';
import type { FontNames } from './sanitize/css-fonts.ts';
import { quote } from './sanitize/css-tokens.ts';

/** What Chromium's settings say generic families are, on Linux; those not named here are none. */
const SETTINGS: Readonly<Record<string, string>> = {
  standard: 'Times New Roman',
  serif: 'Times New Roman',
  'sans-serif': 'Arial',
  monospace: 'monospace',
  cursive: 'Comic Sans MS',
  fantasy: 'Impact',
  math: 'Latin Modern Math',
  'system-ui': 'sans',
  control: 'Arial',
};
const CONTROL_FAMILY = `${RESERVED_PREFIX}control`;
const MONOSPACE_FAMILY = `${RESERVED_PREFIX}monospace`;

/** What the browser's own sheet says of fonts, below all that a page says. */
const BASE = `@layer vitrine{
:root{font-family:"${STANDARD_FAMILY}"}
input,textarea,select,button{font-family:"${CONTROL_FAMILY}"}
textarea,input:is([type=date i],[type=time i],[type=datetime-local i],[type=month i],[type=week i]){font-family:"${MONOSPACE_FAMILY}",monospace}
math{font-family:"v-math","${STANDARD_FAMILY}"}
@supports (width:attr(x type(<length>))){
[${MONOSPACE_ATTRIBUTE}]{font-family:"${MONOSPACE_FAMILY}",monospace!important;font-size:attr(${MONOSPACE_ATTRIBUTE} type(<length>))!important}
}
}
`;
/** The families that it names. */
const BASE_FAMILIES = [STANDARD_FAMILY, CONTROL_FAMILY, MONOSPACE_FAMILY];

/** Covers no character that is used. */
const NOWHERE = 'U+10ffff';

/**
 * The sheet that gives one document the surrogate's fonts: faces of the families that it names, and of those that stand for the
 * generic ones. A family that the surrogate has not got has a face that covers nothing, so that the person's own is not taken.
 */
export class FontSheet {
  readonly #fonts: SystemFonts;
  #text = '';
  #learning = false;
  #later: (() => void) | undefined;

  constructor(fonts: SystemFonts) {
    this.#fonts = fonts;
    void fonts.learn(BASE_FAMILIES.map(installedName));
  }

  /** Whether a document that begins now can have one. */
  get available(): boolean {
    return this.#fonts.available;
  }

  /** Another document begins: nothing has been sent of it. */
  begin(): void {
    this.#text = '';
  }

  /** The text, if it is another than before; `later` is called when it could be, because families have been found out about. */
  text({ named, faces }: FontNames, later: () => void): string | undefined {
    let text = BASE;
    const unknown: string[] = [];
    const done = new Set<string>();
    for (const family of [...BASE_FAMILIES, ...named]) {
      const lower = family.toLowerCase();
      // Faces of the page's own hide what the surrogate has.
      if (done.has(lower) || faces.has(lower)) continue;
      done.add(lower);
      const installed = installedName(family);
      const found = this.#fonts.faces(installed);
      if (found) text += rulesOf(family, found);
      else unknown.push(installed);
    }
    this.#later = later;
    if (unknown.length > 0 && !this.#learning) void this.#learn(unknown);
    if (text === this.#text) return undefined;
    this.#text = text;
    return text;
  }

  async #learn(families: readonly string[]): Promise<void> {
    this.#learning = true;
    await this.#fonts.learn(families);
    this.#learning = false;
    this.#later?.();
  }
}

function rulesOf(family: string, faces: readonly SystemFace[]): string {
  const name = quote(family);
  if (faces.length === 0)
    return family.startsWith(RESERVED_PREFIX)
      ? ''
      : `@font-face{font-family:${name};src:local("v");unicode-range:${NOWHERE}}\n`;
  return faces.flatMap((face) => face.pieces.map((piece) => ruleOf(name, face, piece))).join('');
}

function ruleOf(name: string, face: SystemFace, { range, path }: SystemFace['pieces'][number]): string {
  const local = face.local === '' ? '' : `local(${quote(face.local)}),`;
  return (
    `@font-face{font-family:${name};src:${local}url(${path});unicode-range:${range};font-display:swap` +
    `${face.weight === '400' ? '' : `;font-weight:${face.weight}`}${face.italic ? ';font-style:italic' : ''}` +
    `${face.stretch === '100%' ? '' : `;font-stretch:${face.stretch}`}}\n`
  );
}

/** The family of this machine that a family of a page is. */
function installedName(family: string): string {
  if (!family.startsWith(RESERVED_PREFIX)) return family;
  return SETTINGS[family.slice(RESERVED_PREFIX.length)] ?? family;
}
