import { tokenize } from 'css-tree/tokenizer';
import { EXOTIC } from './css-policy.ts';

/** Token types of css-tree that are used here. */
export const TOKEN = {
  ident: 1,
  function: 2,
  at: 3,
  hash: 4,
  string: 5,
  badString: 6,
  url: 7,
  badUrl: 8,
  delim: 9,
  number: 10,
  percentage: 11,
  dimension: 12,
  space: 13,
  /** `<!--` and `-->`: between rules they mean nothing. */
  cdo: 14,
  cdc: 15,
  colon: 16,
  semicolon: 17,
  comma: 18,
  leftSquare: 19,
  rightSquare: 20,
  leftRound: 21,
  rightRound: 22,
  leftCurly: 23,
  rightCurly: 24,
  comment: 25,
} as const;

/** Texts that close an open block, by the type of the closing token. */
export const CLOSERS = new Map<number, string>([
  [TOKEN.rightRound, ')'],
  [TOKEN.rightSquare, ']'],
  [TOKEN.rightCurly, '}'],
]);

/** A text and its tokens: token `i` has type `types[i]` and ends where the next one starts. */
export interface Tokens {
  readonly text: string;
  readonly types: Uint8Array;
  /** Start of each token, and after the last one the end of the text. */
  readonly starts: Uint32Array;
  readonly count: number;
}

/**
 * Preprocesses input as CSS requires before tokenizing (newlines, NUL, lone surrogates), so that our tokenizer and the browser's see the
 * same text. A backslash at the end becomes the replacement character that it stands for, so that text can be added after it.
 */
export function preprocess(text: string): string {
  let clean = text;
  if (/[\0\r\f]/.test(clean)) clean = clean.replace(/\r\n?|\f/g, '\n').replaceAll('\0', '\ufffd');
  if (clean.startsWith('\ufeff') || clean.startsWith('\ufffe')) clean = clean.replace(/^[\ufeff\ufffe]+/, '');
  if (!clean.isWellFormed()) clean = clean.toWellFormed();
  if (clean.endsWith('\\') && !endsEscaped(clean, clean.length - 1, 0)) clean += '\ufffd';
  return clean;
}

/** Escapes byte order marks at the start of a text that is no sheet: there browsers read them as parts of a name. */
export function escapeMarks(text: string): string {
  return BYTE_ORDER_MARK.test(text.charAt(0)) ? text.replace(/^[\ufeff\ufffe]+/, hexEscapes) : text;
}

function hexEscapes(text: string): string {
  return Array.from(text, (char) => `\\${char.charCodeAt(0).toString(16)} `).join('');
}

/** Runs a generator of slices at once. */
export function untilDone<T>(turns: Generator<undefined, T>): T {
  for (;;) {
    const turn = turns.next();
    if (turn.done) return turn.value;
  }
}

/** Approximate duration of a slice in ms, and the number of tokens between two checks of the clock. */
export const TURN_MS = 8;
const LOOK_TOKENS = 1024;

/** Returns a function that is called before each token and returns whether the slice is over; then another one starts. */
export function turns(): () => boolean {
  let [asked, started] = [0, performance.now()];
  return () => {
    if (++asked < LOOK_TOKENS) return false;
    asked = 0;
    const now = performance.now();
    const isOver = now - started >= TURN_MS;
    if (isOver) started = now;
    return isOver;
  };
}

/** Tokenizes a preprocessed text at once. */
export function tokensOf(text: string): Tokens {
  return untilDone(tokenizing(text));
}

/** Length of the text that is tokenized in one slice, in UTF-16 units. */
const TURN_UNITS = 128 * 1024;
/** Maximum lookahead of the tokenizer past the end of a token, in UTF-16 units; a token that needs more includes it. */
const LOOKAHEAD = 4;
/** Removed at the start of a text, part of names elsewhere. */
const BYTE_ORDER_MARK = /[\ufeff\ufffe]/;

/** Tokenizes a preprocessed text in slices: each keeps the tokens that are final; the next one starts after them. */
export function* tokenizing(text: string): Generator<undefined, Tokens> {
  let capacity = Math.max(64, text.length >> 2);
  let types = new Uint8Array(capacity);
  let starts = new Uint32Array(capacity + 1);
  let count = 0;
  const take = (type: number, start: number): void => {
    if (count === capacity) {
      capacity *= 2;
      const wider = new Uint8Array(capacity);
      wider.set(types);
      types = wider;
      const further = new Uint32Array(capacity + 1);
      further.set(starts);
      starts = further;
    }
    types[count] = type;
    starts[count++] = start;
  };
  for (let from = 0, to = 0; to < text.length; from = to) {
    const first = count;
    for (let units = TURN_UNITS; count === first; units *= 2) {
      const end = Math.min(from + units, text.length);
      tokenize(text.slice(from, end), (type, start) => take(type, from + start));
      to = end;
      const mayDiffer = (): boolean => to > end - LOOKAHEAD || BYTE_ORDER_MARK.test(text.charAt(to));
      while (end < text.length && count > first && mayDiffer()) to = starts[--count] as number; // of the last one
    }
    if (to < text.length) yield;
  }
  starts[count] = text.length;
  return { text, types, starts, count };
}

/** Source text of a token. */
export function rawOf(tokens: Tokens, index: number): string {
  return tokens.text.slice(tokens.starts[index], tokens.starts[index + 1]);
}

/** Index of the next token from `index` on that is neither white space nor a comment; `count` when there is none. */
export function skipSpace(tokens: Tokens, index: number): number {
  let at = index;
  while (at < tokens.count && (tokens.types[at] === TOKEN.space || tokens.types[at] === TOKEN.comment)) at++;
  return at;
}

/** Index of the last token before `index` that is neither white space nor a comment. */
export function before({ types }: Tokens, index: number): number {
  let at = index - 1;
  while (types[at] === TOKEN.space || types[at] === TOKEN.comment) at--;
  return at;
}

/** Value of an identifier, hash, string or address body with its escapes resolved. */
export function unescape(raw: string): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(/\\(?:([0-9a-f]{1,6})[ \t\n]?|\n|([^])|$)/giu, (_, hex?: string, plain?: string) => {
    if (hex === undefined) return plain ?? '';
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
  });
}

/** Value of an identifier in lower case, or the name of a function. */
export function nameOf(tokens: Tokens, index: number): string {
  const raw = rawOf(tokens, index);
  const name =
    tokens.types[index] === TOKEN.function ? raw.slice(0, -1) : tokens.types[index] === TOKEN.at ? raw.slice(1) : raw;
  return unescape(name).toLowerCase();
}

/** Value of a string token, closed or not. */
export function stringOf(raw: string): string {
  const closed = isClosedString(raw);
  return unescape(raw.slice(1, closed ? -1 : undefined));
}

/** Value of a url token, closed or not. */
export function urlOf(raw: string): string {
  return unescape(raw.slice(4, isClosedUrl(raw) ? -1 : undefined).replace(/^[ \t\n]+/, '')).trimEnd();
}

/** Escapes the characters of a name that tokenizers disagree on. */
export function escaped(raw: string): string {
  return raw.replace(/\\[^]|[^\0-\x7f]/g, (found) => {
    const char = found.at(-1) as string; // never empty
    return EXOTIC.test(char) ? `\\${char.charCodeAt(0).toString(16)} ` : found;
  });
}

/** Whether a string token ends with its quote, and not with the end of the text. */
export function isClosedString(raw: string): boolean {
  if (raw.length < 2 || raw.at(-1) !== raw[0]) return false;
  return !endsEscaped(raw, raw.length - 1, 1);
}

/** Whether a url token ends with its parenthesis, and not with the end of the text. */
export function isClosedUrl(raw: string): boolean {
  return raw.endsWith(')') && !endsEscaped(raw, raw.length - 1, 4);
}

/** A string token for a value. */
export function quote(value: string): string {
  // Hexadecimal escapes end in a space, so that the next character is never read as another digit.
  const escaped = value.replace(/["\\]|[\0-\x1f\x7f]/g, (c) =>
    c === '"' || c === '\\' ? `\\${c}` : `\\${c.charCodeAt(0).toString(16)} `,
  );
  return `"${escaped}"`;
}

/** Whether the character at `index` is escaped: an odd number of backslashes precedes it, counted back to `from` at most. */
function endsEscaped(raw: string, index: number, from: number): boolean {
  let slashes = 0;
  for (let at = index - 1; at >= from && raw[at] === '\\'; at--) slashes++;
  return slashes % 2 === 1;
}
