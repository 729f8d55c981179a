import { NAMESPACE, NAMESPACE_URI } from '../../ops.ts';
import type { AddressContext } from './addresses.ts';
import { mayAnimate, safeValue } from './attributes.ts';
import { joined, sanitizeSheet } from './css.ts';
import { ANIMATED_NAME, elementOf, isAnimation, ruleOf, STILL_ANIMATION } from './element-classes.ts';
import type { ElementClass } from './element-classes.ts';

/** Largest SVG file that is sanitized, in UTF-16 units. */
const MAX_SVG_UNITS = 4 * 1024 * 1024;
const MAX_DEPTH = 512;
/** Most prefixes of namespaces that are known at a place: each element that declares one knows all those around it. */
const MAX_PREFIXES = 100;

const SVG = NAMESPACE_URI[NAMESPACE.svg];
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';

const SKIPPED = /<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE\b(?:[^[>]|\[[^]*?\]\s*(?=>))*>/y;
const CDATA = /<!\[CDATA\[([^]*?)\]\]>/y;
const TEXT = /[^<]+/y;
const CLOSE = /<\/([^\s<>/]+)\s*>/y;
const OPEN = /<([^\s<>/!?]+)((?:\s+[^\s<>=/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([^\s<>=/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }),
);

/** An element that is open: what it was in the file, and whether it is taken over. */
interface Open {
  readonly name: string;
  /** Addresses of the namespaces by their prefixes. */
  readonly prefixes: ReadonlyMap<string, string>;
  readonly out: { readonly name: string; readonly of: ElementClass } | undefined;
  text: string;
}

/**
 * The safe form of an SVG file whose parts another document shows: only SVG elements, each under the rules for elements of the page.
 * Undefined for what is not well-formed, or no SVG.
 */
export function sanitizeSvg(source: string, context: AddressContext): string | undefined {
  if (source.length > MAX_SVG_UNITS) return undefined;
  const stack: Open[] = [];
  let out = '';
  let roots = 0;
  let at = source.startsWith('\ufeff') ? 1 : 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const close = ({ out: made, text }: Open): void => {
    if (!made) return;
    // The text of a style element is one sheet, however it is put together.
    const shown = made.of.silent ? (made.name === 'style' ? joined(sanitizeSheet(text, context), () => '') : '') : text;
    out += `${escape(shown)}</${made.name}>`;
  };
  while (at < source.length) {
    const top = stack.at(-1);
    const cdata = read(CDATA);
    const text = cdata?.[1] ?? (cdata ? '' : decode(read(TEXT)?.[0] ?? ''));
    if (text !== '') {
      if (top) top.text += text;
      else if (text.trim() !== '') return undefined;
      continue;
    }
    if (cdata || read(SKIPPED)) continue;
    const closed = read(CLOSE);
    if (closed) {
      if (!top || top.name !== closed[1]) return undefined;
      stack.pop();
      close(top);
      continue;
    }
    const opened = read(OPEN);
    if (!opened || stack.length >= MAX_DEPTH || (!top && roots++ > 0)) return undefined;
    const [, name = '', attributes = '', empty = ''] = opened;
    if (top?.out && !top.out.of.silent) {
      out += escape(top.text);
      top.text = '';
    }
    const open = begin(name, attributes, top, context);
    if (!top && !open.out) return undefined;
    out += open.tag;
    if (empty === '') stack.push(open);
    else close(open);
  }
  return stack.length === 0 && roots === 1 ? out : undefined;
}

/** Reads a start tag; `tag` is what is written of it. */
function begin(
  name: string,
  source: string,
  parent: Open | undefined,
  context: AddressContext,
): Open & { tag: string } {
  const attributes = [...source.matchAll(ATTRIBUTE)].map(
    ([, key = '', double, single]) => [key, decode(double ?? single ?? '')] as const,
  );
  const prefixes = prefixesOf(attributes, parent?.prefixes ?? new Map([['xml', XML]]));
  const [prefix, local] = split(name);
  const isTaken = prefixes.get(prefix) === SVG && (!parent || parent.out);
  if (!isTaken) return { name, prefixes, out: undefined, text: '', tag: '' };
  const { name: safe, class: found } = elementOf(NAMESPACE.svg, local);
  const animates = attributes.some(([key, value]) => key === ANIMATED_NAME && mayAnimate(value));
  const of = isAnimation(found) && !animates ? STILL_ANIMATION : found;
  let tag = `<${safe}`;
  if (!parent) tag += ` xmlns="${SVG}" xmlns:xlink="${XLINK}"`;
  const seen = new Set<string>();
  for (const [key, value] of attributes) {
    const [space, bare] = split(key);
    const uri = space === '' ? '' : prefixes.get(space);
    const written = uri === '' ? bare : uri === XLINK ? `xlink:${bare}` : uri === XML ? `xml:${bare}` : '';
    if (written === '' || written === 'xmlns' || seen.has(written)) continue;
    seen.add(written);
    const rule = ruleOf(of, written);
    const kept = safeValue(rule, value, context);
    if (kept !== undefined) tag += ` ${written}="${escape(kept)}"`;
  }
  return { name, prefixes, out: { name: safe, of }, text: '', tag: `${tag}>` };
}

/** The prefixes that are known in an element with these attributes. */
function prefixesOf(
  attributes: readonly (readonly [key: string, value: string])[],
  around: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const declared = attributes.filter(([key]) => key === 'xmlns' || key.startsWith('xmlns:'));
  if (declared.length === 0) return around;
  const prefixes = new Map(around);
  for (const [key, value] of declared) {
    const prefix = key.slice('xmlns:'.length);
    if (prefixes.size < MAX_PREFIXES || prefixes.has(prefix)) prefixes.set(prefix, value);
  }
  return prefixes;
}

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** Entities that a file declares itself are nothing here. */
function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (_, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name) ?? '';
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '' : String.fromCodePoint(code);
    },
  );
}

function escape(text: string): string {
  return text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
