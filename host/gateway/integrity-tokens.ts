import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lifetime of a session blob, in ms: the client uses it as soon as it runs. */
const SESSION_BLOB_MS = 10 * 60_000;
/** Lifetime of a token for another of our hosts, in ms: it is used immediately. */
const INTEGRITY_TOKEN_MS = 60_000;
/** Maximum number of used tokens that are remembered until they expire; above it none is accepted. */
const MAX_USED = 10_000;

/** A one-time token for one host, and its salt. */
interface IntegrityToken {
  readonly itok: string;
  readonly tok_s: string;
}

/** Issues and redeems tokens that identify a person of one of our origins at another. */
export interface IntegrityTokens {
  /** Returns the session blob of a pairing (`sb`). */
  blob(subject: string): string;
  /** Subject of a blob; undefined for one that is not ours or has expired. */
  ownerOf(blob: string): string | undefined;
  token(subject: string, host: string): IntegrityToken;
  /**
   * Redeems a token and returns its subject; undefined when it is not ours, for another host, expired, or already used.
   */
  redeem(token: IntegrityToken, host: string): string | undefined;
}

/** Creates tokens signed with a secret of this host. @param now the time in ms */
export function integrityTokens(secret: Uint8Array, now: () => number = Date.now): IntegrityTokens {
  const used = new Map<string, number>();
  const sign = (kind: string, ...parts: readonly string[]): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, ...parts]))
      .digest('base64url');
  const make = (kind: string, subject: string, lifetimeMs: number, ...parts: readonly string[]): string => {
    const head = `${subject}.${now() + lifetimeMs}`;
    return `${head}.${sign(kind, head, ...parts)}`;
  };
  const read = (kind: string, token: string, ...parts: readonly string[]): string | undefined => {
    const [, head = '', subject, until, signature = ''] = /^(([\w-]+)\.(\d{1,15}))\.([\w-]{43})$/.exec(token) ?? [];
    const [expected, given] = [Buffer.from(sign(kind, head, ...parts)), Buffer.from(signature)];
    const isOurs = expected.length === given.length && timingSafeEqual(expected, given);
    return isOurs && Number(until) > now() ? subject : undefined;
  };
  return {
    blob: (subject) => make('session-blob', subject, SESSION_BLOB_MS),
    ownerOf: (blob) => read('session-blob', blob),
    token(subject, host) {
      const tok_s = randomBytes(16).toString('base64url');
      return { itok: make('integrity', subject, INTEGRITY_TOKEN_MS, host, tok_s), tok_s };
    },
    redeem({ itok, tok_s }, host) {
      for (const [salt, until] of used) if (until <= now()) used.delete(salt);
      const subject = read('integrity', itok, host, tok_s);
      if (subject === undefined || used.has(tok_s) || used.size >= MAX_USED) return undefined;
      used.set(tok_s, now() + INTEGRITY_TOKEN_MS);
      return subject;
    },
  };
}
