import * as v from 'valibot';
import { serial, text } from '../../core/protocol/atoms.ts';
import { message } from '../../core/protocol/message.ts';

/** Maximum length of a name and of a password, in UTF-16 units. */
export const MAX_CREDENTIAL = 2000;
/** Maximum lengths of the site's origin and of its own words, in UTF-16 units. The host cuts the rest. */
export const MAX_ORIGIN = 300;
export const MAX_REALM = 200;

const id = serial;

/** A site demands a name and a password by HTTP authentication, and its request waits (S-128). */
export const challengeOpen = message('httpauth-challenge', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({
    id,
    /** Origin of the server, in ASCII: it cannot look like another one. */
    origin: text(MAX_ORIGIN),
    /** The site's own words. */
    realm: text(MAX_REALM),
    /** Whether the name and the password travel encrypted. */
    isSecure: v.boolean(),
    /** Whether the site has refused an answer to the same request. */
    isAgain: v.boolean(),
    /** Whether the server is another than that of the page shown. */
    isOther: v.boolean(),
  }),
});
export type Challenge = v.InferOutput<typeof challengeOpen.params>;

/** The request has ended without the person's answer. */
export const challengeClose = message('http-auth.close', {
  direction: 'host-to-client',
  lane: 'control',
  params: v.object({ id }),
});

/** The person's answer (S-127): for that server alone, and kept by nobody. */
export const challengeDismiss = message('httpauth-challenge-dismiss', {
  direction: 'client-to-host',
  lane: 'control',
  params: v.object({
    id,
    credentials: v.nullable(v.object({ username: text(MAX_CREDENTIAL), password: text(MAX_CREDENTIAL) })),
  }),
});
