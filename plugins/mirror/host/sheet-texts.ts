import { createHash } from 'node:crypto';
import type { KeepsInline, ResourceKind } from './sanitize/addresses.ts';
import { joined, sanitizeSheet, wrapped } from './sanitize/css.ts';
import type { Import, Rewritten } from './sanitize/css.ts';
import type { SheetJob } from './sanitize/frame-sanitizer.ts';
import type { LoadText } from './text-source.ts';

/** How long a batch waits for its sheets, in ms, before it goes without those that are missing. */
export const SHEET_DEADLINE_MS = 3000;
/** How long it waits for what they import. */
export const IMPORT_DEADLINE_MS = 1000;
/** Deepest chain of imports, and most sheets in one. */
const MAX_IMPORT_DEPTH = 8;
const MAX_IMPORTS = 100;
/** Largest text that imports may add up to, in UTF-16 units. */
const MAX_INLINED_UNITS = 16 * 1024 * 1024;
/** What sanitized texts may take up in the cache of a tab, in UTF-16 units. */
const MAX_CACHE_UNITS = 16 * 1024 * 1024;

/** What a sheet's text is when its batch has to go, and the whole of it once it is there, if it was not. */
export interface SheetText {
  readonly text: string;
  readonly later?: Promise<string>;
}

/** Makes the safe texts of sheets: loads, sanitizes, fills imports in. Sanitized texts are kept by their content. */
export class SheetTexts {
  readonly #load: LoadText;
  readonly #resource: (kind: ResourceKind, address: string, frame: number) => string;
  readonly #keepsInline: KeepsInline | undefined;
  readonly #cache = new Map<string, { readonly sheet: Rewritten; readonly units: number }>();
  #units = 0;

  constructor(
    load: LoadText,
    resource: (kind: ResourceKind, address: string, frame: number) => string,
    keepsInline?: KeepsInline,
  ) {
    this.#load = load;
    this.#resource = resource;
    this.#keepsInline = keepsInline;
  }

  /** Resolves within {@link SHEET_DEADLINE_MS}. Never rejects. */
  async text(frame: number, job: SheetJob): Promise<SheetText> {
    const build = new Build(this, frame, job.still);
    const whole = build.whole(job);
    const first = await Promise.race([whole, delay(job.sheet ? IMPORT_DEADLINE_MS : SHEET_DEADLINE_MS)]);
    if (first !== undefined) return { text: first };
    return { text: job.sheet ? build.now(job.sheet) : '', later: whole };
  }

  load(frame: number, address: string): Promise<string | undefined> {
    return this.#load(frame, address);
  }

  /** The sanitized form of a sheet's source text; addresses in it are relative to its own. */
  sanitized(frame: number, text: string, address: string, still: boolean): Rewritten {
    const key = createHash('sha256').update(`${still} ${address}`).update('\n').update(text).digest('base64');
    const known = this.#cache.get(key);
    if (known) {
      this.#cache.delete(key);
      this.#cache.set(key, known);
      return known.sheet;
    }
    const sheet = sanitizeSheet(text, this.context(frame, address, still));
    this.#units += text.length;
    this.#cache.set(key, { sheet, units: text.length });
    for (const [oldest, { units }] of this.#cache) {
      if (this.#units <= MAX_CACHE_UNITS) break;
      this.#cache.delete(oldest);
      this.#units -= units;
    }
    return sheet;
  }

  /** A sheet of its own file has no fragments of the document in it. */
  context(frame: number, base: string, still: boolean): Parameters<typeof sanitizeSheet>[1] {
    const resource = (kind: ResourceKind, address: string): string => this.#resource(kind, address, frame);
    return { base, page: '', still, resource, keepsInline: this.#keepsInline };
  }
}

/** One sheet with all that it imports. */
class Build {
  readonly #texts: SheetTexts;
  readonly #frame: number;
  readonly #still: boolean;
  readonly #filled = new Map<Import, string>();
  #imports = 0;
  #units = 0;

  constructor(texts: SheetTexts, frame: number, still: boolean) {
    this.#texts = texts;
    this.#frame = frame;
    this.#still = still;
  }

  async whole(job: SheetJob): Promise<string> {
    if (job.sheet) return this.#fill(job.sheet, [job.address]);
    const source = await this.#texts.load(this.#frame, job.address);
    return source === undefined
      ? ''
      : this.#fill(this.#texts.sanitized(this.#frame, source, job.address, this.#still), [job.address]);
  }

  /** The text with the imports that are there already. */
  now(sheet: Rewritten): string {
    return joined(sheet, (imported) => this.#filled.get(imported) ?? '');
  }

  async #fill(sheet: Rewritten, path: readonly string[]): Promise<string> {
    const imports = sheet.parts.filter((part) => typeof part !== 'string');
    await Promise.all(imports.map((imported) => this.#import(imported, path)));
    return this.now(sheet);
  }

  async #import(imported: Import, path: readonly string[]): Promise<void> {
    // A sheet that imports itself would be applied once by a browser too.
    if (path.includes(imported.address) || path.length > MAX_IMPORT_DEPTH || ++this.#imports > MAX_IMPORTS) return;
    const source = await this.#texts.load(this.#frame, imported.address);
    if (source === undefined || (this.#units += source.length) > MAX_INLINED_UNITS) return;
    const text = await this.#fill(this.#texts.sanitized(this.#frame, source, imported.address, this.#still), [
      ...path,
      imported.address,
    ]);
    this.#filled.set(
      imported,
      wrapped(imported, text, this.#texts.context(this.#frame, imported.address, this.#still)),
    );
  }
}

function delay(ms: number): Promise<undefined> {
  return new Promise((done) => {
    setTimeout(() => done(undefined), ms).unref();
  });
}
