import * as v from 'valibot';
import type { Reason } from './protocol.ts';

/** Permissions to copy and to paste. */
export interface CopyPaste {
  readonly copy: boolean;
  /** Maximum number of characters that may be pasted, as text only; undefined: no restriction. */
  readonly pasteLimit?: number | undefined;
  /** Nobody could tell what the policy says. */
  readonly isUnreadable: boolean;
  /** Sites of frames for which copying or pasting is restricted, where the policy of the page alone lets more pass. */
  readonly copySite?: string;
  readonly pasteSite?: string;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const schema = v.object({
  disable_copy: v.boolean(),
  restrict_paste: v.boolean(),
  // A limit that is none lets nothing through.
  char_len_limit_if_paste_restricted: v.fallback(v.optional(count, 0), 0),
});

/**
 * Reads the policy as it is received. One that is missing or cannot be read denies both, unless it says of itself that it does not
 * fail closed.
 */
export function readPolicy(received: unknown): CopyPaste {
  const outcome = v.safeParse(schema, received);
  if (!outcome.success) {
    const { is_fail_closed_policy: isClosed } = Object(received) as { readonly is_fail_closed_policy?: unknown }; // looked at below
    return isClosed === false
      ? { copy: true, pasteLimit: undefined, isUnreadable: true }
      : { copy: false, pasteLimit: 0, isUnreadable: true };
  }
  const { disable_copy, restrict_paste, char_len_limit_if_paste_restricted: limit } = outcome.output;
  return { copy: !disable_copy, pasteLimit: restrict_paste ? limit : undefined, isUnreadable: false };
}

/** Something that is to be pasted. */
export interface Pasted {
  readonly text?: string;
  readonly html?: string;
  readonly rtf?: string;
  /** Something that is no text. */
  readonly picture?: unknown;
}

/**
 * Returns the part that may be pasted: all of it, or with a restriction (R-060, S-091) its plain text, if neither that nor its HTML is too long.
 * Otherwise the reason why nothing is.
 */
export function permitted<P extends Pasted>(
  { pasteLimit, isUnreadable }: CopyPaste,
  pasted: P,
): { readonly content: P | Pick<Pasted, 'text'> } | { readonly reason: Reason } {
  if (pasteLimit === undefined) return { content: pasted };
  const { text = '', html = '' } = pasted;
  if (text === '' || text.length > pasteLimit || html.length > pasteLimit)
    return { reason: isUnreadable ? 'no-policy' : 'policy' };
  return { content: { text } };
}
