import { AppError, validate } from '../../../core/index.ts';
import type { Helper } from '../../../core/index.ts';
import { authCheckAnswerSchema, tokenAuthAnswerSchema } from '../../../core/protocol/auth.ts';

/** How a check ends: the person is known, or has to sign in again. */
type CheckOutcome = 'known' | 'reauth';

/**
 * Makes the person known at the helper's host (S-122): the check says at which hosts they are not, and gives a token for each; each
 * answers by which host the helper goes from then on.
 *
 * @throws AppError `helper-unreachable`, `helper-failed`, `bad-message`, `auth-refused`
 */
export async function checkPerson(helper: Helper, sb: string): Promise<CheckOutcome> {
  const call = (operation: string, body: object): Promise<unknown> => helper.call('auth', { operation, body });
  const { success, reauth, redirects } = validate(authCheckAnswerSchema, await call('check', { sb }), 'auth check');
  if (reauth) return 'reauth';
  if (!success) throw new AppError('auth-refused', 'the auth server does not know this session');
  for (const redirect of redirects) {
    const answer = validate(tokenAuthAnswerSchema, await call('do_itok_auth', redirect), 'token auth');
    await helper.useInspectHost(answer.use_inspect_host);
  }
  return 'known';
}
