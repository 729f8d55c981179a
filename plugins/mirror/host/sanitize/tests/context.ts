import { createHash } from 'node:crypto';
import type { AddressContext, ResourceKind } from '../addresses.ts';

/** Tokens like those of the resource store, and their addresses. */
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

/** Factor on the number of runs of property tests. */
export const TIMES = process.env.VITRINE_LONG ? 10 : 1;
