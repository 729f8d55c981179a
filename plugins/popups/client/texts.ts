import { textsToken } from '../../../core/index.ts';
import type { ClientScope, Texts } from '../../../core/index.ts';

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** The plugin's texts in the person's language, once they have come. */
export async function textsOf({ services }: Pick<ClientScope, 'services'>): Promise<Texts> {
  const texts = services.get(textsToken);
  await texts.load(CATALOGUES);
  return texts;
}
