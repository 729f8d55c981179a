import { DOCUMENT_ID, OP } from '../../ops.ts';
import type { Batch } from '../../ops.ts';
import type { AddressContext, KeepsInline, ResourceKind } from './addresses.ts';
import { safePicture } from './attributes.ts';
import { BatchSanitizer } from './batch-sanitizer.ts';
import type { SafeBatch } from './batch-sanitizer.ts';
import { fontNames } from './css-fonts.ts';
import type { FontNames } from './css-fonts.ts';
import { CANVAS, classAt, NODE } from './element-classes.ts';
import { checkBatch, refused } from './grammar.ts';
import { NodeTable } from './node-table.ts';
import { Originals } from './originals.ts';
import type { Revealed } from './originals.ts';

/** Most sheet owners whose address is remembered. */
const MAX_SHEET_ADDRESSES = 4096;

/**
 * Turns the untrusted batches of one frame into safe ones, in order: no I/O, no state but what later ops are judged by. What is
 * well-formed and not allowed is left out or replaced; what does not fit the grammar refuses the whole batch, because the sender is
 * broken or hostile and the two trees have parted.
 */
export class FrameSanitizer {
  readonly #resource: (kind: ResourceKind, address: string) => string;
  readonly #keepsInline: KeepsInline | undefined;
  readonly #showsCanvases: () => boolean;
  readonly #mapsFonts: () => boolean;
  #epoch: number | undefined;
  #fonts: FontNames | undefined;
  #nodes = new NodeTable();
  #originals = new Originals();
  #base = 'about:blank';
  #page = 'about:blank';
  #still = false;
  /** Where the sheets of owners came from: rules that script has changed still have relative addresses. */
  #sheetAddresses = new Map<number, string>();

  /**
   * `showsCanvases`: whether the policy lets pictures of canvases out, now; `mapsFonts`: whether a document that begins now is shown
   * in the surrogate's fonts, by a sheet of the host's own.
   */
  constructor(
    resource: (kind: ResourceKind, address: string) => string,
    keepsInline?: KeepsInline,
    showsCanvases = (): boolean => true,
    mapsFonts = (): boolean => false,
  ) {
    this.#resource = resource;
    this.#keepsInline = keepsInline;
    this.#showsCanvases = showsCanvases;
    this.#mapsFonts = mapsFonts;
  }

  /** @throws AppError `mirror-refused`; after that only a batch that begins with a `doc` op is taken. */
  sanitize(batch: Batch): SafeBatch {
    try {
      checkBatch(batch);
      const first = batch.ops[0];
      if (first?.[0] !== OP.doc && batch.epoch !== this.#epoch)
        throw refused('a batch of an epoch that has no document');
      return new BatchSanitizer(this, batch).run();
    } catch (thrown) {
      this.#epoch = undefined;
      throw thrown;
    }
  }

  /** What addresses of the document mean. */
  get context(): AddressContext {
    return {
      base: this.#base,
      page: this.#page,
      still: this.#still,
      resource: this.#resource,
      keepsInline: this.#keepsInline,
      fonts: this.#fonts,
    };
  }

  /** The families that the document names so far, if it is shown in the surrogate's fonts. */
  get fonts(): FontNames | undefined {
    return this.#fonts;
  }

  get nodes(): NodeTable {
    return this.#nodes;
  }

  get originals(): Originals {
    return this.#originals;
  }

  /** The picture that a node shows now, as it may leave; empty for none. */
  picture(id: number, picture: string): string {
    const isHidden = classAt(this.#nodes.get(id)) === CANVAS && !this.#showsCanvases();
    return isHidden ? '' : safePicture(picture, this.context);
  }

  /** Attributes of nodes so far that have to be sent because a safe sheet of the document asks for them. */
  reveal(sheet: string): Revealed[] {
    return this.#originals.reveal(sheet);
  }

  /** Begins a document. */
  begin(epoch: number, page: string, base: string, still: boolean): void {
    this.#still = still;
    this.#epoch = epoch;
    this.#fonts = this.#mapsFonts() ? fontNames() : undefined;
    this.#nodes = new NodeTable();
    this.#nodes.set(DOCUMENT_ID, NODE.document);
    this.#originals = new Originals();
    this.#sheetAddresses = new Map();
    this.#page = page;
    this.#base = base;
  }

  rebase(base: string): void {
    this.#base = base;
  }

  /** The address that a sheet's own addresses are resolved against; noted when it is given. */
  sheetAddress(owner: number, address?: string): string {
    if (address === undefined) return this.#sheetAddresses.get(owner) ?? this.#base;
    if (this.#sheetAddresses.size >= MAX_SHEET_ADDRESSES) this.#sheetAddresses.clear();
    this.#sheetAddresses.set(owner, address);
    return address;
  }
}
