import { FORCE_ISOLATE } from '../../protocol/shell-address.ts';

/** The page of a shell, and the part of the shell's address before the page's address. */
export interface PageAddress {
  /** Absolute address. */
  readonly url: string;
  /** `/` or `/mpa/{id}/`. */
  readonly prefix: string;
  readonly mpaId?: string;
  /** Whether the person wants the page isolated even where policy would open it directly. */
  readonly forceIsolate?: boolean;
}

/** Matches the parameter for {@link PageAddress.forceIsolate} in the shell's address. */
const FORCED = new RegExp(`([?&])${FORCE_ISOLATE}=1(&|$)`);

/**
 * Reads the address of the isolated page from the shell's own (S-006). Query and hash are part of it, and a `//` that a proxy has collapsed
 * is accepted. Undefined when it is not a web address.
 */
export function pageAddress(location: Pick<Location, 'pathname' | 'search' | 'hash'>): PageAddress | undefined {
  const match = /^(\/(?:mpa\/([\w-]{1,100})\/)?)(https?):\/{1,2}([^/].*)$/is.exec(location.pathname);
  if (!match) return undefined;
  const [, prefix = '/', mpaId, scheme = '', rest = ''] = match;
  const search = location.search.replace(FORCED, (_, before: string, after: string) => (after ? before : ''));
  const url = URL.parse(`${scheme}://${rest}${search}${location.hash}`);
  if (!url) return undefined;
  return {
    url: url.href,
    prefix,
    ...(mpaId !== undefined && { mpaId }),
    ...(search !== location.search && { forceIsolate: true }),
  };
}
