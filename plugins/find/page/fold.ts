/** Differences that a search heeds. */
export interface Sensitivity {
  readonly matchCase: boolean;
  readonly matchDiacritics: boolean;
}

/** One code point as a search sees it; the empty string for one that it does not see. */
type Fold = (char: string) => string;

/** Not seen by any search: soft hyphens, joiners, marks of direction and the like. */
const IGNORED = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
/** Characters that people type otherwise, as Chromium folds them. */
const TYPED: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201b': "'",
  '\u05f3': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u05f4': '"',
};
/** Letters that have no decomposition, but the same primary weight in Unicode's collation as these. */
const BASE: Readonly<Record<string, string>> = {
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ħ: 'h',
  Ħ: 'H',
};
/** Marks of scripts whose letters are read without them; vowel signs of other scripts are letters, and so are the voiced marks of kana. */
const MARK = /(?![\u3099\u309a])(?=[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}/gu;
/** The Arabic elongation is ornament. */
const ORNAMENT = '\u0640';
const HANGUL = /^[\uac00-\ud7a3]$/;
const KATAKANA = /[\u30a1-\u30f6]/g;
const DIGIT = /^\p{Nd}$/u;

/** Folds ASCII text without looking at each character. */
export function foldAscii(text: string, { matchCase }: Sensitivity): string {
  return matchCase ? text : text.toLowerCase();
}

const folds = new Map<string, Fold>();

/** The folding of a sensitivity. Results are kept: text is folded character by character, so that places in it stay known. */
export function foldOf({ matchCase, matchDiacritics }: Sensitivity): Fold {
  const name = `${matchCase} ${matchDiacritics}`;
  const known = folds.get(name);
  if (known) return known;
  const kept = new Map<string, string>();
  const fold: Fold = (char) => {
    let folded = kept.get(char);
    if (folded === undefined) kept.set(char, (folded = compute(char, matchCase, matchDiacritics)));
    return folded;
  };
  folds.set(name, fold);
  return fold;
}

/** The whole of a text, as {@link foldOf} sees it. */
export function foldText(text: string, sensitivity: Sensitivity): string {
  const fold = foldOf(sensitivity);
  let folded = '';
  for (const char of text) folded += fold(char);
  return folded;
}

function compute(char: string, matchCase: boolean, matchDiacritics: boolean): string {
  if (/^\s$/u.test(char)) return ' ';
  if (IGNORED.test(char)) return '';
  let folded = TYPED[char] ?? char;
  if (matchDiacritics) folded = HANGUL.test(folded) ? folded : folded.normalize('NFD');
  else folded = plain(folded);
  // Both ways: some letters have several of the other case, as ß, ς and the dotless i.
  if (!matchCase) folded = folded.toUpperCase().toLowerCase();
  return !matchCase && !matchDiacritics ? folded.replace(MARK, '') : folded;
}

/** A character without what tells its variants apart. */
function plain(char: string): string {
  if (char === ORNAMENT) return '';
  if (HANGUL.test(char)) return char;
  const base = BASE[char];
  if (base !== undefined) return base;
  if (DIGIT.test(char)) return digit(char);
  return char
    .normalize('NFKD')
    .replace(MARK, '')
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/** The value of a digit of any script: their ten digits follow one another. */
function digit(char: string): string {
  const code = char.codePointAt(0) ?? 0; // it is a character
  let before = 0;
  while (before < 9 && DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return code < 0x80 ? char : char.normalize('NFKD') !== char ? char.normalize('NFKD') : String(before);
}
