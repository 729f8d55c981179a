import { copyText, Snackbar, textsToken } from '../../../core/index.ts';
import type { ClientScope, TabAction } from '../../../core/index.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** One for each tab: a link that is copied again replaces the notice of the last one. */
const snackbars = new WeakMap<ClientScope, Snackbar>();

/** Actions with the tab's address: reloading it, and copying it as the person sees it, which opens the page here, too. */
export async function tabActions(scope: ClientScope): Promise<readonly TabAction[]> {
  const texts = scope.services.get(textsToken);
  await texts.load(CATALOGUES);
  const copied = async (): Promise<void> => {
    const isCopied = await copyText(window.location.href);
    const snackbar = snackbars.get(scope) ?? new Snackbar(scope);
    snackbars.set(scope, snackbar);
    snackbar.show(texts.text(isCopied ? 'navigation.copied' : 'navigation.not-copied'));
  };
  return [
    {
      id: 'navigation.reload',
      label: texts.text('navigation.reload'),
      icon: 'reload',
      group: 'tab',
      order: 10,
      keys: 'Mod+R',
      act: () => window.location.reload(),
    },
    {
      id: 'navigation.copy-link',
      label: texts.text('navigation.copy-link'),
      icon: 'link',
      group: 'tab',
      order: 20,
      disabled: !mayCopy(scope.session.siteCapabilities()),
      act: copied,
    },
  ];
}

/** Whether the policy lets the person copy; absent where nothing has such a policy. The address bar is theirs in any case. */
function mayCopy({ copy_paste_policy: policy }: Readonly<Record<string, unknown>>): boolean {
  return (Object(policy) as { readonly disable_copy?: unknown }).disable_copy !== true;
}
