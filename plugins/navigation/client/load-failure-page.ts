import type { SlotContribution, Texts } from '../../../core/index.ts';
import type { FailurePageProps } from './index.ts';

const CATALOGUES = {
  en: () => import('./messages/failures-en.ts'),
  de: () => import('./messages/failures-de.ts'),
  ar: () => import('./messages/failures-ar.ts'),
};

/** Loads the page of a failure, with its texts in the person's language. */
export async function loadFailurePage(texts: Texts): ReturnType<SlotContribution<FailurePageProps>['load']> {
  const [module] = await Promise.all([import('./failure-page.tsx'), texts.load(CATALOGUES)]);
  return module;
}
