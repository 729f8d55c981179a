import type { SystemFace, SystemFonts } from '../../../host/plugin.ts';
import { LENGTH_ATTRIBUTE, MONOSPACE_ATTRIBUTE } from '../ops.ts';
import { CONTROL_FAMILY, MONOSPACE_FAMILY, RESERVED_PREFIX, STANDARD_FAMILY } from './sanitize/css-policy.ts';
import type { FontNames } from './sanitize/css-fonts.ts';
import { quote } from './sanitize/css-tokens.ts';

/** Generic families in Chromium's settings on Linux; names that are missing here are not generic. */
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
 * The browser's default rules for fonts and lengths, below all rules of the page: in the layer that the client's own sheet creates
 * (client/sheets.ts). Text in the generic `monospace` alone has a default size of its own: in browsers without typed `attr()`, that
 * text keeps their own font. Firefox's date inputs have the size of other fields.
 */
const BASE = `@layer vitrine{
:root{font-family:"${STANDARD_FAMILY}"}
input,select,button{font-family:"${CONTROL_FAMILY}"}
@supports (-moz-appearance:none){
${DATES}{font-family:"${MONOSPACE_FAMILY}",monospace}
}
@supports (width:attr(x type(<length>))){
textarea,${DATES},${PERIODS}{font-family:"${MONOSPACE_FAMILY}",monospace}
[${MONOSPACE_ATTRIBUTE}]{font-family:"${MONOSPACE_FAMILY}",monospace!important;font-size:calc(attr(${MONOSPACE_ATTRIBUTE} type(<length>))/3)!important}
[${LENGTH_ATTRIBUTE}]{inline-size:attr(${LENGTH_ATTRIBUTE} type(<length>))}
}
}
`;
/** Looked up in advance. The last two are named by documents with elements that use them. */
const BASE_FAMILIES = [STANDARD_FAMILY, CONTROL_FAMILY, MONOSPACE_FAMILY];

/** Maximum number of families that are looked up for one document: each may take two processes. */
const MAX_LEARNT = 40;
/** Minimum interval between two versions of the sheet during lookups, in ms: each one makes the view compute its styles again. */
const PACE_MS = 250;
/** Covers no character in use. */
const NOWHERE = 'U+10ffff';

/**
 * The sheet that gives one document the surrogate's fonts: faces of the families that it names, and of those that replace the generic
 * ones. A family that the surrogate lacks has a face that covers nothing, so that the person's own font is not used.
 */
export class FontSheet {
  readonly #fonts: SystemFonts;
  /** Key of the current text: numbers of families, of faces, of completed lookups. */
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

  /** Whether a document that starts now can have one. */
  get available(): boolean {
    return this.#fonts.available;
  }

  /** Called when another document starts: nothing has been sent of it. */
  begin(): void {
    this.#learning?.abort();
    this.#learning = undefined;
    this.#asked.clear();
    this.#state = this.#text = '';
    this.#sentAt = -Infinity;
  }

  /** Returns the text if it has changed; `later` is called when it may change again, because a lookup has ended. */
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
      // The page's own faces hide the surrogate's.
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

/** Returns the installed family for a family of a page. */
function installedName(family: string): string {
  if (!family.startsWith(RESERVED_PREFIX)) return family;
  return SETTINGS.get(family.slice(RESERVED_PREFIX.length)) ?? family;
}
