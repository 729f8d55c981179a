import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { setOwnCookie } from './own-cookies.ts';

/** Name of the cookie that identifies a person. */
export const PERSON_COOKIE = 'vitrine_person';
/** Lifetime of the person cookie, in seconds. */
const PERSON_MAX_AGE_S = 365 * 24 * 3600;

/** Issues and checks the cookies that identify a person in the embedded default. */
export interface PersonCookies {
  /** Returns the cookie value of a new person. */
  issue(): { readonly subject: string; readonly value: string };
  /** Returns the cookie value of a known person. */
  of(subject: string): string;
  /** Returns the subject of a cookie value, or undefined when we did not issue it. */
  subjectOf(value: string | undefined): string | undefined;
}

/** Creates cookies signed with a secret of this host. */
export function personCookies(secret: Uint8Array): PersonCookies {
  const sign = (subject: string): string =>
    createHmac('sha256', secret).update(`person:${subject}`).digest('base64url');
  const of = (subject: string): string => `${subject}.${sign(subject)}`;
  return {
    issue() {
      const subject = randomBytes(16).toString('base64url');
      return { subject, value: of(subject) };
    },
    of,
    subjectOf(value) {
      const [subject, signature, ...rest] = (value ?? '').split('.');
      if (!subject || !signature || rest.length > 0) return undefined;
      const expected = Buffer.from(sign(subject));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given) ? subject : undefined;
    },
  };
}

/** Sets the person cookie in a browser. */
export function setPersonCookie(request: FastifyRequest, reply: FastifyReply, value: string): void {
  setOwnCookie(request, reply, { name: PERSON_COOKIE, value, maxAge: PERSON_MAX_AGE_S });
}

/** Reads the host's secret, kept in its data folder so that cookies outlive a restart; created on first use. */
export async function hostSecret(dataDir: string): Promise<Uint8Array> {
  const file = path.join(dataDir, 'secret');
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(file, randomBytes(32), { flag: 'wx', mode: 0o600 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
  }
  const secret = await readFile(file);
  if (secret.length !== 32)
    throw new Error(`${file} is damaged: remove it to create a new one (people must sign in again)`);
  return secret;
}
