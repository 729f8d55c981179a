import { createHash } from 'node:crypto';
import { baseAddress } from './sanitize/addresses.ts';
import type { Work } from '../../../host/plugin.ts';
import type { AddressContext, KeepsInline, ResourceKind } from './sanitize/addresses.ts';
import { divided, joined, noteNames, NOTHING, wrapped } from './sanitize/css.ts';
import type { Import, Rewritten } from './sanitize/css.ts';
import type { SheetJob } from './sanitize/batch-sanitizer.ts';
import { SheetTurns } from './sheet-turns.ts';
import type { LoadText } from './text-source.ts';

/** Time a batch waits for its sheets, in ms; then it is sent without the missing ones. */
export const SHEET_DEADLINE_MS = 3000;
/** Time it waits for imported sheets, in ms. */
const IMPORT_DEADLINE_MS = 1000;
/** Maximum depth of a chain of imports, and number of sheets in one. */
const MAX_IMPORT_DEPTH = 8;
const MAX_IMPORTS = 100;
/** Maximum total length of imported texts, in UTF-16 units. */
const MAX_INLINED_UNITS = 16 * 1024 * 1024;
/** Maximum total length of sanitized texts in the cache of a tab, in UTF-16 units. */
const MAX_CACHE_UNITS = 16 * 1024 * 1024;
/** Cost of an entry besides its texts, and maximum total length of the addresses in one, in UTF-16 units: they are longer than in the text. */
const ENTRY_UNITS = 500;
const MAX_NAMED_UNITS = 1024 * 1024;

/** A sheet: one text, or the parts of a long one, which can follow one another as separate sheets. */
type SheetParts = readonly [string, ...string[]];

/** The text of a sheet when its batch must be sent, and later the complete one, if it was not. */
export interface SheetText {
  readonly parts: SheetParts;
  readonly later?: Promise<SheetParts>;
}

/** Dependencies of sanitized texts. */
export interface SafeTextOptions {
  readonly load: LoadText;
  readonly resource: (kind: ResourceKind, address: string, frame: number) => string;
  readonly keepsInline: KeepsInline;
  /** Returns a name. Frames with the same name have the same tokens, and may keep the same inline pictures. */
  readonly kin: (frame: number) => string;
  readonly work?: Work | undefined;
}

interface Kept {
  readonly sheet: Rewritten;
  readonly units: number;
  /** Resources that it names: requested again at each use, so that they are fetched for the frame that shows them. */
  readonly named: readonly (readonly [kind: ResourceKind, address: string])[];
}

/** Other inputs of the text of a sheet: the document that requested it. */
interface Owner extends Pick<SheetJob, 'still' | 'fonts' | 'asked'> {
  readonly frame: number;
  /** Result of `kin` for the frame at the time of the request. */
  readonly kin: string;
  /** Whether a document with the same tokens still wants the text; otherwise it is not sanitized. */
  readonly isCurrent: () => boolean;
}

/** Produces sanitized texts of sheets: loads, sanitizes, inlines imports. Results are cached by content and by `kin`. */
export class SheetTexts {
  readonly #options: SafeTextOptions;
  readonly #cache = new Map<string, Kept>();
  readonly #turns: SheetTurns;
  #units = 0;

  constructor(options: SafeTextOptions) {
    this.#options = options;
    this.#turns = new SheetTurns(options.work);
  }

  /**
   * Resolves within {@link SHEET_DEADLINE_MS} after the loaded text has been sanitized; with an empty text if the frame's `kin` has
   * changed by then, or `signal` is aborted because no batch waits for it any more. Never rejects.
   */
  async text(frame: number, job: SheetJob, signal: AbortSignal): Promise<SheetText> {
    const { source, still, fonts, asked } = job;
    const kin = this.#options.kin(frame);
    const isCurrent = (): boolean => !signal.aborted && this.#options.kin(frame) === kin;
    const sheet = job.sheet ?? (source && (await this.#turns.sanitize(frame, source.text, source.context, isCurrent)));
    if (sheet && job.importsNothing) return { parts: [joined(sheet, () => '')] };
    if (sheet?.parts.every((part) => typeof part === 'string')) return { parts: divided(sheet, () => '') };
    const build = new Build(this, { frame, kin, isCurrent, still, fonts, asked });
    const whole = build.whole(sheet ? { ...job, sheet } : job);
    const first = await Promise.race([whole, delay(sheet ? IMPORT_DEADLINE_MS : SHEET_DEADLINE_MS)]);
    if (first !== undefined) return { parts: first };
    return { parts: sheet ? build.now(sheet) : [''], later: whole };
  }

  /** Total length of what is in the cache, in UTF-16 units. */
  get cachedUnits(): number {
    return this.#units;
  }

  load(frame: number, address: string): Promise<string | undefined> {
    return this.#options.load(frame, address);
  }

  /** Sanitizes a sheet's source text; addresses in it are relative to its own. */
  async sanitized(text: string, address: string, owner: Owner): Promise<Rewritten> {
    const { frame, kin, isCurrent, still, fonts } = owner;
    if (!isCurrent()) return NOTHING;
    const { resource } = this.#options;
    const key = createHash('sha256')
      .update(`${kin} ${still} ${fonts !== undefined} ${address}`)
      .update('\n')
      .update(text)
      .digest('base64');
    const known = this.#cache.get(key);
    if (known) {
      this.#cache.delete(key);
      this.#cache.set(key, known);
      for (const [kind, named] of known.named) resource(kind, named, frame);
      noteNames(owner, known.sheet);
      return known.sheet;
    }
    const named = new Map<string, readonly [ResourceKind, string]>();
    const context = this.context(address, owner);
    let namedUnits = 0;
    const noting = (kind: ResourceKind, name: string): string => {
      const key = `${kind} ${name}`;
      if (!named.has(key)) namedUnits += name.length + ENTRY_UNITS;
      if (namedUnits <= MAX_NAMED_UNITS) named.set(key, [kind, name]);
      else named.clear(); // it will not be kept
      return context.resource(kind, name);
    };
    const sheet = await this.#turns.sanitize(frame, text, { ...context, resource: noting }, isCurrent);
    if (!isCurrent()) return NOTHING;
    if (this.#cache.has(key) || namedUnits > MAX_NAMED_UNITS) return sheet;
    const entry: Kept = { sheet, units: text.length + namedUnits + ENTRY_UNITS, named: [...named.values()] };
    this.#units += entry.units;
    this.#cache.set(key, entry);
    for (const [oldest, { units }] of this.#cache) {
      if (this.#units <= MAX_CACHE_UNITS) break;
      this.#cache.delete(oldest);
      this.#units -= units;
    }
    return sheet;
  }

  /** A sheet from its own file has no fragments of the document in it. */
  context(base: string, { frame, still, fonts, asked }: Owner): AddressContext {
    const { resource, keepsInline } = this.#options;
    const own = (kind: ResourceKind, address: string): string => resource(kind, address, frame);
    return { base: baseAddress(base), page: '', still, resource: own, keepsInline, fonts, asked };
  }
}

/** One sheet with all its imports. */
class Build {
  readonly #texts: SheetTexts;
  readonly #owner: Owner;
  readonly #filled = new Map<Import, string>();
  #imports = 0;
  #units = 0;

  constructor(texts: SheetTexts, owner: Owner) {
    this.#texts = texts;
    this.#owner = owner;
  }

  async whole(job: SheetJob): Promise<SheetParts> {
    if (job.sheet) return this.#fill(job.sheet, [job.address]);
    const source = await this.#texts.load(this.#owner.frame, job.address);
    if (source === undefined) return [''];
    return this.#fill(await this.#sanitized(source, job.address), [job.address]);
  }

  /** Returns the text with the imports loaded so far. */
  now(sheet: Rewritten): SheetParts {
    return divided(sheet, (imported) => this.#filled.get(imported) ?? '');
  }

  #sanitized(source: string, address: string): Promise<Rewritten> {
    return this.#texts.sanitized(source, address, this.#owner);
  }

  async #fill(sheet: Rewritten, path: readonly string[]): Promise<SheetParts> {
    await this.#importAll(sheet, path);
    return this.now(sheet);
  }

  async #importAll({ parts }: Rewritten, path: readonly string[]): Promise<void> {
    await Promise.all(parts.flatMap((part) => (typeof part === 'string' ? [] : this.#import(part, path))));
  }

  async #import(imported: Import, path: readonly string[]): Promise<void> {
    // Browsers also apply a sheet that imports itself only once.
    if (path.includes(imported.address) || path.length > MAX_IMPORT_DEPTH || ++this.#imports > MAX_IMPORTS) return;
    const source = await this.#texts.load(this.#owner.frame, imported.address);
    if (source === undefined || (this.#units += source.length) > MAX_INLINED_UNITS) return;
    const sheet = await this.#sanitized(source, imported.address);
    await this.#importAll(sheet, [...path, imported.address]);
    if (!this.#owner.isCurrent()) return;
    const text = joined(sheet, (inner) => this.#filled.get(inner) ?? '');
    this.#filled.set(imported, wrapped(imported, text, this.#texts.context(imported.address, this.#owner)));
  }
}

function delay(ms: number): Promise<undefined> {
  return new Promise((done) => {
    setTimeout(() => done(undefined), ms).unref();
  });
}
