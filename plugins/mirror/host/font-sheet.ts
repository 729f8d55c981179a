import type { SystemFace, SystemFonts } from '../../../host/plugin.ts';
import { LENGTH_ATTRIBUTE, MONOSPACE_ATTRIBUTE } from '../ops.ts';
import { CONTROL_FAMILY, MONOSPACE_FAMILY, RESERVED_PREFIX, STANDARD_FAMILY } from './sanitize/css-policy.ts';
import type { FontNames } from './sanitize/css-fonts.ts';
import { quote } from './sanitize/css-tokens.ts';

/** What Chromium's settings say generic families are, on Linux; those not named here are none. */
const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['standard', 'Times New Roman'],
  ['serif', 'Times New Roman'],
  ['sans-serif', 'Arial'],
  ['monospace', 'monospace'],
  ['cursive', 'Comic Sans MS'],
  ['fantasy', 'Impact'],
  ['system-ui', 'sans'],
  ['control', 'Arial'],
]);

const DATES = 'input:is([type=date i],[type=time i],[type=datetime-local i])';
const PERIODS = 'input:is([type=month i],[type=week i])';

/**
 * What the browser's own sheet says of fonts and lengths, below all that a page says: in the layer that the client's own sheet begins
 * (client/sheets.ts). What is in the generic `monospace` alone has a size of its own: in browsers that cannot be told it, that text
 * stays in their own font. Firefox's dates have the size of other fields. On screens with small pixels, text is not hinted: faces of style
 * sheets would be, on Linux, where those of the machine are not.
 */
const BASE = `@layer vitrine{
:root{font-family:"${STANDARD_FAMILY}"}
@media (min-resolution:1.5x){
:root,input,select,textarea,button{text-rendering:geometricPrecision}
}
input,select,button{font-family:"${CONTROL_FAMILY}"}
@supports (-moz-appearance:none){
${DATES}{font-family:"${MONOSPACE_FAMILY}",monospace}
}
@supports (width:attr(x type(<length>))){
textarea,${DATES},${PERIODS}{font-family:"${MONOSPACE_FAMILY}",monospace}
[${MONOSPACE_ATTRIBUTE}]{font-family:"${MONOSPACE_FAMILY}",monospace!important;font-size:attr(${MONOSPACE_ATTRIBUTE} type(<length>))!important}
[${LENGTH_ATTRIBUTE}]{inline-size:attr(${LENGTH_ATTRIBUTE} type(<length>))}
}
}
`;
/** Known from the start; documents name the last two by having elements that show them. */
const BASE_FAMILIES = [STANDARD_FAMILY, CONTROL_FAMILY, MONOSPACE_FAMILY];

/** Most families that are found out about for one document: each may take two processes. */
const MAX_LEARNT = 40;
/** While families are being found out about, the sheet is sent no more often, in ms: the view is styled anew each time. */
const PACE_MS = 250;
/** Covers no character that is used. */
const NOWHERE = 'U+10ffff';

/**
 * The sheet that gives one document the surrogate's fonts: faces of the families that it names, and of those that stand for the
 * generic ones. A family that the surrogate has not got has a face that covers nothing, so that the person's own is not taken.
 */
export class FontSheet {
  readonly #fonts: SystemFonts;
  /** What the text was made of: numbers of families, of faces, of times that families were found out about. */
  #state = '';
  #text = '';
  #sentAt = -Infinity;
  readonly #asked = new Set<string>();
  #learnt = 0;
  #learning: AbortController | undefined;
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
    this.#learning?.abort();
    this.#learning = undefined;
    this.#asked.clear();
    this.#state = this.#text = '';
    this.#sentAt = -Infinity;
  }

  /** The text, if it is another than before; `later` is called when it could be, because families have been found out about. */
  text({ named, faces }: FontNames, later: () => void): string | undefined {
    const state = `${named.size} ${faces.size} ${this.#learnt}`;
    this.#later = later;
    if (state === this.#state || (this.#learning && performance.now() - this.#sentAt < PACE_MS)) return undefined;
    this.#state = state;
    let text = BASE;
    const unknown: string[] = [];
    const done = new Set<string>();
    for (const family of [STANDARD_FAMILY, ...named]) {
      const lower = family.toLowerCase();
      // Faces of the page's own hide what the surrogate has.
      if (done.has(lower) || faces.has(lower)) continue;
      done.add(lower);
      const installed = installedName(family);
      const found = this.#fonts.faces(installed);
      if (found) text += rulesOf(family, found);
      else unknown.push(installed);
    }
    if (!this.#learning) void this.#learn(unknown);
    if (text === this.#text) return undefined;
    this.#text = text;
    this.#sentAt = performance.now();
    return text;
  }

  async #learn(families: readonly string[]): Promise<void> {
    const wanted = families.filter((family) => !this.#asked.has(family)).slice(0, MAX_LEARNT - this.#asked.size);
    if (wanted.length === 0) return;
    for (const family of wanted) this.#asked.add(family);
    const learning = (this.#learning = new AbortController());
    await this.#fonts.learn(wanted, learning.signal);
    if (learning.signal.aborted) return;
    this.#learning = undefined;
    this.#learnt++;
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
  return SETTINGS.get(family.slice(RESERVED_PREFIX.length)) ?? family;
}
