import { createHash } from 'node:crypto';
import { baseAddress } from './sanitize/addresses.ts';
import type { AddressContext, KeepsInline, ResourceKind } from './sanitize/addresses.ts';
import { divided, joined, noteNames, NOTHING, wrapped } from './sanitize/css.ts';
import type { Import, Rewritten } from './sanitize/css.ts';
import type { SheetJob } from './sanitize/batch-sanitizer.ts';
import { SheetTurns } from './sheet-turns.ts';
import type { LoadText } from './text-source.ts';

/** How long a batch waits for its sheets, in ms, before it goes without those that are missing. */
export const SHEET_DEADLINE_MS = 3000;
/** How long it waits for what they import. */
const IMPORT_DEADLINE_MS = 1000;
/** Deepest chain of imports, and most sheets in one. */
const MAX_IMPORT_DEPTH = 8;
const MAX_IMPORTS = 100;
/** Largest text that imports may add up to, in UTF-16 units. */
const MAX_INLINED_UNITS = 16 * 1024 * 1024;
/** What sanitized texts may take up in the cache of a tab, in UTF-16 units. */
const MAX_CACHE_UNITS = 16 * 1024 * 1024;

/** A sheet: one text, or the parts of a long one, which can follow one another as sheets of their own. */
type SheetParts = readonly [string, ...string[]];

/** What a sheet is when its batch has to go, and the whole of it once it is there, if it was not. */
export interface SheetText {
  readonly parts: SheetParts;
  readonly later?: Promise<SheetParts>;
}

/** What safe texts are made with. */
export interface SafeTextOptions {
  readonly load: LoadText;
  readonly resource: (kind: ResourceKind, address: string, frame: number) => string;
  readonly keepsInline: KeepsInline;
  /** Frames that have the same name now have the same tokens, and may keep the same pictures inline. */
  readonly kin: (frame: number) => string;
}

interface Kept {
  readonly sheet: Rewritten;
  readonly units: number;
  /** What it names: again each time it is used, so that it is fetched where it shows. */
  readonly named: readonly (readonly [kind: ResourceKind, address: string])[];
}

/** What else the text of a sheet depends on: the document that it was asked for. */
interface Owner extends Pick<SheetJob, 'still' | 'fonts' | 'asked'> {
  readonly frame: number;
  /** What the frame was kin to when it was asked for. */
  readonly kin: string;
  /** Whether it is still wanted, by a document that has the same tokens: what is not is not made safe. */
  readonly isCurrent: () => boolean;
}

/** Makes the safe texts of sheets: loads, sanitizes, fills imports in. Sanitized texts are kept by their content, and by whose they are. */
export class SheetTexts {
  readonly #options: SafeTextOptions;
  readonly #cache = new Map<string, Kept>();
  readonly #turns = new SheetTurns();
  #units = 0;

  constructor(options: SafeTextOptions) {
    this.#options = options;
  }

  /**
   * Resolves within {@link SHEET_DEADLINE_MS} of when what is there already has been made safe; with nothing when the frame is another's
   * kin by then, or `signal`, which says that nobody waits for it any more, is aborted. Never rejects.
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

  load(frame: number, address: string): Promise<string | undefined> {
    return this.#options.load(frame, address);
  }

  /** The sanitized form of a sheet's source text; addresses in it are relative to its own. */
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
    const noting = (kind: ResourceKind, name: string): string => {
      named.set(`${kind} ${name}`, [kind, name]);
      return context.resource(kind, name);
    };
    const sheet = await this.#turns.sanitize(frame, text, { ...context, resource: noting }, isCurrent);
    if (!isCurrent()) return NOTHING;
    if (this.#cache.has(key)) return sheet;
    this.#units += text.length;
    this.#cache.set(key, { sheet, units: text.length, named: [...named.values()] });
    for (const [oldest, { units }] of this.#cache) {
      if (this.#units <= MAX_CACHE_UNITS) break;
      this.#cache.delete(oldest);
      this.#units -= units;
    }
    return sheet;
  }

  /** A sheet of its own file has no fragments of the document in it. */
  context(base: string, { frame, still, fonts, asked }: Owner): AddressContext {
    const { resource, keepsInline } = this.#options;
    const own = (kind: ResourceKind, address: string): string => resource(kind, address, frame);
    return { base: baseAddress(base), page: '', still, resource: own, keepsInline, fonts, asked };
  }
}

/** One sheet with all that it imports. */
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

  /** The text with the imports that are there already. */
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
    // A sheet that imports itself would be applied once by a browser too.
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
