import type { Report } from '../events/report.ts';
import type { Catalogues, Texts } from '../contracts/texts.ts';

const RTL = new Set(['ar', 'fa', 'he', 'ur']);

/** The languages of the core's own texts. */
const CORE: Catalogues = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};

/** Texts in the first of the person's languages that the core supports. */
export class Messages implements Texts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly #report: Report;
  readonly #texts = new Map<string, string>();

  constructor(languages: readonly string[], report: Report) {
    const known = languages.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find((language) => language in CORE);
    this.language = known ?? 'en';
    this.direction = RTL.has(this.language) ? 'rtl' : 'ltr';
    this.#report = report;
  }

  /** Fetches the core's own texts. */
  loadCore(): Promise<void> {
    return this.load(CORE);
  }

  async load(catalogues: Catalogues): Promise<void> {
    const wanted = [catalogues.en, ...(this.language === 'en' ? [] : [catalogues[this.language]])];
    // Fetched in parallel, merged in order: the person's language over English.
    const loaded = await Promise.all(
      wanted.map(async (load) => {
        try {
          return (await load?.())?.texts ?? {};
        } catch {
          return {}; // ids are shown, and reported when they are shown
        }
      }),
    );
    for (const catalogue of loaded) for (const [id, value] of Object.entries(catalogue)) this.#texts.set(id, value);
  }

  /** Keeps the order of a name or an amount within itself, in a line from right to left (UAX #9: FSI, PDI). */
  #isolated(param: string): string {
    return this.direction === 'rtl' ? `\u2068${param}\u2069` : param;
  }

  text(id: string, params: Readonly<Record<string, string | number>> = {}): string {
    const found = this.#texts.get(id);
    if (found === undefined) {
      this.#report('tc-localization-no-entry', { id, language: this.language }, { level: 'warning', force: true });
      return id;
    }
    return found.replace(/\{(\w+)\}/g, (whole, name: string) => this.#isolated(String(params[name] ?? whole)));
  }
}
