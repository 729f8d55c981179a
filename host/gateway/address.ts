import { BLANK_PAGE } from '../../core/protocol/shell-address.ts';

/** Paths of isolated pages: `/https://site/path`, or `/mpa/{id}/https://site/path`. */
const PAGE_PATH = /^\/(?:mpa\/([\w-]{1,100})\/)?(https?):\/{1,2}([^/?#].*)$/is;
/** Path of a window that has no address yet. */
const BLANK_PATH = new RegExp(`^/(?:mpa/([\\w-]{1,100})/)?${BLANK_PAGE}(?:\\?.*)?$`, 's');

/** A page named by a request path. */
export interface PageAddress {
  /** Absolute address of the page; `about:blank` for a window that has none yet. */
  readonly url: string;
  readonly mpaId: string | undefined;
}

/**
 * Parses a request target (raw path and query) as the address of an isolated page; a `//` that a proxy has collapsed is
 * accepted. Undefined when it is none: malformed hosts included.
 */
export function pageAddress(target: string): PageAddress | undefined {
  const blank = BLANK_PATH.exec(target);
  if (blank) return { url: 'about:blank', mpaId: blank[1] };
  const match = PAGE_PATH.exec(target);
  if (!match) return undefined;
  const [, mpaId, scheme = '', rest = ''] = match;
  const url = URL.parse(`${scheme}://${rest}`);
  return url ? { url: url.href, mpaId } : undefined;
}

/** Whether a target is meant as a page, well-formed or not. */
export function looksLikePage(target: string): boolean {
  return /^\/(?:mpa\/[^/]+\/)?https?:\//i.test(target) || BLANK_PATH.test(target);
}

/**
 * Parses text typed into the address bar: a missing scheme is added (https, or http for the local names where
 * certificates are rare). Undefined when it cannot be a web address.
 */
export function typedAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (!text || /\s/.test(text)) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text)?.[1]?.toLowerCase();
  if (scheme && scheme !== 'http' && scheme !== 'https') return undefined;
  const url = URL.parse(scheme ? text : `${isLocalName(text) ? 'http' : 'https'}://${text.replace(/^\/+/, '')}`);
  return url && url.hostname ? url.href : undefined;
}

function isLocalName(text: string): boolean {
  return /^(localhost|[\d.]+|\[[\da-f:.]+\])(:\d+)?([/?#]|$)/i.test(text);
}
