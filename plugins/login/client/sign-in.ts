import { helperToken, rendererToken, SLOTS, textsToken, toAppError } from '../../../core/index.ts';
import type { ClientScope, SlotContribution } from '../../../core/index.ts';
import { checkPerson } from './auth-check.ts';
import { CheckCount } from './check-count.ts';
import { watchSignInLinks } from './sign-in-links.ts';

export interface LoginBarProps {
  readonly message: string;
  readonly action: string;
  readonly onAction: () => void;
}

const bar: SlotContribution<LoginBarProps> = { load: () => import('./login-bar.tsx'), order: -20 };

/** Authenticates the person at the service's other hosts, and shows a failure (S-122). */
export function startSignIn(scope: ClientScope): void {
  const { pairing, prefix } = scope.session;
  const texts = scope.services.get(textsToken);
  const renderer = scope.services.get(rendererToken);
  const checks = new CheckCount(scope.storage);
  let hideBar: (() => void) | undefined;
  const hide = (): void => {
    hideBar?.();
    hideBar = undefined;
  };
  const say = async (message: string, action: string, onAction: () => void): Promise<void> => {
    await texts.load({
      en: () => import('./messages/en.ts'),
      de: () => import('./messages/de.ts'),
      ar: () => import('./messages/ar.ts'),
    });
    hide();
    if (scope.signal.aborted) return;
    const act = (): void => {
      hide();
      onAction();
    };
    hideBar = scope.slots.fill(SLOTS.banner, bar, {
      message: texts.text(message),
      action: texts.text(action),
      onAction: act,
    });
  };
  const signIn = (): void => scope.session.reload('sign-in');
  const check = async (sb: string): Promise<void> => {
    try {
      const outcome = await checkPerson(scope.services.get(helperToken), sb);
      await checks.succeeded();
      if (outcome === 'reauth') await say('login.reauth', 'login.sign-in', signIn);
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      scope.events.report('tc-auth-check-failed', { code, message }, { level: 'warning', force: true });
      await checks.failed();
      await say('login.failed', 'login.again', () => void check(sb));
    }
  };
  scope.onDispose(hide);

  const { sb, use_integrity_token, mpa_id } = pairing;
  if (use_integrity_token && sb !== undefined)
    void checks.isSkipped().then((skipped) => (skipped ? undefined : check(sb)));
  if (mpa_id !== undefined)
    scope.onDispose(watchSignInLinks({ renderer, prefix, pageUrl: () => scope.session.pageUrl(), signIn }));
}
