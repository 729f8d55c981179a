import { counted } from '../../../host/plugin.ts';
import { baseAddress, pageAddress } from './sanitize/addresses.ts';
import type { AddressContext } from './sanitize/addresses.ts';
import { sanitizeSvg } from './sanitize/svg-file.ts';
import type { SafeTextOptions } from './sheet-texts.ts';

/** Maximum number of files that are kept. */
const MAX_FILES = 200;

/** SVG files with parts that `use` elements show: sanitized, and served like pictures (the only source for the person's browser). */
export class SvgFiles {
  readonly #options: SafeTextOptions;
  readonly #paths = new Map<string, Promise<string | undefined>>();

  constructor(options: SafeTextOptions) {
    this.#options = options;
  }

  /**
   * Resolves to the path of the sanitized file, once the surrogate has loaded it; to undefined if it does not load, or the frame shows
   * another document by then. Never rejects.
   */
  path(frame: number, address: string): Promise<string | undefined> {
    const key = `${frame} ${this.#options.kin(frame)} ${address}`;
    const known = this.#paths.get(key);
    if (known) return known;
    if (this.#paths.size >= MAX_FILES) this.#paths.clear();
    const path: Promise<string | undefined> = this.#make(frame, address).then((made) => {
      const isLatest = this.#paths.get(key) === path;
      if (made === undefined && isLatest) this.#paths.delete(key);
      return isLatest ? made : undefined;
    });
    this.#paths.set(key, path);
    return path;
  }

  /** Called when a frame shows another document, whose responses may differ, or is removed. */
  forget(frame: number): void {
    for (const key of this.#paths.keys()) if (key.startsWith(`${frame} `)) this.#paths.delete(key);
  }

  async #make(frame: number, address: string): Promise<string | undefined> {
    const { load, resource, keepsInline, work } = this.#options;
    const source = await load(frame, address);
    if (source === undefined) return undefined;
    const context: AddressContext = {
      base: baseAddress(address),
      page: pageAddress(address),
      still: false,
      resource: (kind, of) => resource(kind, of, frame),
      keepsInline,
    };
    const safe = counted(work, 'sanitizing', () => sanitizeSvg(source, context));
    return safe === undefined ? undefined : resource('i', `data:image/svg+xml,${encodeURIComponent(safe)}`, frame);
  }
}
