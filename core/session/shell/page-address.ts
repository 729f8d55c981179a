import { FORCE_ISOLATE, OPENED_BY, pageOfPath } from '../../protocol/shell-address.ts';

/** The page of a shell, and the part of the shell's address before the page's address. */
export interface PageAddress {
  /** Absolute address, without the service's own parameters; `about:blank` for a page without one. */
  readonly url: string;
  /** `/` or `/mpa/{id}/`. */
  readonly prefix: string;
  readonly mpaId?: string;
  /** Whether the person wants the page isolated even where policy would open it directly. */
  readonly forceIsolate?: boolean;
  /** The token of a tab that another one has opened, unchecked. */
  readonly pid?: string;
}

/** Reads the address of the isolated page from the shell's own (S-006, S-096). Query and hash are part of it. Undefined when it names no page. */
export function pageAddress({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): PageAddress | undefined {
  const page = pageOfPath(pathname + search + hash);
  if (!page) return undefined;
  const { url, prefix, mpaId, own } = page;
  const pid = own.get(OPENED_BY);
  return {
    url: url.startsWith('about:') ? 'about:blank' : url,
    prefix,
    ...(mpaId !== undefined && { mpaId }),
    ...(own.get(FORCE_ISOLATE) === '1' && { forceIsolate: true }),
    ...(pid !== undefined && { pid }),
  };
}
