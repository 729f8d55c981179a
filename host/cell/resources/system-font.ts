import { AppError } from '../../../core/protocol/errors.ts';
import { SYSTEM_KEY } from '../../fonts/system-fonts.ts';
import type { MachineFonts } from '../../fonts/system-fonts.ts';
import type { ResourceAnswer } from '../../link.ts';
import { headersOf } from './resource-store.ts';

/**
 * A piece of one of this machine's fonts by its token, which is no tab's and the same for everybody; undefined: the token is a tab's.
 * Rejects with AppError `resource-not-found`, and what MachineFonts.open throws.
 */
export function systemFont(fonts: MachineFonts, kind: string, token: string): Promise<ResourceAnswer> | undefined {
  if (!token.startsWith(`${SYSTEM_KEY}.`)) return undefined;
  if (kind !== 'f') return Promise.reject(new AppError('resource-not-found', 'There is no such resource.'));
  return fonts.open(token.slice(SYSTEM_KEY.length + 1)).then((body) => {
    // What a path stands for never changes.
    const headers = { ...headersOf('font/woff2', body, 0), 'cache-control': 'private, max-age=31536000, immutable' };
    return { status: 200, headers, body };
  });
}
