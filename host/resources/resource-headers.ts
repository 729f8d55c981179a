import { createHash } from 'node:crypto';

/** Types that may be served to a person's browser as part of a page. */
export const RESOURCE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/svg+xml',
  'font/woff2',
  'font/woff',
  'font/ttf',
  'font/otf',
  'font/collection',
] as const;

/** Entity tag of a body: its digest. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`;
}

/** Headers that make browsers treat a body as its type and nothing else, in any context. */
export function resourceHeaders(facts: {
  readonly type: string;
  readonly etag: string;
  readonly cacheControl: string;
}): Record<string, string> {
  return {
    'content-type': facts.type,
    'content-disposition': 'inline',
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    etag: facts.etag,
    'cache-control': facts.cacheControl,
  };
}
