import { policyToken, Snackbar } from '../../../core/index.ts';
import type { ClientScope, TabAction, Texts } from '../../../core/index.ts';
import { BYPASS_COOKIE, BYPASS_MS } from '../../../core/protocol/bypass.ts';

/** Opens the site of the page without isolation, where the host allows it: the tab pairs again, and is sent there (M-027, S-112). */
export function bypass(scope: ClientScope, texts: Texts): TabAction {
  const { services, session } = scope;
  return {
    id: 'tab-menu.bypass',
    label: texts.text('tab-menu.bypass'),
    icon: 'open',
    group: 'about',
    act: async () => {
      const { token, domain } = await services.get(policyToken).act('bypass');
      if (typeof token !== 'string' || typeof domain !== 'string') {
        new Snackbar(scope).show(texts.text('tab-menu.not-bypassed'));
        return;
      }
      const secure = location.protocol === 'https:' ? '; Secure' : '';
      const value = encodeURIComponent(`${token} ${domain}`);
      document.cookie = `${BYPASS_COOKIE}=${value}; path=/; SameSite=Strict; Max-Age=${BYPASS_MS / 1000}${secure}`;
      session.reload('bypass');
    },
  };
}
