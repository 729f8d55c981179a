import { createHmac } from 'node:crypto';
import { AppError } from '../../../core/protocol/errors.ts';
import type { ConvertPicture } from '../../contracts/pictures.ts';
import type { Work } from '../../contracts/work.ts';
import type { ResourceAnswer } from './resource-answer.ts';
import { notFound } from '../../resources/data-address.ts';
import { etagOf, resourceHeaders } from '../../resources/resource-headers.ts';
import { fontType } from '../../resources/sniff.ts';
import { BodySource, isFollowed } from './body-source.ts';
import type { BodyTurns } from './body-turns.ts';
import { NEVER_KEPT } from './freshness.ts';
import { Pictures } from './pictures.ts';
import type { PictureRules, Typed } from './pictures.ts';
import type { ResourceCdp } from './resource-cdp.ts';

/** Kinds of resource: pictures, fonts, media, style sheets. */
export type ResourceKind = 'i' | 'f' | 'm' | 's';

/** Maximum number of addresses with a token per tab, and their total length in UTF-16 units; the oldest are evicted. */
const MAX_ENTRIES = 50_000;
const MAX_ENTRY_UNITS = 64 * 1024 * 1024;
/** Maximum time for which the person's browser may cache a resource, in seconds. */
const KEEP_SECONDS = 3600;
/** Maximum number of frames remembered per address. */
const MAX_FRAMES = 4;
/** Maximum number of successive documents that are tried when a frame navigates while a resource is fetched. */
const MAX_DOCUMENTS = 3;

interface Entry {
  readonly kind: ResourceKind;
  readonly address: string;
  /** Partition of the documents that the token is for: see {@link ResourceCdp.partitionOf}. */
  readonly partition: string;
  /** Picture settings of the policy when the token was created. */
  readonly rules: string;
  /**
   * Frames that have registered the address, the latest last: the resource is fetched in the last one that still
   * exists.
   */
  frames: readonly number[];
  /** Browsers request it by themselves, as they do icons: it is requested even if the page has not. */
  isBrowsers: boolean;
}

/** Options of a store. */
interface ResourceStoreOptions {
  /** Identifies the tab in its tokens: letters, digits, `-` and `_`. */
  readonly tabKey: string;
  /** Secret key of tokens; the same for all tabs of a person. */
  readonly secret: Uint8Array;
  readonly cdp: ResourceCdp;
  readonly convert: ConvertPicture;
  /** Called with the size of each picture and font that is fetched, in bytes. */
  readonly spend: Work['spend'];
  /** Turns of all tabs of the cell. */
  readonly turns: BodyTurns;
  /** Returns the picture settings of the policy now. */
  readonly pictures: () => PictureRules;
  /** Whether the policy lets the person's browser have something requested that the page has not requested in the surrogate. */
  readonly mayRequest: () => boolean;
}

/**
 * Resources that one tab's page shows beside its markup: addresses leave as opaque tokens, and tokens resolve to bytes
 * whose type was checked here. Documents of different origins have different tokens for an address, and get the bytes
 * that the surrogate has given to them: a site, or its service worker, cannot control the resources of another one.
 */
export class ResourceStore {
  readonly #options: ResourceStoreOptions;
  readonly #source: BodySource;
  readonly #pictures: Pictures;
  readonly #entries = new Map<string, Entry>();
  readonly #macs = new Map<string, string>();
  readonly #inFlight = new Map<string, Promise<ResourceAnswer>>();
  #units = 0;
  /** Picture settings of the policy, cached until the end of the microtask queue. */
  #rulesNow: string | undefined;

  constructor(options: ResourceStoreOptions) {
    this.#options = options;
    this.#source = new BodySource(options.cdp, options.turns.room);
    this.#pictures = new Pictures(options.convert);
  }

  /**
   * Path of the token of an address; the resource is fetched in `frame`. Documents of the same origins get the same
   * token while the picture settings stay the same.
   */
  token(kind: ResourceKind, address: string, frame: number): string {
    const partition = this.#options.cdp.partitionOf(frame);
    const rules = kind === 'i' ? (this.#rulesNow ??= this.#readRules()) : '';
    const key = `${kind}\n${partition}\n${rules}\n${address}`;
    let mac = this.#macs.get(key);
    const known = mac === undefined ? undefined : this.#entries.get(mac);
    if (mac === undefined || !known) {
      mac = createHmac('sha256', this.#options.secret).update(key).digest('base64url');
      this.#add(key, mac, { kind, address, partition, rules, frames: [frame], isBrowsers: false });
    } else if (known.frames.at(-1) !== frame) {
      known.frames = [...known.frames.filter((each) => each !== frame), frame].slice(-MAX_FRAMES);
    }
    return `/c/${kind}/${this.#options.tabKey}.${mac}`;
  }

  /** Has the resource of a token requested as browsers request icons, whether or not the page has. */
  requestAsBrowser(mac: string): void {
    const entry = this.#entries.get(mac);
    if (entry) entry.isBrowsers = true;
  }

  /**
   * Opens the resource of a token, by the part after the tab's key.
   *
   * @throws AppError `resource-not-found`, `resource-type`, `resource-too-large`, `resource-timeout`, `resource-busy`.
   */
  open(kind: string, mac: string): Promise<ResourceAnswer> {
    const entry = this.#entries.get(mac);
    if (entry?.kind !== kind) return Promise.reject(new AppError('resource-not-found', 'There is no such resource.'));
    let opening = this.#inFlight.get(mac);
    if (!opening) {
      opening = this.#open(entry).finally(() => this.#inFlight.delete(mac));
      this.#inFlight.set(mac, opening);
    }
    return opening;
  }

  async #open(entry: Entry): Promise<ResourceAnswer> {
    try {
      return await this.#inTurn(entry);
    } catch (thrown) {
      if (await isFollowed(thrown)) return this.#inTurn(entry);
      throw thrown;
    }
  }

  async #inTurn(entry: Entry): Promise<ResourceAnswer> {
    const release = await this.#options.turns.take(this);
    try {
      return await this.#opened(entry, MAX_DOCUMENTS);
    } finally {
      release();
    }
  }

  async #opened(entry: Entry, documents: number): Promise<ResourceAnswer> {
    const { cdp } = this.#options;
    const isTheirs = (frame: number): boolean => cdp.partitionOf(frame) === entry.partition;
    // The frames that registered it may be gone, while a resource of an earlier frame is still shown.
    const frame = entry.frames.findLast(isTheirs) ?? cdp.frames().find(isTheirs);
    if (frame === undefined) throw notFound();
    const document = cdp.documentOf(frame);
    const isStill = (): boolean => isTheirs(frame) && cdp.documentOf(frame) === document;
    try {
      if (!(await cdp.isConfirmed(frame))) throw notFound(); // its process names the origin of another site
      const answer = await this.#answer(entry, frame, document);
      if (!isStill()) throw notFound(); // by now another site may be there, with other bytes
      return answer;
    } catch (thrown) {
      if (isStill() || documents <= 1) throw thrown;
      return this.#opened(entry, documents - 1); // another document of the same site may have followed
    }
  }

  async #answer(entry: Entry, frame: number, document?: string): Promise<ResourceAnswer> {
    const { kind, address, rules: expected } = entry;
    const mayRequest = entry.isBrowsers || this.#options.mayRequest();
    const body = await this.#source.body(address, frame, document, mayRequest);
    if (kind === 'i' || kind === 'f') this.#options.spend(kind === 'i' ? 'pictures' : 'fonts', body.bytes.length);
    const rules = this.#options.pictures();
    const { type, bytes } = kind === 'i' ? await this.#pictures.shown(body.bytes, rules) : other(kind, body.bytes);
    // A picture converted by other settings than the token's must not be cached under it.
    const isLasting = kind !== 'i' || JSON.stringify(rules) === expected;
    return { headers: headersOf(type, bytes, isLasting ? body.fresh : NEVER_KEPT), body: bytes };
  }

  /** All tokens of one batch are created in one go. */
  #readRules(): string {
    queueMicrotask(() => (this.#rulesNow = undefined));
    return JSON.stringify(this.#options.pictures());
  }

  #add(key: string, mac: string, entry: Entry): void {
    this.#entries.set(mac, entry);
    this.#macs.set(key, mac);
    this.#units += key.length;
    for (const [oldKey, oldMac] of this.#macs) {
      if (this.#macs.size <= MAX_ENTRIES && this.#units <= MAX_ENTRY_UNITS) break;
      this.#macs.delete(oldKey);
      this.#entries.delete(oldMac);
      this.#units -= oldKey.length;
    }
  }
}

/** Resources that are not pictures; media and style sheets are not supported yet. */
function other(kind: ResourceKind, bytes: Uint8Array): Typed {
  const type = kind === 'f' ? fontType(bytes) : undefined;
  if (type === undefined) throw new AppError('resource-type', 'The type of the resource is not supported.');
  return { type, bytes };
}

/** Headers of a body; `fresh`: seconds of its freshness (`freshness.ts`). */
function headersOf(type: string, bytes: Uint8Array, fresh: number): Record<string, string> {
  return resourceHeaders({ type, etag: etagOf(bytes), cacheControl: cacheControl(fresh) });
}

function cacheControl(fresh: number): string {
  if (fresh === NEVER_KEPT) return 'private, no-store';
  return fresh > 0 ? `private, max-age=${Math.min(fresh, KEEP_SECONDS)}, immutable` : 'private, no-cache';
}
