import { texts as ar } from './texts/ar.ts';
import { texts as de } from './texts/de.ts';
import { texts as en } from './texts/en.ts';
import type { GatewayTexts } from './texts/texts.ts';

const TEXTS = { en, de, ar } as const satisfies Readonly<Record<string, GatewayTexts>>;
/** Units of an `accept-language` that are read. */
const MAX_UNITS = 500;

/** A language of the gateway's own pages, with its texts. */
interface PageLanguage {
  readonly language: keyof typeof TEXTS;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: GatewayTexts;
}

/** The first of a browser's languages that there are texts in; English where there is none. `accepted`: its `accept-language`. */
export function languageOf(accepted = ''): PageLanguage {
  for (const range of accepted.slice(0, MAX_UNITS).split(',')) {
    const language = range.trim().slice(0, 2).toLowerCase();
    if (isKnown(language)) return of(language);
  }
  return of('en');
}

function of(language: keyof typeof TEXTS): PageLanguage {
  return { language, direction: language === 'ar' ? 'rtl' : 'ltr', texts: TEXTS[language] };
}

function isKnown(language: string): language is keyof typeof TEXTS {
  return Object.hasOwn(TEXTS, language);
}
