import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Log } from '../../core/contracts/scope.ts';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { Families } from './families.ts';
import { FontTurns } from './font-turns.ts';
import { installedFonts, matchedFamily } from './fontconfig.ts';
import type { InstalledFont } from './fontconfig.ts';
import { unicodeRange } from './pieces.ts';

/** Takes the place of a tab's key in the tokens of this machine's fonts. */
export const SYSTEM_KEY = 'system';
/** Version of the cutting method. Increase it when the same piece of the same font is cut in another way. */
const RECIPE = 1;
/** Maximum size of a piece that is served, in bytes. */
const MAX_PIECE_BYTES = 8 * 1024 * 1024;
/** Maximum number of families in the cache; the least recently used is evicted. */
const MAX_FAMILIES = 4000;
/** Maximum length of a family name that is looked up, in UTF-16 units. */
const MAX_NAME_UNITS = 100;
/** Maximum number of styles; the largest family of a usual machine has some dozens. */
const MAX_STYLES = 80;

/** One style of a family, as in an `@font-face` rule. */
export interface SystemFace {
  readonly weight: string;
  readonly stretch: string;
  readonly italic: boolean;
  /** Name by which a browser finds the same font on its own machine; empty when it has none. */
  readonly local: string;
  /** The pieces of the font. */
  readonly pieces: readonly { readonly range: string; readonly path: string }[];
}

/** Fonts of the system that surrogates use beside the fonts of pages. */
export interface SystemFonts {
  /** Whether fonts can be listed. */
  readonly available: boolean;
  /** Styles of a family as the surrogate sees it, none where it has no such family; undefined while not known yet. */
  faces(family: string): readonly SystemFace[] | undefined;
  /**
   * Looks up families, one after the other, until the signal is aborted. Those who ask, by `asker`, take turns; a family that is one too
   * many for one of them stays unknown. Never rejects.
   */
  learn(families: readonly string[], signal?: AbortSignal, asker?: object): Promise<void>;
}

/**
 * Cuts a piece out of a font file, by the font's index in it; resolves with WOFF2. Rejects with AppError `font-broken`,
 * or a retryable one.
 */
export type CutFont = (file: string, index: number, piece: string) => Promise<Uint8Array>;

interface Source {
  readonly font: InstalledFont;
  readonly piece: string;
}

/**
 * The fonts of this machine, as surrogates see them: by family, in styles and pieces whose paths stay the same as long
 * as the font does. Only files that fontconfig lists are read.
 */
export class MachineFonts implements SystemFonts {
  readonly #folder: string;
  readonly #cutFont: CutFont;
  readonly #families: Promise<Families | undefined>;
  #available = true;
  readonly #faces = new Map<string, readonly SystemFace[]>();
  readonly #learning = new Map<string, Promise<boolean>>();
  readonly #turns = new FontTurns();
  readonly #ofFont = new Map<InstalledFont, Promise<SystemFace | undefined>>();
  /** Sources by token; their number is bounded by the pieces of this machine's fonts. */
  readonly #sources = new Map<string, Source>();
  readonly #opening = new Map<string, Promise<Uint8Array>>();
  readonly #broken = new Map<string, AppError>();

  /** Starts to list the fonts. Pieces are cached in `folder`. */
  constructor(folder: string, cutFont: CutFont, log: Pick<Log, 'info'>, families = listed()) {
    this.#folder = folder;
    this.#cutFont = cutFont;
    this.#families = families.catch((thrown: unknown) => {
      this.#available = false;
      log.info('the fonts of this machine cannot be listed: people see pages in their own fonts', {
        error: String(thrown),
      });
      return undefined;
    });
  }

  get available(): boolean {
    return this.#available;
  }

  faces(family: string): readonly SystemFace[] | undefined {
    const name = family.toLowerCase();
    const faces = this.#faces.get(name);
    if (faces) this.#remember(name, faces);
    return faces;
  }

  async learn(families: readonly string[], signal?: AbortSignal, asker: object = this): Promise<void> {
    for (const family of families) {
      if (signal?.aborted === true) return;
      const name = family.toLowerCase();
      if (this.#faces.has(name)) continue;
      let learning = this.#learning.get(name);
      if (!learning) {
        learning = this.#turns.take(asker, () => this.#learn(name)).finally(() => this.#learning.delete(name));
        this.#learning.set(name, learning);
      }
      await learning;
    }
  }

  /**
   * Returns a piece as WOFF2, by the part of its token after the key. @throws AppError `resource-not-found`,
   * `resource-too-large`, `font-broken`.
   */
  open(mac: string): Promise<Uint8Array> {
    const source = this.#sources.get(mac);
    if (!source) return Promise.reject(new AppError('resource-not-found', 'There is no such resource.'));
    let opening = this.#opening.get(mac);
    if (!opening) {
      opening = this.#bytes(mac, source).finally(() => this.#opening.delete(mac));
      this.#opening.set(mac, opening);
    }
    return opening;
  }

  /** On failure the family stays unknown. Never rejects. */
  async #learn(name: string): Promise<void> {
    const families = await this.#families;
    const isName = name.length > 0 && name.length <= MAX_NAME_UNITS && !/[\0-\x1f\x7f]/.test(name);
    const found = isName ? await families?.find(name).catch(() => undefined) : [];
    if (!families || !found) return;
    const faces = await Promise.all(found.slice(0, MAX_STYLES).map((font) => this.#face(font)));
    this.#remember(
      name,
      faces.filter((face) => face !== undefined),
    );
  }

  #remember(name: string, faces: readonly SystemFace[]): void {
    this.#faces.delete(name);
    this.#faces.set(name, faces);
    for (const oldest of this.#faces.keys()) {
      if (this.#faces.size <= MAX_FAMILIES) break;
      this.#faces.delete(oldest);
    }
  }

  #face(font: InstalledFont): Promise<SystemFace | undefined> {
    const known = this.#ofFont.get(font);
    if (known) return known;
    const face = this.#makeFace(font);
    this.#ofFont.set(font, face);
    return face;
  }

  async #makeFace(font: InstalledFont): Promise<SystemFace | undefined> {
    const about = await stat(font.file).catch(() => undefined);
    if (!about) return undefined;
    const pieces = [...font.pieces].map((piece) => {
      const what = [RECIPE, basename(font.file), font.index, font.version, about.size, about.mtimeMs, piece];
      const mac = createHash('sha256').update(JSON.stringify(what)).digest('base64url');
      this.#sources.set(mac, { font, piece });
      return { range: unicodeRange(piece), path: `/c/f/${SYSTEM_KEY}.${mac}` };
    });
    const { weight, stretch, italic, name } = font;
    return { weight, stretch, italic, local: name, pieces };
  }

  async #bytes(mac: string, { font, piece }: Source): Promise<Uint8Array> {
    const path = join(this.#folder, `${mac}.woff2`);
    const kept = await readFile(path).catch(() => undefined);
    if (kept) return kept;
    const bytes = await this.#cut(mac, font, piece);
    await this.#keep(path, bytes).catch(() => undefined); // it is cut again
    return bytes;
  }

  /** A piece that cannot be cut is not tried again. */
  async #cut(mac: string, font: InstalledFont, piece: string): Promise<Uint8Array> {
    const known = this.#broken.get(mac);
    if (known) throw known;
    try {
      const bytes = await this.#cutFont(font.file, font.index & 0xffff, piece);
      if (bytes.length > MAX_PIECE_BYTES) throw new AppError('resource-too-large', 'The font is too large.');
      return bytes;
    } catch (thrown) {
      const fault = toAppError(thrown);
      if (!fault.retryable) this.#broken.set(mac, fault);
      throw thrown;
    }
  }

  async #keep(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, bytes, { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

async function listed(): Promise<Families> {
  return new Families(await installedFonts(), matchedFamily);
}
