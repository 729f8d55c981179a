import { token } from './token.ts';

/** Texts by id; `{name}` stands for a parameter. */
type Catalogue = Readonly<Record<string, string>>;

/** A catalogue per language, each fetched when it is needed; `en` is what others fall back to. */
export type Catalogues = Readonly<Record<string, () => Promise<{ readonly texts: Catalogue }>>> & {
  readonly en: () => Promise<{ readonly texts: Catalogue }>;
};

/** Texts in the person's language. */
export interface Texts {
  /** BCP 47 tag of the language that texts are in, and its direction. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Adds the texts of a plugin; ids are prefixed by its author (`find.next`). */
  load(catalogues: Catalogues): Promise<void>;
  /** A text; the id itself when there is none (S-138). */
  text(id: string, params?: Readonly<Record<string, string | number>>): string;
}

export const textsToken = token<Texts>('vitrine.texts');
