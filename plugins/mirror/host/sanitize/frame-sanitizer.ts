import { DOCUMENT_ID, OP } from '../../ops.ts';
import type { Batch } from '../../ops.ts';
import { baseAddress, pageAddress } from './addresses.ts';
import type { AddressContext, KeepsInline, ResourceKind } from './addresses.ts';
import { BatchSanitizer } from './batch-sanitizer.ts';
import type { SafeBatch } from './batch-sanitizer.ts';
import { fontNames } from './css-fonts.ts';
import type { FontNames } from './css-fonts.ts';
import { CANVAS, classAt, NODE } from './element-classes.ts';
import { checkBatch, refused } from './grammar.ts';
import { NodePages, NodeTable } from './node-table.ts';
import { Originals } from './originals.ts';
import type { Revealed } from './originals.ts';

/** Maximum number of sheet owners whose address is kept. */
const MAX_SHEET_ADDRESSES = 4096;
/** Maximum total length of those addresses, in UTF-16 units. */
const MAX_SHEET_UNITS = 1024 * 1024;

/**
 * Sanitizes the untrusted batches of one frame, in order. It does no I/O and keeps only the state that later ops need. Content that is
 * well-formed and not allowed is dropped or replaced; a breach of the grammar refuses the whole batch, because the sender is
 * broken or hostile and the two trees differ.
 */
export class FrameSanitizer {
  readonly #resource: (kind: ResourceKind, address: string) => string;
  readonly #keepsInline: KeepsInline | undefined;
  readonly #showsCanvases: () => boolean;
  readonly #mapsFonts: () => boolean;
  readonly #applications: () => readonly string[];
  #epoch: number | undefined;
  #fonts: FontNames | undefined;
  readonly #nodes: NodeTable;
  #originals = new Originals();
  #base = 'about:blank';
  #page = 'about:blank';
  #still = false;
  /** Addresses of the sheets of owners: rules that script has changed still have relative addresses. */
  #sheetAddresses = new Map<number, string>();
  #sheetUnits = 0;

  /**
   * `showsCanvases`: whether the policy currently allows pictures of canvases; `mapsFonts`: whether a document that starts now is shown
   * in the surrogate's fonts, by a sheet of the host's own; `nodePages`: counts the nodes of all frames of a tab; `applications`: links that the
   * policy currently allows to open the person's own applications.
   */
  constructor(
    resource: (kind: ResourceKind, address: string) => string,
    keepsInline?: KeepsInline,
    showsCanvases = (): boolean => true,
    mapsFonts = (): boolean => false,
    nodePages = new NodePages(),
    applications = (): readonly string[] => [],
  ) {
    this.#nodes = new NodeTable(nodePages);
    this.#resource = resource;
    this.#keepsInline = keepsInline;
    this.#showsCanvases = showsCanvases;
    this.#mapsFonts = mapsFonts;
    this.#applications = applications;
  }

  /** @throws AppError `mirror-refused`; after that only a batch that starts with a `doc` op is accepted. */
  sanitize(batch: Batch): SafeBatch {
    try {
      checkBatch(batch);
      const first = batch.ops[0];
      if (first?.[0] !== OP.doc && batch.epoch !== this.#epoch) throw refused('a batch of an epoch without a document');
      return new BatchSanitizer(this, batch).run();
    } catch (thrown) {
      this.#epoch = undefined;
      throw thrown;
    }
  }

  /** Context for the document's addresses. */
  get context(): AddressContext {
    return {
      base: this.#base,
      page: this.#page,
      still: this.#still,
      resource: this.#resource,
      keepsInline: this.#keepsInline,
      applications: this.#applications(),
      fonts: this.#fonts,
      asked: this.#originals.asked,
    };
  }

  /** Families that the document has named so far, if it is shown in the surrogate's fonts. */
  get fonts(): FontNames | undefined {
    return this.#fonts;
  }

  get nodes(): NodeTable {
    return this.#nodes;
  }

  get originals(): Originals {
    return this.#originals;
  }

  /** Whether the picture of a node is hidden from the person. */
  hidesPicture(id: number): boolean {
    return classAt(this.#nodes.get(id)) === CANVAS && !this.#showsCanvases();
  }

  /** Returns withheld attributes that must be sent now, because sheets of the document ask for them. */
  reveal(): Revealed[] {
    return this.#originals.reveal();
  }

  /** Starts a document. */
  begin(epoch: number, page: string, base: string, still: boolean): void {
    this.#still = still;
    this.#epoch = epoch;
    this.#fonts = this.#mapsFonts() ? fontNames() : undefined;
    this.#nodes.clear();
    this.#nodes.set(DOCUMENT_ID, NODE.document);
    this.#originals = new Originals();
    this.#sheetAddresses = new Map();
    this.#sheetUnits = 0;
    this.#page = pageAddress(page);
    this.#base = baseAddress(base);
  }

  /** Drops the state of the document. Only a batch that starts with a `doc` op is accepted then. */
  end(): void {
    this.#epoch = undefined;
    this.#nodes.clear();
    this.#originals = new Originals();
    this.#sheetAddresses = new Map();
    this.#sheetUnits = 0;
  }

  rebase(base: string): void {
    this.#base = baseAddress(base);
  }

  /** Returns the address against which a sheet's own addresses are resolved. */
  sheetAddress(owner: number): string {
    return this.#sheetAddresses.get(owner) ?? this.#base;
  }

  /** Records the address of an owner's sheet. */
  noteSheet(owner: number, address: string): void {
    const known = this.#sheetAddresses;
    const base = baseAddress(address);
    this.#sheetUnits += base.length - (known.get(owner)?.length ?? 0);
    known.delete(owner);
    known.set(owner, base);
    for (const [oldest, { length }] of known) {
      if (known.size <= MAX_SHEET_ADDRESSES && this.#sheetUnits <= MAX_SHEET_UNITS) break;
      known.delete(oldest);
      this.#sheetUnits -= length;
    }
  }
}
