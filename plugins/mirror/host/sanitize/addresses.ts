/** Where an address in untrusted text may lead: to a resource token, into the same document, to an isolated page, or nowhere. */

import type { FontNames } from './css-fonts.ts';

/** What addresses are resolved against, and how they become tokens. */
export interface AddressContext {
  /** Base address of what the text belongs to: the document, or the style sheet. Hostile text. */
  readonly base: string;
  /** Address of the document itself without its fragment, as {@link pageAddress} has it: what makes `https://site/page#id` a reference into the same document. */
  readonly page: string;
  /** The document runs no scripts in the surrogate either. */
  readonly still: boolean;
  /** Answers with the path of an opaque token for an absolute address. */
  readonly resource: (kind: ResourceKind, address: string) => string;
  /** Whether an inline picture may stay where it is; any may without it. */
  readonly keepsInline?: KeepsInline | undefined;
  /** Present where fonts of the person's own give way to the surrogate's: takes up the families that the document names. */
  readonly fonts?: FontNames | undefined;
  /** Takes up the attributes whose original values the document's sheets compare or show. */
  readonly asked?: Set<string> | undefined;
}

export type KeepsInline = (address: string) => boolean;

/** Kinds of resource: image, font, media, style. */
export type ResourceKind = 'i' | 'f' | 'm' | 's';

/** What an address that may not be used is replaced with: fetches nothing, and shows as a failed image. */
export const NO_RESOURCE = 'about:invalid';
/** What a link that may not be followed is replaced with. */
const BLOCKED_LINK = 'about:blank#blocked';
/** Longest address that is taken seriously, in UTF-16 units; data addresses have {@link MAX_INLINE_UNITS}. */
const MAX_ADDRESS_UNITS = 64 * 1024;
/** Longest data address that stays inline, in UTF-16 units. */
const MAX_INLINE_UNITS = 1024 * 1024;

/** Longest base address, in UTF-16 units: each relative address is resolved against all of it. */
const MAX_BASE_UNITS = 8192;
/** Base and page of what has no address that means anything. */
const NO_ADDRESS = 'about:blank';

const TOKEN = /^\/c\/[ifms]\/[\w-]{1,64}\.[\w-]{43}(#[^\s"'<>\\()]*)?$/;
const ISOLATED = /^\/https?:\/\//;
const INLINE_IMAGE =
  /^data:image\/(?:png|apng|jpeg|jpg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)(?:;[\w.=+-]+)*,[^\n\r\t\0]*$/i;
const FETCHABLE = new Set(['http:', 'https:', 'blob:', 'data:']);

/** Whether a text is the path of a token already: such a path passes unchanged. */
function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether an address is a picture that cannot run script or load anything. */
export function isInlineImage(address: string): boolean {
  return address.length <= MAX_INLINE_UNITS && INLINE_IMAGE.test(address);
}

/** The absolute form of an address, or undefined when there is none or it is of no scheme that can be fetched. */
export function resolve(raw: string, base: string): URL | undefined {
  // Parsing can take time that grows with the square of the length.
  if (raw.length > (/^\s*data:/i.test(raw) ? MAX_INLINE_UNITS * 8 : MAX_ADDRESS_UNITS)) return undefined;
  const url = URL.parse(raw) ?? URL.parse(raw, base);
  if (!url || !FETCHABLE.has(url.protocol)) return undefined;
  return url.protocol === 'data:' || url.href.length <= MAX_ADDRESS_UNITS ? url : undefined;
}

/** What addresses are resolved against: of a long one without its query, which few relative addresses take over; of one that is longer still, nothing. */
export function baseAddress(address: string): string {
  if (address.length <= MAX_BASE_UNITS) return address;
  const url = address.length <= MAX_ADDRESS_UNITS ? URL.parse(address) : null;
  if (!url) return NO_ADDRESS;
  url.search = '';
  url.hash = '';
  return url.href.length <= MAX_BASE_UNITS ? url.href : NO_ADDRESS;
}

/** What references into the same document are known by: its address without a fragment. */
export function pageAddress(address: string): string {
  const url = resolve(address, NO_ADDRESS);
  if (!url || url.protocol === 'data:') return NO_ADDRESS;
  url.hash = '';
  return url.href;
}

/** What a picture's, font's or medium's address becomes: a token, an inline picture, or {@link NO_RESOURCE}. */
export function resourceAddress(kind: ResourceKind, raw: string, context: AddressContext): string {
  const text = raw.trim();
  if (isToken(text)) return text;
  if (kind === 'i' && isInlineImage(text) && (context.keepsInline?.(text) ?? true)) return plainAddress(text);
  const url = resolve(text, context.base);
  if (text === '' || !url) return NO_RESOURCE;
  // Fragments choose a part of an SVG file in the person's browser; the file is the same for all of them.
  const fragment = safeFragment(url.hash);
  url.hash = '';
  return context.resource(kind, url.href) + fragment;
}

/** `#id` for an address within the same document, or undefined. */
export function localFragment(raw: string, context: AddressContext): string | undefined {
  const text = raw.trim();
  if (text.startsWith('#')) return text;
  const hash = text.indexOf('#');
  if (hash < 0) return undefined;
  const url = resolve(text, context.base);
  if (!url || url.hash === '') return undefined;
  url.hash = '';
  return url.href === context.page ? text.slice(hash) : undefined;
}

/** The file and the fragment that a reference into another document names, or undefined when it names none. */
export function externalReference(
  raw: string,
  context: AddressContext,
): { readonly address: string; readonly fragment: string } | undefined {
  if (localFragment(raw, context) !== undefined) return undefined;
  const url = resolve(raw.trim(), context.base);
  const fragment = url ? safeFragment(url.hash) : '';
  if (!url || fragment === '' || url.protocol === 'data:') return undefined;
  url.hash = '';
  return { address: url.href, fragment };
}

/**
 * What a link's address becomes: `/https://site/path`, which opens the page isolated wherever it is opened, or
 * {@link BLOCKED_LINK} (S-081, R-070).
 */
export function linkAddress(raw: string, context: AddressContext): string {
  const text = raw.trim();
  if (text.length > MAX_ADDRESS_UNITS) return BLOCKED_LINK;
  const url = ISOLATED.test(text) ? URL.parse(text.slice(1)) : URL.parse(text, context.base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return BLOCKED_LINK;
  if (url.href.length > MAX_ADDRESS_UNITS) return BLOCKED_LINK;
  return `/${url.href}`;
}

/** An inline address without what could end it where it is put: quotes, parentheses, markup, white space. */
function plainAddress(address: string): string {
  return address.replace(/[\s"'()<>\\]/g, (char) =>
    char < '\x80' ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : encodeURIComponent(char),
  );
}

function safeFragment(hash: string): string {
  return /^#[^\s"'<>\\()]+$/.test(hash) ? hash : '';
}
