import * as v from 'valibot';
import { hostName } from '../base/host-name.ts';

/** The parts that a pattern is compared with. */
interface Place {
  readonly scheme: string;
  /** Undefined for a host that nothing reaches. */
  readonly host: string | undefined;
  readonly port: string;
  readonly path: string;
}

const HOST = String.raw`(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.?|\[[0-9a-f:.]+\]|\*`;
const PORT = String.raw`(?::(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5]))?`;
const HOST_PATTERN = new RegExp(`^(${HOST})${PORT}$`);
const SITE_PATTERN = new RegExp(String.raw`^(?:(https?)://)?(${HOST})${PORT}(/[^?#\s]*)?$`);
const WRITE_HOST = 'write host, *.host, host:port or *, in lower case and without a scheme';
const WRITE_SITE = 'write host, *.host, host:port, scheme://host/path/* or *, in lower case up to the path';

/**
 * Schema of a host that traffic may or may not reach: `example.org`, `*.example.org` (it and all below it),
 * `example.org:8443`, `*`.
 */
export const hostPattern = v.pipe(v.string(), v.maxLength(300), v.regex(HOST_PATTERN, WRITE_HOST));

/**
 * Schema of the pages of a site rule: a host pattern, optionally with a scheme and a path. A path that ends with `*`
 * matches all paths with that prefix.
 */
export const sitePattern = v.pipe(v.string(), v.maxLength(2000), v.regex(SITE_PATTERN, WRITE_SITE));

/**
 * Parts of a host pattern: a host as in an address, with `*.` before it where those below are included, or `*`; and a
 * port.
 */
export function partsOf(pattern: string): { readonly host: string; readonly port: string | undefined } {
  const [, , host = '*', port] = SITE_PATTERN.exec(pattern) ?? [];
  return { host: hostName(host) ?? host, port }; // its schema lets no empty label pass
}

/** Whether an address matches. */
export type Matches = (url: URL) => boolean;

/** Compiles a pattern that has passed {@link sitePattern} or {@link hostPattern}. */
export function compilePattern(pattern: string): Matches {
  const [, scheme, , , path] = SITE_PATTERN.exec(pattern) ?? [];
  const { host, port } = partsOf(pattern);
  const fitsHost = hostMatcher(host);
  const fitsPath = pathMatcher(path ?? '/*');
  return (url) => {
    const place = placeOf(url);
    return (
      fitsHost(place.host) &&
      fitsPath(place.path) &&
      (scheme === undefined || scheme === place.scheme) &&
      (port === undefined || port === place.port)
    );
  };
}

function placeOf(url: URL): Place {
  const scheme = url.protocol === 'wss:' ? 'https' : url.protocol === 'ws:' ? 'http' : url.protocol.slice(0, -1);
  return {
    scheme,
    host: hostName(url.hostname),
    port: url.port || (scheme === 'https' ? '443' : '80'),
    path: plainPath(url.pathname),
  };
}

/** Normalises a path: letters and digits need no percent-encoding, and sites read both spellings alike. */
function plainPath(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

function hostMatcher(host: string): (given: string | undefined) => boolean {
  if (host === '*') return () => true;
  if (!host.startsWith('*.')) return (given) => given === host;
  const base = host.slice(2);
  return (given) => given === base || given?.endsWith(`.${base}`) === true;
}

function pathMatcher(path: string): (given: string) => boolean {
  if (!path.endsWith('*')) return (given) => given === plainPath(path);
  const start = plainPath(path.slice(0, -1));
  return (given) => given.startsWith(start);
}

/** The address that patterns of sites are matched with: that of a blob is the site's that has made it. Null for none. */
export function siteOf(address: string): URL | null {
  const url = URL.parse(address);
  return url?.protocol === 'blob:' ? URL.parse(url.origin) : url;
}
