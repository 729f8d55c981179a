import type { KeepsInline, ResourceKind } from './sanitize/addresses.ts';
import { sanitizeSvg } from './sanitize/svg-file.ts';
import type { LoadText } from './text-source.ts';

/** Most files that are remembered. */
const MAX_FILES = 200;

/** SVG files whose parts `use` elements show: sanitized, and served like pictures (the person's browser takes them from nowhere else). */
export class SvgFiles {
  readonly #load: LoadText;
  readonly #resource: (kind: ResourceKind, address: string, frame: number) => string;
  readonly #keepsInline: KeepsInline | undefined;
  readonly #paths = new Map<string, Promise<string | undefined>>();

  constructor(
    load: LoadText,
    resource: (kind: ResourceKind, address: string, frame: number) => string,
    keepsInline?: KeepsInline,
  ) {
    this.#load = load;
    this.#resource = resource;
    this.#keepsInline = keepsInline;
  }

  /** The path of a file's safe form, as soon as the surrogate has the file; undefined when it does not come. Never rejects. */
  path(frame: number, address: string): Promise<string | undefined> {
    const key = `${frame} ${address}`;
    const known = this.#paths.get(key);
    if (known) return known;
    if (this.#paths.size >= MAX_FILES) this.#paths.clear();
    const path = this.#make(frame, address);
    this.#paths.set(key, path);
    return path;
  }

  async #make(frame: number, address: string): Promise<string | undefined> {
    const source = await this.#load(frame, address);
    const resource = (kind: ResourceKind, of: string): string => this.#resource(kind, of, frame);
    const context = { base: address, page: address, still: false, resource, keepsInline: this.#keepsInline };
    const safe = source === undefined ? undefined : sanitizeSvg(source, context);
    if (safe === undefined) {
      this.#paths.delete(`${frame} ${address}`);
      return undefined;
    }
    return this.#resource('i', `data:image/svg+xml,${encodeURIComponent(safe)}`, frame);
  }
}
