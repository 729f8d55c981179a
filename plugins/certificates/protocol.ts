import * as v from 'valibot';
import { serial, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Maximum length of a name in a certificate, in UTF-16 units. The host cuts the rest. */
export const MAX_NAME = 200;

/** Faults of a certificate. */
const CERTIFICATE_FAULTS = ['expired', 'not-yet', 'name', 'authority', 'revoked', 'weak', 'other'] as const;
export type CertificateFault = (typeof CERTIFICATE_FAULTS)[number];

const id = serial;
const name = text(MAX_NAME);
/** Seconds since 1970. */
const time = v.pipe(v.number(), v.finite());

/** The page could not be opened because of its site's certificate (S-128, S-141). */
export const certificateInvalid = message('certificates.invalid', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    id,
    /** Host and port of the site, in ASCII. */
    site: text(300),
    fault: v.picklist(CERTIFICATE_FAULTS),
    /** Chromium's name of the error. */
    code: text(100),
    /** Absent when the surrogate does not say. */
    certificate: v.nullable(
      v.object({
        subject: name,
        issuer: name,
        from: time,
        to: time,
        /** SHA-256, in hexadecimal. */ fingerprint: text(64),
      }),
    ),
    /** Whether the person may proceed; otherwise who forbids it. */
    proceed: v.picklist(['allowed', 'policy', 'site']),
  }),
});
export type InvalidCertificate = v.InferOutput<typeof certificateInvalid.params>;

/** The page is another one now. */
export const certificateClose = message('certificates.close', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id }),
});

/** The person's decision (S-127). */
export const acceptCert = message('accept-cert', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({ id, accepted: v.boolean() }),
});
