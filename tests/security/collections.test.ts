import type { Browser, Page as BrowserPage } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OP, SHEET_SOURCE } from '../../plugins/mirror/ops.ts';
import { joined, sanitizeSheet } from '../../plugins/mirror/host/sanitize/css.ts';
import type { SafeBatch } from '../../plugins/mirror/host/sanitize/frame-sanitizer.ts';
import { testContext } from '../../plugins/mirror/host/sanitize/tests/context.ts';
import { built, fresh, Page } from '../../plugins/mirror/host/sanitize/tests/page-writer.ts';
import type { Node } from '../../plugins/mirror/host/sanitize/tests/page-writer.ts';
import { launchChromium } from '../fidelity/browser.ts';
import { aimedAt, ATTACKS } from './attacks.ts';

const CANARY = 'canary.test';

let browser: Browser;
let page: BrowserPage;
beforeAll(async () => {
  browser = await launchChromium();
  page = await browser.newPage();
});
afterAll(() => browser.close());

/** What a browser's parser makes of markup, and the texts of its style elements; nothing runs or loads. Runs in the browser. */
function parse(markup: string): { readonly tree: Node; readonly sheets: readonly string[] } {
  const NAMESPACES: Readonly<Record<string, string>> = {
    'http://www.w3.org/1999/xhtml': '',
    'http://www.w3.org/2000/svg': 'svg:',
    'http://www.w3.org/1998/Math/MathML': 'math:',
  };
  const sheets: string[] = [];
  // Pages hide members by names: interfaces are asked, never nodes.
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
  const isXml = /^\s*<(?:\?xml|!DOCTYPE [^>]*\[)/i.test(markup);
  const parsed = new DOMParser().parseFromString(markup, isXml ? 'application/xml' : 'text/html');
  return { tree: read(parsed.documentElement), sheets };
}

/** What of a safe tree the policy does not allow. */
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
    const isLink = local === 'href' && value.startsWith('/http');
    const isOwn = /^(?:title|alt|value|content|label|placeholder)$|^data-/.test(local);
    if (value.includes(CANARY) && !isLink && !isOwn && /^(?:style|href|src|action|v-was-.*)$/.test(local))
      found.push(what);
    if (local === 'style' || name.startsWith('svg:'))
      found.push(...cssViolations(value).map((text) => `${what}: ${text}`));
  }
  return [...found, ...children.flatMap(violations)];
}

/** Addresses that are left in safe CSS, but for functions that mean nothing and the stand-in for an address that is none. */
function cssViolations(css: string): string[] {
  const bare = css.replace(/\/\*[^]*?(?:\*\/|$)/g, '').replace(/v-blocked\([^()]*\)/g, '');
  const found = bare.matchAll(
    /\b(?:url|src|image|image-set)\(\s*["']?(?!\/c\/[ifms]\/|#|data:image\/|about:invalid|["')]|url\(|var\(|x"x\))[^)]{0,80}/gi,
  );
  return [...found].map(([text]) => text);
}

describe('attacks of the collections, sanitized', () => {
  const safeSheet = (text: string): string => joined(sanitizeSheet(text, testContext()), () => '');

  it('hold nothing that the policy does not allow, and change no more when they are sanitized again', async () => {
    const found: Record<string, unknown> = {};
    let nodes = 0;
    for (const { name, payload } of ATTACKS) {
      const { tree, sheets } = await page.evaluate(parse, aimedAt(CANARY, payload));
      const writer = new Page().doc();
      const first = writer.insert(tree);
      sheets.forEach((text) => writer.ops.push([OP.sheet, first, SHEET_SOURCE.inline, writer.str(text), -1, 0]));
      const once: SafeBatch = fresh().sanitize(writer.batch());
      const [safe = ''] = built(once);
      nodes += JSON.stringify(safe).split('[').length;
      const wrong = [...violations(safe), ...sheets.flatMap((text) => cssViolations(safeSheet(text)))];
      // The base is not sent, so the second run is told where it was.
      const ops = once.ops.map((op) => (op[0] === OP.doc ? [...op.slice(0, 4), op[3] ?? -1] : op));
      const { sheets: _, uses: __, ...rest } = once;
      const twice = fresh().sanitize({ ...rest, ops });
      if (JSON.stringify(built(twice)) !== JSON.stringify(built(once))) wrong.push('changes when sanitized again');
      for (const text of sheets)
        if (safeSheet(safeSheet(text)) !== safeSheet(text))
          wrong.push(`a sheet changes when sanitized again: ${safeSheet(text)}`);
      if (wrong.length > 0) found[`${name}: ${payload.slice(0, 200)}`] = wrong;
    }
    expect(found).toEqual({});
    expect(nodes).toBeGreaterThan(ATTACKS.length * 4);
  });
});
