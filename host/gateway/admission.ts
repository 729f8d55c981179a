import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Path of the link that admits a browser; the token is its query. */
export const ADMISSION_PATH = '/vitrine-admission';
/** Lifetime of an admission, in seconds. */
export const ADMISSION_MAX_AGE_S = 365 * 24 * 3600;
/** Name of the cookie of an admitted browser. */
export const ADMISSION_COOKIE = 'vitrine_admission';

/** Admits browsers that know the host's token, where not everybody who reaches the host may use it. */
export interface Admission {
  /** Path and query of the link that admits a browser. The same after a restart: made from the host's secret. */
  readonly link: string;
  /** Whether a text is the token of the link. */
  isToken(given: unknown): boolean;
  /** Returns the value of a cookie that admits a browser. */
  issue(): string;
  /** Whether a cookie's value was issued here and has not expired. */
  admits(cookie: string | undefined): boolean;
}

/** Creates admissions signed with a secret of this host. @param now the time in ms */
export function admission(secret: Uint8Array, now: () => number = Date.now): Admission {
  const sign = (kind: string, text: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, text]))
      .digest('base64url');
  const token = sign('admission-token', '');
  return {
    link: `${ADMISSION_PATH}?token=${token}`,
    isToken: (given) => typeof given === 'string' && isSame(given, token),
    issue() {
      const head = `${randomBytes(12).toString('base64url')}.${now() + ADMISSION_MAX_AGE_S * 1000}`;
      return `${head}.${sign('admission', head)}`;
    },
    admits(cookie) {
      const [, head = '', until, signature = ''] = /^([\w-]{16}\.(\d{1,15}))\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
      return isSame(signature, sign('admission', head)) && Number(until) > now();
    },
  };
}

/** Compares two texts in a time that depends on neither. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
