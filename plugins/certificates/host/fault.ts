import type { CertificateFault } from '../protocol.ts';

const FAULTS: Readonly<Record<string, CertificateFault>> = {
  ERR_CERT_COMMON_NAME_INVALID: 'name',
  ERR_CERT_AUTHORITY_INVALID: 'authority',
  ERR_CERT_REVOKED: 'revoked',
  ERR_CERT_WEAK_SIGNATURE_ALGORITHM: 'weak',
  ERR_CERT_WEAK_KEY: 'weak',
};

/** Name of Chromium's error where a document failed because of its certificate; undefined for other failures. */
export function certificateError(errorText: string): string | undefined {
  return /^net::(ERR_CERT_[A-Z_]{1,80})$/.exec(errorText)?.[1];
}

/** The fault, by Chromium's error. @param from the time from which the certificate is valid, in seconds @param now in ms */
export function faultOf(code: string, from: number | undefined, now = Date.now()): CertificateFault {
  if (code === 'ERR_CERT_DATE_INVALID') return from !== undefined && from * 1000 > now ? 'not-yet' : 'expired';
  return Object.hasOwn(FAULTS, code) ? (FAULTS[code] ?? 'other') : 'other';
}
