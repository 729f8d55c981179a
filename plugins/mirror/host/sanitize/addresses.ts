/** Rewrites addresses of untrusted text: to a resource token, a fragment of the same document, an isolated page, or nothing. */

import { applicationLink } from '../../../../core/protocol/application-link.ts';
import type { FontNames } from './css-fonts.ts';

/** Context in which addresses are resolved and turned into tokens. */
export interface AddressContext {
  /** Base address of the document or style sheet that the text belongs to. Hostile text. */
  readonly base: string;
  /** Result of {@link pageAddress} for the document: makes `https://site/page#id` a reference into the same document. */
  readonly page: string;
  /** Whether the document runs no scripts in the surrogate either. */
  readonly still: boolean;
  /** Returns the path of an opaque token for an absolute address. */
  readonly resource: (kind: ResourceKind, address: string) => string;
  /** Whether an inline picture may stay; without it, all may. */
  readonly keepsInline?: KeepsInline | undefined;
  /** Links that may open the person's own applications: see {@link applicationLink}. Without it, none may. */
  readonly applications?: readonly string[] | undefined;
  /** Collects the families that the document names; absent where the person's own fonts are used. */
  readonly fonts?: FontNames | undefined;
  /** Collects the attributes whose original values the document's sheets compare or show. */
  readonly asked?: Set<string> | undefined;
}

export type KeepsInline = (address: string) => boolean;

/** Kinds of resource: image, font, media, style. */
export type ResourceKind = 'i' | 'f' | 'm' | 's';

/** Replaces an address that is not allowed: fetches nothing, and shows as a failed image. */
export const NO_RESOURCE = 'about:invalid';
/** Replaces a link that is not allowed. */
const BLOCKED_LINK = 'about:blank#blocked';
/** Longest accepted address, in UTF-16 units; data addresses have {@link MAX_INLINE_UNITS}. */
const MAX_ADDRESS_UNITS = 64 * 1024;
/** Longest data address that stays inline, in UTF-16 units. */
const MAX_INLINE_UNITS = 1024 * 1024;

/** Longest base address, in UTF-16 units: each relative address is resolved against all of it. */
const MAX_BASE_UNITS = 8192;
/** Base and page for documents without a usable address. */
const NO_ADDRESS = 'about:blank';

const TOKEN = /^\/c\/[ifms]\/[\w-]{1,64}\.[\w-]{43}(#[^\s"'<>\\()]*)?$/;
const INLINE_IMAGE =
  /^data:image\/(?:png|apng|jpeg|jpg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)(?:;[\w.=+-]+)*,[^\n\r\t\0]*$/i;
const FETCHABLE = new Set(['http:', 'https:', 'blob:', 'data:']);

/** Whether a text already is the path of a token: it passes unchanged. */
function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether an address is a picture that cannot run script or load anything. */
export function isInlineImage(address: string): boolean {
  return address.length <= MAX_INLINE_UNITS && INLINE_IMAGE.test(address);
}

/** Returns the absolute form of an address, or undefined when it is invalid or has a scheme that cannot be fetched. */
export function resolve(raw: string, base: string): URL | undefined {
  // Parsing can take quadratic time.
  if (raw.length > (/^\s*data:/i.test(raw) ? MAX_INLINE_UNITS * 8 : MAX_ADDRESS_UNITS)) return undefined;
  const url = URL.parse(raw) ?? URL.parse(raw, base);
  if (!url || !FETCHABLE.has(url.protocol)) return undefined;
  return url.protocol === 'data:' || url.href.length <= MAX_ADDRESS_UNITS ? url : undefined;
}

/** Returns the base for resolving addresses. A long one loses its query, which few relative addresses use; a longer one is dropped. */
export function baseAddress(address: string): string {
  if (address.length <= MAX_BASE_UNITS) return address;
  const url = address.length <= MAX_ADDRESS_UNITS ? URL.parse(address) : null;
  if (!url) return NO_ADDRESS;
  url.search = '';
  url.hash = '';
  return url.href.length <= MAX_BASE_UNITS ? url.href : NO_ADDRESS;
}

/** Returns the key of references into the same document: its address without a fragment. */
export function pageAddress(address: string): string {
  const url = resolve(address, NO_ADDRESS);
  if (!url || url.protocol === 'data:') return NO_ADDRESS;
  url.hash = '';
  return url.href;
}

/** Returns the replacement of the address of a picture, font or medium: a token, an inline picture, or {@link NO_RESOURCE}. */
export function resourceAddress(kind: ResourceKind, raw: string, context: AddressContext): string {
  const text = raw.trim();
  if (isToken(text)) return text;
  if (kind === 'i' && isInlineImage(text) && (context.keepsInline?.(text) ?? true)) return plainAddress(text);
  const url = resolve(text, context.base);
  if (text === '' || !url) return NO_RESOURCE;
  // Fragments select a part of an SVG file in the person's browser; the file is the same for all of them.
  const fragment = safeFragment(url.hash);
  url.hash = '';
  return context.resource(kind, url.href) + fragment;
}

/** Returns `#id` for an address within the same document, or undefined. */
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

/** Returns the file and the fragment of a reference into another document, or undefined. */
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
 * Returns the replacement of a link's address: `/https://site/path`, which opens the page isolated wherever it is used, itself if it opens an
 * application that the policy allows, or {@link BLOCKED_LINK} (S-081, R-070).
 */
export function linkAddress(raw: string, context: AddressContext): string {
  const text = raw.trim();
  if (text.length > MAX_ADDRESS_UNITS) return BLOCKED_LINK;
  const url = URL.parse(text, context.base);
  if (!url) return BLOCKED_LINK;
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return applicationLink(url.href, context.applications ?? []) ?? BLOCKED_LINK;
  if (url.href.length > MAX_ADDRESS_UNITS) return BLOCKED_LINK;
  return `/${url.href}`;
}

/** Escapes the characters of an inline address that could end it in its context: quotes, parentheses, markup, white space. */
function plainAddress(address: string): string {
  return address.replace(/[\s"'()<>\\]/g, (char) =>
    char < '\x80' ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : encodeURIComponent(char),
  );
}

function safeFragment(hash: string): string {
  return /^#[^\s"'<>\\()]+$/.test(hash) ? hash : '';
}
