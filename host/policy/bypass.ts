import { createHmac, timingSafeEqual } from 'node:crypto';
import { BYPASS_MS } from '../../core/protocol/bypass.ts';

/** Issues and checks tokens for people who have asked to leave isolation for a site. */
export interface BypassTokens {
  issue(subject: string, domain: string): string;
  /** Whether a token, or a cookie that starts with one, was issued to this person for this site and has not expired. */
  isValid(token: string, subject: string, domain: string): boolean;
}

/** Creates tokens signed with a secret of this host. @param now the time in ms */
export function bypassTokens(secret: Uint8Array, now: () => number = Date.now): BypassTokens {
  const sign = (...parts: readonly string[]): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['bypass', ...parts]))
      .digest('base64url');
  return {
    issue(subject, domain) {
      const until = String(now() + BYPASS_MS);
      return `${until}.${sign(subject, domain, until)}`;
    },
    isValid(token, subject, domain) {
      const [, until = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})(?![\w-])/.exec(token) ?? [];
      const expected = Buffer.from(sign(subject, domain, until));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) && Number(until) > now();
    },
  };
}
