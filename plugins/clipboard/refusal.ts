import type { CopyPaste } from './policy.ts';
import type { Reason, Refusal } from './protocol.ts';

/** The refusal of something by a policy. */
export function refusalBy(
  { copySite, pasteSite, pasteLimit, isUnreadable }: CopyPaste,
  action: Refusal['action'],
  reason: Reason = isUnreadable ? 'no-policy' : 'policy',
): Refusal {
  const site = action === 'copy' ? copySite : pasteSite;
  const hasLimit = action === 'paste' && reason === 'policy' && pasteLimit;
  return { action, reason, ...(site !== undefined && { site }), ...(hasLimit && { limit: pasteLimit }) };
}
