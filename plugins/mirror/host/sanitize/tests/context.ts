import { createHash } from 'node:crypto';
import type { AddressContext, ResourceKind } from '../addresses.ts';

/** Tokens as the resource store makes them, and what they stand for. */
export function testContext(base = 'https://site.test/dir/page.html'): AddressContext & { seen: Map<string, string> } {
  const seen = new Map<string, string>();
  return {
    base,
    page: base,
    still: false,
    seen,
    resource: (kind: ResourceKind, address: string) => {
      const token = `/c/${kind}/tab1.${createHash('sha256').update(`${kind} ${address}`).digest('base64url')}`;
      seen.set(token, address);
      return token;
    },
  };
}

/** How many times as often as usual properties are tried. */
export const TIMES = process.env.VITRINE_LONG ? 10 : 1;
