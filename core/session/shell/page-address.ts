/** The page of a shell, and the part of the shell's address before the page's address. */
export interface PageAddress {
  /** Absolute address; `about:blank` for a page without one. */
  readonly url: string;
  /** `/` or `/mpa/{id}/`. */
  readonly prefix: string;
  readonly mpaId?: string;
  /** Whether the person wants the page isolated even where policy would open it directly. */
  readonly forceIsolate?: boolean;
  /** The token of a tab that another one has opened. */
  readonly pid?: string;
}

/** Matches the service's own parameter: FORCE_ISOLATE, for {@link PageAddress.forceIsolate}, or OPENED_BY, for {@link PageAddress.pid}. */
const OWN = /([?&])_sv_(?:force_isolate=1|p_id=([\w-]{44}))(&|$)/;

/**
 * Reads the address of the isolated page from the shell's own (S-006). Query and hash are part of it, and a `//` that a proxy has collapsed
 * is accepted. Undefined when it is not a web address.
 */
export function pageAddress(location: Pick<Location, 'pathname' | 'search' | 'hash'>): PageAddress | undefined {
  const match = /^(\/(?:mpa\/([\w-]{1,100})\/)?)(?:(https?):\/{1,2}([^/].*)|__blank)$/is.exec(location.pathname);
  if (!match) return undefined;
  const [, prefix = '/', mpaId, scheme, rest = ''] = match;
  const pid = OWN.exec(location.search)?.[2];
  const search = location.search.replace(OWN, (_, before: string, _pid: string, after: string) => after && before);
  const url = URL.parse(scheme ? `${scheme}://${rest}${search}${location.hash}` : 'about:blank');
  if (!url) return undefined;
  return {
    url: url.href,
    prefix,
    ...(mpaId && { mpaId }),
    ...(pid ? { pid } : search !== location.search && { forceIsolate: true }),
  };
}
