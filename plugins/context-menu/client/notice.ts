import { Snackbar, textsToken } from '../../../core/index.ts';
import type { ClientScope } from '../../../core/index.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Creates a function that shows, in a snackbar, that the menu is turned off. */
export async function makeNotice(scope: ClientScope): Promise<() => void> {
  const texts = scope.services.get(textsToken);
  await texts.load(CATALOGUES);
  const snackbar = new Snackbar(scope);
  return () => snackbar.show(texts.text('ID_SNACKBAR_CONTEXT_MENU_BLOCK'));
}
