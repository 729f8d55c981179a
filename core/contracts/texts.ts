import { token } from './token.ts';

/** Texts by id; `{name}` is replaced by a parameter. */
type Catalogue = Readonly<Record<string, string>>;

/** One catalogue per language, each fetched on demand; `en` is the fallback. */
export type Catalogues = Readonly<Record<string, () => Promise<{ readonly texts: Catalogue }>>> & {
  readonly en: () => Promise<{ readonly texts: Catalogue }>;
};

/** Texts in the person's language. */
export interface Texts {
  /** BCP 47 tag of the language of the texts, and its direction. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Adds the texts of a plugin; ids have a prefix chosen by its author (`find.next`). */
  load(catalogues: Catalogues): Promise<void>;
  /** Returns a text; the id itself when there is none (S-138). */
  text(id: string, params?: Readonly<Record<string, string | number>>): string;
}

export const textsToken = token<Texts>('vitrine.texts');
