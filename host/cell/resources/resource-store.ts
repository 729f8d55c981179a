import { createHmac } from 'node:crypto';
import { AppError } from '../../../core/protocol/errors.ts';
import type { ResourceAnswer } from './resource-answer.ts';
import { notFound } from '../../resources/data-address.ts';
import { etagOf, resourceHeaders } from '../../resources/resource-headers.ts';
import { fontType } from '../../resources/sniff.ts';
import { BodySource } from './body-source.ts';
import { NEVER_KEPT } from './freshness.ts';
import { Pictures } from './pictures.ts';
import type { PictureRules, Typed } from './pictures.ts';
import type { ResourceCdp } from './resource-cdp.ts';

/** Kinds of resource: pictures, fonts, media, style sheets. */
export type ResourceKind = 'i' | 'f' | 'm' | 's';

/** Most addresses that a tab has tokens for, and what they may take up in UTF-16 units; the oldest go first. */
const MAX_ENTRIES = 50_000;
const MAX_ENTRY_UNITS = 64 * 1024 * 1024;
/** How long the person's browser may keep what may be kept, in seconds, at most. */
const KEEP_SECONDS = 3600;
/** What bodies of a tab may be under way at once. */
const MAX_CONCURRENT = 24;
/** Most frames that are remembered to have named an address. */
const MAX_FRAMES = 4;
/** How often the document that follows is asked for what the one before has been left without handing out. */
const MAX_DOCUMENTS = 3;

interface Entry {
  readonly kind: ResourceKind;
  readonly address: string;
  /** Whose documents the token is for: see {@link ResourceCdp.partitionOf}. */
  readonly partition: string;
  /** What the policy said of pictures when it was made. */
  readonly rules: string;
  /** The frames that have named the address, the last one last: in the last that is left the resource is fetched. */
  frames: readonly number[];
}

/** What a store is made with. */
interface ResourceStoreOptions {
  /** Names the tab in its tokens: letters, digits, `-` and `_`. */
  readonly tabKey: string;
  /** Known to nobody else; the same for all tabs of a person. */
  readonly secret: Uint8Array;
  readonly cdp: ResourceCdp;
  /** What the policy says of pictures now. */
  readonly pictures: () => PictureRules;
}

/**
 * What one tab's page shows beside its markup: addresses go out as tokens that cannot be guessed or read, and come back as bytes of a
 * type that was looked at here. Documents of different origins have different tokens for an address, and get what the surrogate has
 * given to them: a site, or its service worker, has no say in what another one shows.
 */
export class ResourceStore {
  readonly #options: ResourceStoreOptions;
  readonly #source: BodySource;
  readonly #pictures: Pictures;
  readonly #entries = new Map<string, Entry>();
  readonly #macs = new Map<string, string>();
  readonly #inFlight = new Map<string, Promise<ResourceAnswer>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #units = 0;
  /** What the policy says of pictures, for as long as nothing else can happen. */
  #rulesNow: string | undefined;

  constructor(options: ResourceStoreOptions) {
    this.#options = options;
    this.#source = new BodySource(options.cdp);
    this.#pictures = new Pictures(options.cdp);
  }

  /**
   * The path of the token of an address; `frame` names it, and is where the resource will be fetched. Same for documents of the same
   * origins while the policy says the same of pictures.
   */
  token(kind: ResourceKind, address: string, frame: number): string {
    const partition = this.#options.cdp.partitionOf(frame);
    const rules = kind === 'i' ? (this.#rulesNow ??= this.#readRules()) : '';
    const key = `${kind}\n${partition}\n${rules}\n${address}`;
    let mac = this.#macs.get(key);
    const known = mac === undefined ? undefined : this.#entries.get(mac);
    if (mac === undefined || !known) {
      mac = createHmac('sha256', this.#options.secret).update(key).digest('base64url');
      this.#add(key, mac, { kind, address, partition, rules, frames: [frame] });
    } else if (known.frames.at(-1) !== frame) {
      known.frames = [...known.frames.filter((each) => each !== frame), frame].slice(-MAX_FRAMES);
    }
    return `/c/${kind}/${this.#options.tabKey}.${mac}`;
  }

  /**
   * The resource of a token, by the part after the tab's key.
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
    const release = await this.#turn();
    try {
      return await this.#opened(entry, MAX_DOCUMENTS);
    } finally {
      release();
    }
  }

  async #opened(entry: Entry, documents: number): Promise<ResourceAnswer> {
    const { cdp } = this.#options;
    const isTheirs = (frame: number): boolean => cdp.partitionOf(frame) === entry.partition;
    // Those that have named it may be gone, while what another one has named earlier still shows it.
    const frame = entry.frames.findLast(isTheirs) ?? cdp.frames().find(isTheirs);
    if (frame === undefined) throw notFound();
    const document = cdp.documentOf(frame);
    const isStill = (): boolean => isTheirs(frame) && cdp.documentOf(frame) === document;
    try {
      const answer = await this.#answer(entry, frame, document);
      if (!isStill()) throw notFound(); // by now it may be another site's, bytes and all
      return answer;
    } catch (thrown) {
      if (isStill() || documents <= 1) throw thrown;
      return this.#opened(entry, documents - 1); // one of the same site may have followed
    }
  }

  async #answer({ kind, address, rules: expected }: Entry, frame: number, document?: string): Promise<ResourceAnswer> {
    const body = await this.#source.body(address, frame, document);
    const rules = this.#options.pictures();
    const { type, bytes } =
      kind === 'i' ? await this.#pictures.shown(body.bytes, frame, rules) : other(kind, body.bytes);
    // What is made by other rules than the token is for must not be met again under it.
    const isLasting = kind !== 'i' || JSON.stringify(rules) === expected;
    return { headers: headersOf(type, bytes, isLasting ? body.fresh : NEVER_KEPT), body: bytes };
  }

  /** Tokens of one batch are many, and made in one go. */
  #readRules(): string {
    queueMicrotask(() => (this.#rulesNow = undefined));
    return JSON.stringify(this.#options.pictures());
  }

  /** Waits for one of few places, so that memory stays bounded. */
  async #turn(): Promise<() => void> {
    if (this.#running >= MAX_CONCURRENT) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#running++;
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    };
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

/** What is no picture; nothing passes yet as media or style sheets. */
function other(kind: ResourceKind, bytes: Uint8Array): Typed {
  const type = kind === 'f' ? fontType(bytes) : undefined;
  if (type === undefined) throw new AppError('resource-type', 'The resource is of a type that is not shown.');
  return { type, bytes };
}

/** Headers of a body; `fresh`: seconds for which it is good (`freshness.ts`). */
function headersOf(type: string, bytes: Uint8Array, fresh: number): Record<string, string> {
  return resourceHeaders({ type, etag: etagOf(bytes), cacheControl: cacheControl(fresh) });
}

function cacheControl(fresh: number): string {
  if (fresh === NEVER_KEPT) return 'private, no-store';
  return fresh > 0 ? `private, max-age=${Math.min(fresh, KEEP_SECONDS)}, immutable` : 'private, no-cache';
}
