import { AppError } from '../../core/protocol/errors.ts';
import { SYSTEM_KEY } from './system-fonts.ts';
import type { MachineFonts } from './system-fonts.ts';
import type { Resource } from '../resources/resource.ts';
import { etagOf, resourceHeaders } from '../resources/resource-headers.ts';

/**
 * A piece of one of this machine's fonts by its token, which is no tab's and the same for everybody; undefined: the token is a tab's.
 * Rejects with AppError `resource-not-found`, and what MachineFonts.open throws.
 */
export function systemFont(fonts: MachineFonts, kind: string, token: string): Promise<Resource> | undefined {
  if (!token.startsWith(`${SYSTEM_KEY}.`)) return undefined;
  if (kind !== 'f') return Promise.reject(new AppError('resource-not-found', 'There is no such resource.'));
  return fonts.open(token.slice(SYSTEM_KEY.length + 1)).then((body) => {
    // The content of a path never changes.
    const cacheControl = 'private, max-age=31536000, immutable';
    return {
      headers: resourceHeaders({ type: 'font/woff2', etag: etagOf(body), cacheControl }),
      size: body.length,
      body,
    };
  });
}
