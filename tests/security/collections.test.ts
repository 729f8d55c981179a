import type { Browser, Page as BrowserPage } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OP, SHEET_SOURCE } from '../../plugins/mirror/ops.ts';
import { joined, sanitizeSheet } from '../../plugins/mirror/host/sanitize/css.ts';
import { rawOf, stringOf, TOKEN, tokensOf, urlOf } from '../../plugins/mirror/host/sanitize/css-tokens.ts';
import type { SafeBatch } from '../../plugins/mirror/host/sanitize/batch-sanitizer.ts';
import { testContext } from '../../plugins/mirror/host/sanitize/tests/context.ts';
import { built, fresh, ofSite, Page, uncopied } from '../../plugins/mirror/host/sanitize/tests/page-writer.ts';
import type { Node } from '../../plugins/mirror/host/sanitize/tests/page-writer.ts';
import { launchChromium } from '../fidelity/browser.ts';
import { aimedAt, ATTACKS } from './attacks.ts';

const CANARY = 'canary.test';
const SAFE_ADDRESS = /^(?:\/c\/[if]\/tab1\.[\w-]{43}(?:#.*)?|#.*|data:image\/.*|about:invalid)$/s;

let browser: Browser;
let page: BrowserPage;
beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(() => browser.close());

/** Document as a browser's parser builds it. */
interface Parsed {
  readonly tree: Node;
  /** Texts of its style elements. */
  readonly sheets: readonly string[];
}

/** Parses markup; nothing runs or loads. Runs in the browser. */
function parse(documents: readonly string[]): Parsed[] {
  const NAMESPACES: Readonly<Record<string, string>> = {
    'http://www.w3.org/1999/xhtml': '',
    'http://www.w3.org/2000/svg': 'svg:',
    'http://www.w3.org/1998/Math/MathML': 'math:',
  };
  let sheets: string[] = [];
  // Pages hide members by names: accessors of interfaces are used, never of nodes.
  const get = <T extends object, K extends keyof T & string>(type: { prototype: T }, key: K, self: T): T[K] =>
    Reflect.get(type.prototype, key, self);
  const read = (element: Element): Node => {
    const local = get(Element, 'localName', element);
    if (local === 'style') sheets.push(get(globalThis.Node, 'textContent', element) ?? '');
    const name = (NAMESPACES[get(Element, 'namespaceURI', element) ?? ''] ?? 'other:') + local;
    const names = Element.prototype.getAttributeNames.call(element);
    const attributes = Object.fromEntries(
      names.map((key) => [key, Element.prototype.getAttribute.call(element, key) ?? '']),
    );
    const inner = element instanceof HTMLTemplateElement ? element.content : element;
    const nodes = [...get(globalThis.Node, 'childNodes', inner)].flatMap((child): Node[] =>
      child instanceof Element ? [read(child)] : child instanceof Text ? [child.data] : [],
    );
    return [name, attributes, ...nodes];
  };
  return documents.map((markup) => {
    const isXml = /^\s*<(?:\?xml|!DOCTYPE [^>]*\[)/i.test(markup);
    const parsed = new DOMParser().parseFromString(markup, isXml ? 'application/xml' : 'text/html');
    sheets = [];
    return { tree: read(parsed.documentElement), sheets };
  });
}

/** Parts of a safe tree that the policy does not allow. */
function violations(node: Node): string[] {
  if (typeof node === 'string') return [];
  const [name, attributes, ...children] = node;
  const found: string[] = [];
  if (/^(?:\w+:)?(?:script|embed|applet|base|noscript|portal|handler|listener|discard)$/i.test(name)) found.push(name);
  if (
    /^(?:svg:)?(?:style|v-script|iframe)$/.test(name) &&
    children.some((child) => typeof child === 'string' && child !== '')
  )
    found.push(`text of ${name}`);
  for (const [key, value] of Object.entries(attributes)) {
    const local = key.slice(key.lastIndexOf(':') + 1).toLowerCase();
    const what = `${name}[${key}=${value.slice(0, 100)}]`;
    if (
      /^on|^(?:srcdoc|srcset|http-equiv|ping|formaction|nonce|background-image|codebase|classid|manifest|allow)$/.test(
        local,
      )
    )
      found.push(what);
    if (
      /^(?:href|src|action|poster|background|data)$/.test(local) &&
      !/^(?:\/c\/i\/|\/https?:|#|about:|data:image\/|$)/.test(value)
    )
      found.push(what);
    // Links show their targets, and a picture within its own address can load nothing.
    const isFine = (local === 'href' && value.startsWith('/http')) || value.startsWith('data:image/');
    if (value.includes(CANARY) && !isFine && /^(?:href|src|action|v-was-(?!sizes$).*)$/.test(local)) found.push(what);
    if (local === 'style' || name.startsWith('svg:'))
      found.push(...cssViolations(value).map((text) => `${what}: ${text}`));
  }
  return [...found, ...children.flatMap(violations)];
}

/** Addresses in safe CSS that the policy does not allow, except for the substitute for a malformed one. */
function cssViolations(css: string): string[] {
  const tokens = tokensOf(css);
  const found: string[] = [];
  let called = '';
  for (let at = 0; at < tokens.count; at++) {
    const type = tokens.types[at];
    const raw = rawOf(tokens, at);
    if (type === TOKEN.badUrl && raw !== 'url(x"x)') found.push(raw);
    if (type === TOKEN.url && !SAFE_ADDRESS.test(urlOf(raw))) found.push(raw);
    const isArgument = /^(?:url|src|image|image-set|-webkit-image-set)\($/i.test(called);
    if (type === TOKEN.string && isArgument && !SAFE_ADDRESS.test(stringOf(raw))) found.push(raw);
    if (type !== TOKEN.space && type !== TOKEN.comment) called = type === TOKEN.function ? raw : '';
  }
  return found;
}

describe('attacks of the collections, sanitized', () => {
  const safeSheet = (text: string): string => joined(sanitizeSheet(text, testContext()), () => '');

  it('contain nothing that the policy does not allow, and do not change when they are sanitized again', async () => {
    const found: Record<string, unknown> = {};
    let nodes = 0;
    const documents = await page.evaluate(
      parse,
      ATTACKS.map(({ payload }) => aimedAt(CANARY, payload)),
    );
    for (const [index, { tree, sheets }] of documents.entries()) {
      const { name = '', payload = '' } = ATTACKS[index] ?? {};
      const writer = new Page().doc();
      const first = writer.insert(tree);
      sheets.forEach((text) => writer.ops.push([OP.sheet, first, SHEET_SOURCE.inline, writer.str(text), -1, 0]));
      const once: SafeBatch = fresh().sanitize(writer.batch());
      const [safe = ''] = built(once);
      nodes += JSON.stringify(safe).split('[').length;
      const wrong = [...violations(safe), ...sheets.flatMap((text) => cssViolations(safeSheet(text)))];
      // The base is not sent, so the second run gets it as an option.
      const ops = once.ops.map((op) => (op[0] === OP.doc ? [...op.slice(0, 4), op[3] ?? -1] : op));
      const { sheets: _, uses: __, ...rest } = once;
      const twice = fresh().sanitize({ ...rest, ops, strings: ofSite(once.strings) });
      const [before, after] = [once, twice].map((each) => JSON.stringify(built(each).map(uncopied)));
      if (before !== after) wrong.push('changes when sanitized again');
      for (const text of sheets)
        if (safeSheet(safeSheet(text)) !== safeSheet(text))
          wrong.push(`a sheet changes when sanitized again: ${safeSheet(text)}`);
      if (wrong.length > 0) found[`${name}: ${payload.slice(0, 200)}`] = wrong;
    }
    expect(found).toEqual({});
    expect(nodes).toBeGreaterThan(ATTACKS.length * 4);
  });
});
