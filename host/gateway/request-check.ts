import { isIP } from 'node:net';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../core/protocol/errors.ts';

/** Host name of a Host header, without port and brackets. */
function hostName(host: string): string | undefined {
  const url = URL.parse(`http://${host}`);
  return url && url.host === host.toLowerCase().replace(/:80$/, '') ? url.hostname.replace(/^\[|\]$/g, '') : undefined;
}

/**
 * Whose pages may have a document in a frame, besides our own: `same-site`: those of our site at other origins, as browsers send our cookies
 * into frames of these alone.
 */
export type Framers = 'nobody' | 'same-site' | 'anybody';

/**
 * Refuses requests of other sites (CSRF, DNS rebinding). DNS rebinding works with names, so names must be configured;
 * address literals and `localhost` cannot be rebound. Origins must be our own, and requests that other sites embed or
 * fetch are refused: only a navigation may come from elsewhere.
 *
 * @param rules configured public origins; who may frame the requested document, which then names them itself
 * @throws AppError `foreign-host`, `foreign-origin`, `cross-site`.
 */
export function checkRequest(
  headers: IncomingHttpHeaders,
  method: string,
  { origins, framers = 'nobody' }: { readonly origins: readonly string[]; readonly framers?: Framers },
): void {
  const host = headers.host ?? '';
  const name = hostName(host);
  const isOurs =
    name !== undefined &&
    (name === 'localhost' || isIP(name) !== 0 || origins.some((origin) => new URL(origin).hostname === name));
  if (!isOurs) throw new AppError('foreign-host', 'This host name is not configured.');

  const origin = headers.origin;
  if (origin !== undefined) {
    const parsed = URL.parse(origin);
    if (!parsed || parsed.host !== new URL(`http://${host}`).host)
      if (parsed?.origin === undefined || !origins.includes(parsed.origin))
        throw new AppError('foreign-origin', 'Requests from other origins are refused.');
  }
  const site = headers['sec-fetch-site'];
  const dest = headers['sec-fetch-dest'];
  const mayBeFramed = framers === 'anybody' || (framers === 'same-site' && site === 'same-site');
  const isNavigation =
    headers['sec-fetch-mode'] === 'navigate' && (dest === 'document' || (mayBeFramed && dest === 'iframe'));
  if ((site === 'cross-site' || site === 'same-site') && !(isNavigation && (method === 'GET' || method === 'HEAD')))
    throw new AppError('cross-site', 'Requests from other sites are refused.');
}
