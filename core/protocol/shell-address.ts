/** Addresses of shells: the paths of the host under which pages are shown, and back. */

/** Parameter of a shell's address, never sent to the site: 1 where the person wants the page isolated regardless of the policy. */
export const FORCE_ISOLATE = '_sv_force_isolate';

/** Parameter of a shell's address, never sent to the site: the token of a tab that another one has opened (S-085, S-096). */
export const OPENED_BY = '_sv_p_id';

/** Beginning of the names of the service's own parameters, which sites never see (S-096). */
const OWN = '_sv_';

/** Path of the shell of a page without an address (M-011). */
const BLANK_PAGE = '__blank';
/** Beginning of the path of the shell of a page that a site has made itself: `__blob/https/site/id`, `__blob/null/id` (M-011). */
const BLOB_PAGE = '__blob/';

/** Beginnings of the paths of pages, which lead to nothing else of the host, whatever follows. {@link PATH} reads those that are well-formed. */
const OF_PAGES = /^\/(?:mpa\/|https?:|__(?:blob|blank)(?:[/?#]|$))/i;
const PATH =
  /^(\/(?:mpa\/([\w-]{1,100})\/)?)(?:(https?):\/{1,2}([^/?#].*)|__blob\/(?:(https?)\/([^/?#].*)|(null\/.*))|__blank([?#].*)?)$/is;

/** A page that a path of the host names. */
export interface NamedPage {
  /** Absolute address, without the service's own parameters. */
  readonly url: string;
  /** `/` or `/mpa/{id}/`. */
  readonly prefix: string;
  /** The id of a multi-page app, where the page is part of one (S-008, M-012). */
  readonly mpaId: string | undefined;
  /** Values of the service's own parameters, by name. */
  readonly own: ReadonlyMap<string, string>;
}

/**
 * Reads the page in a path of the host, with its query and its fragment: `/https://site/path`, below `/mpa/{id}` in a multi-page app (S-006). A
 * `//` that a proxy has collapsed is accepted. Undefined when it names none: malformed hosts included.
 */
export function pageOfPath(target: string): NamedPage | undefined {
  const match = PATH.exec(target);
  if (!match) return undefined;
  const [, prefix = '/', mpaId, scheme, rest = '', blobScheme, blob = '', opaque, blank = ''] = match;
  const address =
    scheme !== undefined
      ? `${scheme}://${rest}`
      : blobScheme !== undefined
        ? `blob:${blobScheme}://${blob}`
        : opaque !== undefined
          ? `blob:${opaque}`
          : `about:blank${blank}`;
  const { kept, own } = split(address);
  const url = URL.parse(kept);
  return url ? { url: url.href, prefix, mpaId, own } : undefined;
}

/** Whether a path of the host belongs to pages, and is malformed where {@link pageOfPath} names none (S-006, M-012). */
export function isOfPages(target: string): boolean {
  return OF_PAGES.test(target);
}

/**
 * The host's path for a page (M-011, M-012), without parameters that are the service's own (S-096). `prefix`: `/` or `/mpa/{id}/`.
 * {@link pageOfPath} reads it; a page with another scheme has the path of a blank one.
 */
export function pathOfPage(address: string, prefix = '/'): string {
  const { kept } = split(address);
  if (/^https?:\/\//i.test(kept)) return prefix + kept;
  const [, scheme, rest = ''] = /^blob:(?:(https?):\/\/|(?=null\/))(.*)$/is.exec(kept) ?? [undefined];
  if (rest !== '') return prefix + BLOB_PAGE + (scheme === undefined ? '' : `${scheme}/`) + rest;
  return prefix + BLANK_PAGE + (/^about:blank([?#].*)$/is.exec(kept)?.[1] ?? '');
}

/** Adds a parameter of the service to the path of a shell. */
export function withOwnParameter(path: string, name: string, value: string): string {
  const [before = '', ...hash] = path.split('#');
  const fragment = hash.length > 0 ? `#${hash.join('#')}` : '';
  return `${before}${before.includes('?') ? '&' : '?'}${name}=${value}${fragment}`;
}

/** Removes the service's own parameters from an address (S-096). */
export function withoutOwnParameters(address: string): string {
  return split(address).kept;
}

/** Separates them in the text: a URLSearchParams round trip would change the encoding of the others. */
function split(address: string): { readonly kept: string; readonly own: ReadonlyMap<string, string> } {
  const own = new Map<string, string>();
  if (!address.includes('?')) return { kept: address, own };
  const [beforeHash = '', ...hash] = address.split('#');
  const [path = '', ...query] = beforeHash.split('?');
  const all = query.join('?').split('&');
  const kept = all.filter((part) => !nameOf(part).startsWith(OWN));
  if (kept.length === all.length) return { kept: address, own };
  for (const part of all) {
    const name = nameOf(part);
    const value = part.split('=').slice(1);
    if (name.startsWith(OWN) && !own.has(name)) own.set(name, value.join('='));
  }
  const search = kept.length > 0 ? `?${kept.join('&')}` : '';
  return { kept: path + search + (hash.length > 0 ? `#${hash.join('#')}` : ''), own };
}

/** The name of a parameter, decoded as a site would. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return name.includes('%') ? decodeURIComponent(name) : name;
  } catch {
    return name; // a percent sign that encodes nothing
  }
}

/** Cookie while a paired tab is leaving its document, possibly for the shell that is being requested. */
export const LEAVING_COOKIE = 'vitrine_leaving';
/**
 * Attributes of that cookie. The document deletes it when it is unloaded, which is after the response to the request; it expires for those that
 * stay: where the person chooses so, or the response is a file. The navigation may lead to another site.
 */
export const LEAVING_TERMS = 'max-age=30; SameSite=Lax';
/** Attributes that delete it. */
export const LEFT_TERMS = 'max-age=0; SameSite=Lax';
