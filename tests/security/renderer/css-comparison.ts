import { BLOCKED_PROPERTIES, EXOTIC } from '../../../plugins/mirror/host/sanitize/css-policy.ts';
import { APART } from '../../../plugins/mirror/host/sanitize/css-divided-names.ts';
import { joined, sanitizeFragment, sanitizeSheet } from '../../../plugins/mirror/host/sanitize/css.ts';
import { testContext } from '../../../plugins/mirror/host/sanitize/tests/context.ts';
import {
  isClosedString,
  isClosedUrl,
  nameOf,
  preprocess,
  rawOf,
  TOKEN,
  tokensOf,
} from '../../../plugins/mirror/host/sanitize/css-tokens.ts';

/** Targets that safe CSS may have: tokens of the service, places in the document, inline pictures, and none. */
const SAFE_TARGET = /^(?:\/c\/[if]\/tab1\.[\w-]{43}(?:#.*)?|#.*|data:image\/.*|about:invalid)$/s;
const BASE = 'https://site.test/dir/page.html';

/** A text as Chromium's own parser reads it, each rule or declaration serialized by Chromium. */
type Parsed = readonly string[];

/** Parses sheets, or declarations. Runs in the browser, in a page that loads nothing. */
function parse({
  texts,
  kind,
  baseURL,
}: {
  readonly texts: readonly string[];
  readonly kind: 'sheet' | 'style';
  readonly baseURL: string;
}): Parsed[] {
  return texts.map((text) => {
    if (kind === 'style') {
      const element = document.createElement('p');
      element.setAttribute('style', text);
      const { style } = element;
      return [...style].map((name) => `${name}: ${style.getPropertyValue(name)} ${style.getPropertyPriority(name)}`);
    }
    const sheet = new CSSStyleSheet({ baseURL });
    sheet.replaceSync(text);
    return [...sheet.cssRules].map(({ cssText }) => cssText);
  });
}

/** The addresses that Chromium would load for texts of CSS that stand in custom properties. Runs in the browser. */
function substituted(all: readonly (readonly string[])[]): string[][] {
  const element = document.createElement('p');
  const of = (text: string): string[] =>
    ['background-image', 'content', 'cursor', 'filter', 'mask-image'].map((name) => {
      element.style.setProperty(name, '');
      element.style.setProperty(name, text);
      return element.style.getPropertyValue(name);
    });
  return all.map((texts) => texts.flatMap(of));
}

/** Runs a function in a page of a browser that loads nothing. */
export type Evaluate = <T, A>(body: (argument: A) => T | Promise<T>, argument: A) => Promise<T>;

type CssKind = 'sheet' | 'style';

/** Differences between the meaning of texts before and after they were sanitized; what the policy does not allow among them. */
export async function compareCss(evaluate: Evaluate, texts: readonly string[], kind: CssKind): Promise<string[]> {
  const [before, sanitized] = await Promise.all([
    evaluate(parse, { texts, kind, baseURL: BASE }),
    sanitizedIn(evaluate, texts, kind),
  ]);
  return sanitized.flatMap(({ safe, after, wrong }, number) => {
    if (mayDiffer(texts[number] ?? '', safe)) return wrong;
    const [meant, got] = [(before[number] ?? []).map(normal), after.map(normal)];
    const changed = Array.from({ length: Math.max(meant.length, got.length) }, (_, at) => [meant[at], got[at]] as const)
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => `changes ${JSON.stringify(from)} to ${JSON.stringify(to)} in ${JSON.stringify(safe)}`);
    return [...wrong, ...changed];
  });
}

/** A text that was sanitized. */
interface Sanitized {
  readonly safe: string;
  /** The text as a browser's parser reads it. */
  readonly after: Parsed;
  /** Addresses there that the policy does not allow. */
  readonly wrong: readonly string[];
}

/** Sanitizes texts, and has a browser parse the outcome. */
export async function sanitizedIn(evaluate: Evaluate, texts: readonly string[], kind: CssKind): Promise<Sanitized[]> {
  const context = testContext(BASE);
  const safe = texts.map((text) =>
    kind === 'sheet' ? joined(sanitizeSheet(text, context), () => '') : sanitizeFragment(text, context),
  );
  const parsed = await evaluate(parse, { texts: safe, kind, baseURL: BASE });
  const reached = await evaluate(
    substituted,
    parsed.map((rules) => rules.flatMap(customValues)),
  );
  return safe.map((text, at) => {
    const after = parsed[at] ?? [];
    // The name of a namespace is no address.
    const rules = [...after.filter((rule) => !rule.startsWith('@namespace')), ...(reached[at] ?? [])];
    const wrong = [...rules, ...rules.map(withoutComments)]
      .flatMap(targets)
      .filter((target) => !SAFE_TARGET.test(target));
    return { safe: text, after, wrong: wrong.map((target) => `has the address ${target} in ${JSON.stringify(text)}`) };
  });
}

/** Values of custom properties in a rule. */
function customValues(rule: string): string[] {
  const declared = withoutComments(rule).matchAll(/(?:^|[{;])\s*--[^\s:;{}()"']+:\s*([^;{}]*)/g);
  return [...declared].map(([, value = '']) => value);
}

/** A text as an engine would write it that leaves comments out, and so may join names to other ones. */
function withoutComments(text: string): string {
  return text.replace(/("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\\[^])|\/\*[^]*?\*\//g, '$1');
}

/** Targets of `url()` in a text that Chromium has serialized. Comments, and functions whose names end alike, have none. */
function targets(text: string): string[] {
  const found = text.matchAll(
    /\/\*[^]*?\*\/|\\[^]|(?:(?<![\w-]|\\[\da-f]{1,6}\s|\\[^\da-f]|[^\0-\x7f])(url\(\s*))?(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)')/gi,
  );
  return [...found].flatMap(([, isUrl, inner, other]) =>
    isUrl === undefined ? [] : [unescaped(inner ?? other ?? '')],
  );
}

function unescaped(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})\s?|([^]))/gi, (_, code?: string, other?: string) =>
    code === undefined ? (other ?? '') : String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff)),
  );
}

/** Functions whose strings are addresses, as the policy names them. */
const ADDRESSES = new Set([
  'url',
  'src',
  'image',
  '-webkit-image',
  'image-set',
  '-webkit-image-set',
  'filter',
  '-webkit-filter',
  '-moz-image-rect',
]);

/** A text with its addresses left out, and names as they are without escapes. Chromium leaves values with `var()` as they are written. */
function normal(text: string): string {
  const tokens = tokensOf(preprocess(text));
  const open: boolean[] = [];
  let all = '';
  for (let at = 0; at < tokens.count; at++) {
    const [type, raw] = [tokens.types[at], rawOf(tokens, at)];
    const gap = gapAt(tokens, at);
    if (gap !== undefined) {
      all += GAP;
      at = gap - 1;
      continue;
    }
    if (type === TOKEN.url) all += 'url("")';
    else if (type === TOKEN.function) {
      open.push(ADDRESSES.has(nameOf(tokens, at)));
      all += `${nameOf(tokens, at)}(`;
    } else if (type === TOKEN.leftRound) {
      open.push(open.at(-1) ?? false);
      const isGlued = GLUED.has(tokens.types[at - 1]);
      all += isGlued ? GAP + raw : raw;
    } else if (type === TOKEN.rightRound) {
      open.pop();
      all += raw;
    } else if (type === TOKEN.string && open.at(-1) === true) all += '""';
    else if (type === TOKEN.ident) all += BLOCKED_PROPERTIES.has(nameOf(tokens, at)) ? 'v-blocked' : nameOf(tokens, at);
    else if (type === TOKEN.at && /^(?:import|namespace|charset)$/.test(nameOf(tokens, at))) all += '@v-blocked';
    else if (raw !== '/**/' && (type !== TOKEN.space || open.at(-1) !== true)) all += raw;
  }
  return all;
}

/** Stands for a comment between a name and what would become a function with it. */
const GAP = '\0';
const GLUED: ReadonlySet<number | undefined> = new Set([TOKEN.hash, TOKEN.at, TOKEN.dimension]);
const NAMED: ReadonlySet<number | undefined> = new Set([...GLUED, TOKEN.ident, TOKEN.delim]);

/**
 * Returns where the comments end that begin at a token, between a name and a function or parenthesis, or the white space that replaces them.
 * Undefined where there are none.
 */
function gapAt(tokens: ReturnType<typeof tokensOf>, at: number): number | undefined {
  const { types } = tokens;
  if (!NAMED.has(types[at - 1])) return undefined;
  let [end, isGap] = [at, rawOf(tokens, at) === APART];
  for (; types[end] === TOKEN.space || types[end] === TOKEN.comment; end++) isGap ||= types[end] === TOKEN.comment;
  const next = types[end];
  const isNext = next === TOKEN.leftRound || next === TOKEN.function || next === TOKEN.url;
  return isGap && (isNext || (next === TOKEN.delim && rawOf(tokens, end) === '*')) ? end : undefined;
}

/** Whether the meaning of a text may change, with the reasons; its addresses are checked all the same. */
function mayDiffer(text: string, safe: string): boolean {
  return (
    // The policy blocks an escaped `url(`, which parsers read differently, and functions that could put an unchecked address into another.
    safe.includes('v-blocked(') ||
    // Blocks and strings that are open are closed, so that text can stand after them; Chromium leaves them open in a value.
    !isClosed(text) ||
    // Characters that only older tokenizers take for parts of names are escaped.
    EXOTIC.test(text) ||
    // After an escape in a malformed address the tokenizer reads one character too many: what it takes is left out.
    hasMalformedAddress(text)
  );
}

function hasMalformedAddress(text: string): boolean {
  const tokens = tokensOf(preprocess(text));
  for (let at = 0; at < tokens.count; at++)
    if (tokens.types[at] === TOKEN.badUrl && rawOf(tokens, at).includes('\\')) return true;
  return false;
}

/** Whether all that the text opens is closed. */
function isClosed(text: string): boolean {
  const tokens = tokensOf(preprocess(text));
  const open: number[] = [];
  for (let at = 0; at < tokens.count; at++) {
    const type = tokens.types[at] as number; // below the count
    const close =
      type === TOKEN.function
        ? TOKEN.rightRound
        : type === TOKEN.leftRound
          ? TOKEN.rightRound
          : type === TOKEN.leftSquare
            ? TOKEN.rightSquare
            : type === TOKEN.leftCurly
              ? TOKEN.rightCurly
              : undefined;
    if (close !== undefined) open.push(close);
    else if (open.at(-1) === type) open.pop();
  }
  const last = rawOf(tokens, tokens.count - 1);
  const type = tokens.types[tokens.count - 1];
  if (type === TOKEN.string && !isClosedString(last)) return false;
  if ((type === TOKEN.url || type === TOKEN.badUrl) && !isClosedUrl(last)) return false;
  return open.length === 0 && !(type === TOKEN.comment && !/^\/\*[^]*\*\/$/.test(last)) && !text.endsWith('\\');
}
