import { AppError, validate } from '../../../core/index.ts';
import type { Helper } from '../../../core/index.ts';
import { authCheckAnswerSchema, tokenAuthAnswerSchema } from '../../../core/protocol/auth.ts';

/** Outcome of a check: the person is authenticated, or must sign in again. */
type CheckOutcome = 'known' | 'reauth';

/**
 * Authenticates the person at the helper's host (S-122). The check returns the hosts where the person is not authenticated, with a token
 * for each. Each host's response sets the host that the helper uses from then on.
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
