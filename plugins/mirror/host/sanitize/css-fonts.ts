import { CORE_GENERICS, GENERIC_IN_VARIABLES, GENERICS, RESERVED_PREFIX, STANDARD_FAMILY } from './css-policy.ts';
import { nameOf, rawOf, skipSpace, stringOf, TOKEN, unescape } from './css-tokens.ts';
import type { Tokens } from './css-tokens.ts';

/** Families that a text names, and those that it has faces for. */
export interface FontNames {
  readonly named: Set<string>;
  readonly faces: Set<string>;
}

/** Maximum number of families of one text, and of characters in a name, that are recorded. */
const MAX_NAMES = 300;
const MAX_NAME_UNITS = 100;

/** Longest list that is read as a list of families. */
const MAX_ITEMS = 200;

/** Kind of a declaration with fonts. */
type FontProperty = 'font-family' | 'font' | 'variable';

/** One item of a list of families: the indexes of its tokens. */
type Item = readonly number[];

/** Absolute font sizes: with one, the generic `monospace` has no default size of its own. */
const ABSOLUTE = /^[-+.\de]+(?:px|pt|pc|cm|mm|in|q|rem|vw|vh|vmin|vmax)$/i;
const SIZE = /^(?:(?:xx?-|xxx-)?(?:small|large)|medium|larger|smaller)$/;

/** Returns an empty set of names. */
export function fontNames(): FontNames {
  return { named: new Set(), faces: new Set() };
}

/** Adds the names of one text to those of another. */
export function addNames(to: FontNames, from: FontNames): void {
  for (const name of from.named) if (to.named.size < MAX_NAMES) to.named.add(name);
  for (const name of from.faces) if (to.faces.size < MAX_NAMES) to.faces.add(name);
}

/** At-rules whose `font-family` does not choose a font. */
const NO_FONTS: ReadonlySet<string> = new Set([
  'font-palette-values',
  'font-feature-values',
  'property',
  'counter-style',
]);

/**
 * Records the families that a declaration names, in a block of the at-rule `rule` or of none, and returns the replacements of its
 * tokens, by index.
 */
export function declarationEdits(
  tokens: Tokens,
  at: number,
  rule: string,
  names: FontNames,
): ReadonlyMap<number, string> | undefined {
  const property = fontProperty(tokens, at);
  if (!property || NO_FONTS.has(rule)) return undefined;
  if (rule !== 'font-face') return fontEdits(tokens, at, property, names);
  if (property === 'font-family') noteFace(tokens, at, names);
  return undefined;
}

/** Returns the kind of the property of a declaration that starts at a token; undefined if it has no fonts. */
function fontProperty(tokens: Tokens, at: number): FontProperty | undefined {
  const first = tokens.text.charAt(tokens.starts[at] ?? 0);
  if (first !== 'f' && first !== 'F' && first !== '-' && first !== '\\') return undefined;
  const name = nameOf(tokens, at);
  return name === 'font-family' || name === 'font' ? name : name.startsWith('--') ? 'variable' : undefined;
}

/** Records the family of a face. */
function noteFace(tokens: Tokens, at: number, names: FontNames): void {
  const [item] = itemsOf(tokens, at) ?? [];
  const family = item && familyOf(tokens, item);
  if (family !== undefined && names.faces.size < MAX_NAMES) names.faces.add(family.toLowerCase());
}

/**
 * Returns the replacements of the tokens of a declaration. No face can override a generic family of the person's browser: a family of
 * ours is inserted before it or replaces it. A list without a core generic family ends with the standard family, which is what browsers
 * fall back to. `monospace` alone stays, since it changes the default font size.
 */
function fontEdits(
  tokens: Tokens,
  at: number,
  property: FontProperty,
  names: FontNames,
): ReadonlyMap<number, string> | undefined {
  let items = itemsOf(tokens, at);
  if (!items) return undefined;
  if (property === 'font') items = afterSize(tokens, items);
  const [first] = items;
  if (!first || first.length === 0) return undefined;
  const isVariable = property === 'variable';
  const generics = items.map((item) => genericOf(tokens, item));
  const isAlone = items.length === 1;
  if (isVariable && !generics.some((generic) => generic !== undefined && GENERIC_IN_VARIABLES.has(generic)))
    return undefined;
  if (isAlone && generics[0] === 'monospace' && !isSized(tokens, at, property)) return undefined;
  const edits = new Map<number, string>();
  items.forEach((item, index) => {
    const generic = generics[index];
    const before = items[index - 1];
    if (generic === undefined) {
      const family = familyOf(tokens, item);
      if (family !== undefined) note(family, names);
      return;
    }
    const ours = RESERVED_PREFIX + generic;
    note(ours, names);
    if (before && familyOf(tokens, before) === ours) return;
    edits.set(item[0] as number, CORE_GENERICS.has(generic) ? `"${ours}",${generic}` : `"${ours}"`);
  });
  if (!isVariable) endWithStandard(tokens, items, generics.at(-1), edits);
  return edits;
}

function endWithStandard(
  tokens: Tokens,
  items: readonly Item[],
  generic: string | undefined,
  edits: Map<number, string>,
): void {
  const last = items.at(-1);
  const end = last?.at(-1);
  if (!last || end === undefined || (generic !== undefined && CORE_GENERICS.has(generic))) return;
  const family = familyOf(tokens, last);
  if (generic === undefined && (family === undefined || family === STANDARD_FAMILY)) return;
  if (generic === undefined && items.length === 1 && last.length === 1 && tokens.types[end] === TOKEN.ident) {
    const keyword = nameOf(tokens, end);
    if (keyword === 'initial') edits.set(end, `"${STANDARD_FAMILY}"`);
    if (KEYWORDS.has(keyword)) return;
  }
  const raw = rawOf(tokens, end);
  edits.set(end, `${edits.get(end) ?? (generic === undefined ? raw : '')},"${STANDARD_FAMILY}"`);
}

/** Identifiers that name no family: values of any property, and `math`, whose glyphs browsers choose in their own way. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'inherit',
  'initial',
  'unset',
  'revert',
  'revert-layer',
  'default',
  'math',
]);

function note(family: string, names: FontNames): void {
  const isName = family !== '' && family.length <= MAX_NAME_UNITS && !KEYWORDS.has(family);
  if (isName && names.named.size < MAX_NAMES) names.named.add(family);
}

/** Returns the items of the value of a declaration, between commas; undefined when there is no value, or one invalid for fonts. */
function itemsOf(tokens: Tokens, at: number): Item[] | undefined {
  const { types, count } = tokens;
  const colon = skipSpace(tokens, at + 1);
  if (types[colon] !== TOKEN.colon) return undefined;
  const items: number[][] = [[]];
  let depth = 0;
  for (let next = skipSpace(tokens, colon + 1); next < count; next = skipSpace(tokens, next + 1)) {
    const type = types[next];
    if (type === TOKEN.rightRound) depth--;
    if (depth < 0 || (depth === 0 && (type === TOKEN.semicolon || type === TOKEN.rightCurly))) break;
    if (type === TOKEN.delim && rawOf(tokens, next) === '!') break;
    if (type === TOKEN.leftCurly || type === TOKEN.leftSquare || type === TOKEN.badString) return undefined;
    if (type === TOKEN.function || type === TOKEN.leftRound) depth++;
    if (items.length > MAX_ITEMS) return undefined;
    if (depth === 0 && type === TOKEN.comma) items.push([]);
    else (items.at(-1) as number[]).push(next); // never empty
  }
  return items;
}

/** Returns the families of a `font`: its first item without everything up to the size. */
function afterSize(tokens: Tokens, items: readonly Item[]): Item[] {
  const [first = [], ...others] = items;
  let size = first.length - 1;
  while (size >= 0) {
    const token = first[size] as number; // within bounds
    const type = tokens.types[token];
    if (type === TOKEN.ident ? SIZE.test(nameOf(tokens, token)) : type !== TOKEN.string) break;
    size--;
  }
  return size < 0 ? [] : [first.slice(size + 1), ...others];
}

/** Whether a `font` sets a size that does not depend on the family. */
function isSized(tokens: Tokens, at: number, property: FontProperty): boolean {
  if (property !== 'font') return false;
  const [first = []] = itemsOf(tokens, at) ?? [];
  const size = first.find(
    (token) => tokens.types[token] === TOKEN.dimension || tokens.types[token] === TOKEN.percentage,
  );
  return size !== undefined && ABSOLUTE.test(rawOf(tokens, size));
}

function genericOf(tokens: Tokens, item: Item): string | undefined {
  const [token] = item;
  if (item.length !== 1 || token === undefined || tokens.types[token] !== TOKEN.ident) return undefined;
  const name = nameOf(tokens, token);
  return GENERICS.has(name) ? name : undefined;
}

/** Returns the family that an item names: a string, or words. */
function familyOf(tokens: Tokens, item: Item): string | undefined {
  const [token] = item;
  if (token === undefined) return undefined;
  if (item.length === 1 && tokens.types[token] === TOKEN.string) return stringOf(rawOf(tokens, token));
  if (item.some((each) => tokens.types[each] !== TOKEN.ident)) return undefined;
  return item.map((each) => unescape(rawOf(tokens, each))).join(' ');
}
