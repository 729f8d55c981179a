import type { ActivateClient } from '../../../core/index.ts';

/** Authenticates the person at the service's other hosts where the pairing asks for it (S-122). */
export const activate: ActivateClient = async (scope) => {
  const { sb, use_integrity_token, mpa_id } = scope.session.pairing;
  const isAsked = (use_integrity_token && sb !== undefined) || mpa_id !== undefined;
  if (!isAsked) return;
  const { startSignIn } = await import('./sign-in.ts');
  if (!scope.signal.aborted) startSignIn(scope);
};
