import { BLOCKED_PROPERTIES, EXOTIC } from '../../../plugins/mirror/host/sanitize/css-policy.ts';
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

/** Parses a sheet, or declarations. Runs in the browser, in a page that loads nothing. */
function parse({
  text,
  kind,
  baseURL,
}: {
  readonly text: string;
  readonly kind: 'sheet' | 'style';
  readonly baseURL: string;
}): Parsed {
  if (kind === 'style') {
    const element = document.createElement('p');
    element.setAttribute('style', text);
    return [...element.style].map(
      (name) => `${name}: ${element.style.getPropertyValue(name)} ${element.style.getPropertyPriority(name)}`,
    );
  }
  const sheet = new CSSStyleSheet({ baseURL });
  sheet.replaceSync(text);
  return [...sheet.cssRules].map(({ cssText }) => cssText);
}

/** The addresses that Chromium would load for texts of CSS that stand in custom properties. Runs in the browser. */
function substituted(texts: readonly string[]): string[] {
  const element = document.createElement('p');
  return texts.flatMap((text) =>
    ['background-image', 'content', 'cursor', 'filter', 'mask-image'].map((name) => {
      element.style.setProperty(name, '');
      element.style.setProperty(name, text);
      return element.style.getPropertyValue(name);
    }),
  );
}

/** Runs a function in a page of a browser that loads nothing. */
export type Evaluate = <T, A>(body: (argument: A) => T | Promise<T>, argument: A) => Promise<T>;

type CssKind = 'sheet' | 'style';

/** Differences between the meaning of a text before and after it was sanitized; what the policy does not allow among them. */
export async function compareCss(evaluate: Evaluate, text: string, kind: CssKind): Promise<string[]> {
  const { safe, after, wrong } = await sanitizedIn(evaluate, text, kind);
  if (mayDiffer(text, safe)) return wrong;
  const before = await evaluate(parse, { text, kind, baseURL: BASE });
  const [meant, got] = [before.map(normal), after.map(normal)];
  for (let at = 0; at < Math.max(meant.length, got.length); at++)
    if (meant[at] !== got[at])
      wrong.push(`changes ${JSON.stringify(meant[at])} to ${JSON.stringify(got[at])} in ${JSON.stringify(safe)}`);
  return wrong;
}

/** Sanitizes a text; returns how a browser's parser reads it then, and the addresses there that the policy does not allow. */
export async function sanitizedIn(
  evaluate: Evaluate,
  text: string,
  kind: CssKind,
): Promise<{ readonly safe: string; readonly after: Parsed; readonly wrong: string[] }> {
  const context = testContext(BASE);
  const safe = kind === 'sheet' ? joined(sanitizeSheet(text, context), () => '') : sanitizeFragment(text, context);
  const after = await evaluate(parse, { text: safe, kind, baseURL: BASE });
  const custom = after.flatMap((rule) =>
    [...rule.replace(/\/\*[^]*?\*\//g, '').matchAll(/(?:^|[{;])\s*--[^\s:;{}()"']+:\s*([^;{}]*)/g)].map(
      ([, value = '']) => value,
    ),
  );
  const reached = custom.length > 0 ? await evaluate(substituted, custom) : [];
  // The name of a namespace is no address.
  const wrong = [...after.filter((rule) => !rule.startsWith('@namespace')), ...reached]
    .flatMap(targets)
    .filter((target) => !SAFE_TARGET.test(target))
    .map((target) => `has the address ${target}`);
  return { safe, after, wrong };
}

/** Targets of `url()` in a text that Chromium has serialized. Comments, and functions whose names end alike, have none. */
function targets(text: string): string[] {
  const found = text.matchAll(
    /\/\*[^]*?\*\/|(?:(?<![\w-]|\\[\da-f]{1,6}\s|\\[^\da-f]|[^\0-\x7f])(url\(\s*))?(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)')/gi,
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
    if (type === TOKEN.url) all += 'url("")';
    else if (type === TOKEN.function) {
      open.push(ADDRESSES.has(nameOf(tokens, at)));
      all += `${nameOf(tokens, at)}(`;
    } else if (type === TOKEN.leftRound) {
      open.push(open.at(-1) ?? false);
      all += raw;
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

/** Whether the meaning of a text may change, with the reasons; its addresses are checked all the same. */
function mayDiffer(text: string, safe: string): boolean {
  return (
    // The policy blocks an escaped `url(`, which parsers read differently, and functions that could put an unchecked address into another.
    safe.includes('v-blocked(') ||
    // What is left open is closed, so that text can stand after it; Chromium leaves it open in a value.
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
  return open.length === 0 && !(type === TOKEN.comment && !/^\/\*[^]*\*\/$/.test(last)) && !last.endsWith('\\');
}
