import * as v from 'valibot';
import { text } from './atoms.ts';
import type { Schema } from './message.ts';

const short = text(1000);

/** A host where the person's browser must authenticate, and a token with its salt for that host only. */
const redirect = v.object({ host: short, itok: short, tok_s: short });

const checkAnswer = v.object({
  success: v.boolean(),
  /** Whether the person has to sign in again. */
  reauth: v.boolean(),
  redirects: v.pipe(v.array(redirect), v.maxLength(10)),
});
/** The answer of POST /safeview-auth-server/check (S-122). */
export type AuthCheckAnswer = v.InferOutput<typeof checkAnswer>;
export const authCheckAnswerSchema: Schema<AuthCheckAnswer> = checkAnswer;

const tokenAnswer = v.object({
  /** Whether the helper frame uses the inspect host from now on, or the cluster's. */
  use_inspect_host: v.boolean(),
});
/** The answer of POST /safeview-auth-server/do_itok_auth (S-122). */
export type TokenAuthAnswer = v.InferOutput<typeof tokenAnswer>;
export const tokenAuthAnswerSchema: Schema<TokenAuthAnswer> = tokenAnswer;
