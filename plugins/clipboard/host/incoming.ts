import { imageType, pictureSize } from '../../../host/plugin.ts';
import type { ClipboardContent } from './clipboard.ts';
import { KINDS, PICTURE_TYPES } from '../protocol.ts';
import type { Kind, PasteRequest } from '../protocol.ts';

/** How long the next part of a paste is waited for, in ms. */
export const PART_DEADLINE_MS = 20_000;
/** Pastes that may be on their way at once: past it a client is not a person's. */
const MAX_UNDER_WAY = 4;
/** Pixels of the largest picture: what a decoder makes of a small file may be large. */
const MAX_PIXELS = 50_000_000;

interface Transit {
  readonly left: Record<Kind, number>;
  readonly parts: Record<Kind, string[]>;
  readonly settle: (content: ClipboardContent | undefined) => void;
  readonly timer: NodeJS.Timeout;
}

/** Pastes on their way from the client: puts their parts together. */
export class Incoming {
  readonly #underWay = new Map<number, Transit>();

  /** Waits for a paste's parts. Resolves with what has come whole and is what it says; undefined when that is nothing. Never rejects. */
  expect({ id, text, html, rtf, picture }: PasteRequest): Promise<ClipboardContent | undefined> {
    if (this.#underWay.has(id) || this.#underWay.size >= MAX_UNDER_WAY) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<ClipboardContent | undefined>();
    const timer = setTimeout(() => resolve(undefined), PART_DEADLINE_MS);
    this.#underWay.set(id, {
      left: { text, html, rtf, picture },
      parts: { text: [], html: [], rtf: [], picture: [] },
      settle: resolve,
      timer,
    });
    this.#settleIfWhole(id);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#underWay.delete(id);
    });
  }

  /** Takes a part. One that nobody waits for, or that is more than was announced, is dropped. */
  take(id: number, kind: Kind, data: string | null): void {
    const transit = this.#underWay.get(id);
    if (!transit) return;
    transit.timer.refresh();
    if (data === null || data.length === 0 || data.length > transit.left[kind]) {
      transit.left[kind] = 0;
      transit.parts[kind] = [];
    } else {
      transit.left[kind] -= data.length;
      transit.parts[kind].push(data);
    }
    this.#settleIfWhole(id);
  }

  /** The tab has ended, or its client is another: what is still to come never will. */
  dispose(): void {
    for (const { settle } of this.#underWay.values()) settle(undefined);
  }

  #settleIfWhole(id: number): void {
    const transit = this.#underWay.get(id);
    if (!transit || KINDS.some((kind) => transit.left[kind] > 0)) return;
    const { text, html, rtf, picture } = transit.parts;
    const bytes = picture.length > 0 ? pictureOf(picture.join('')) : undefined;
    const content = {
      ...(text.length > 0 && { text: text.join('') }),
      ...(html.length > 0 && { html: html.join('') }),
      ...(rtf.length > 0 && { rtf: rtf.join('') }),
      ...(bytes && { picture: bytes }),
    };
    transit.settle(Object.keys(content).length > 0 ? content : undefined);
  }
}

/** A picture that is one by its own look, of a type and size that may be decoded. */
function pictureOf(base64: string): Uint8Array | undefined {
  const bytes = Buffer.from(base64, 'base64');
  const type = imageType(bytes);
  if (type === undefined || !PICTURE_TYPES.includes(type)) return undefined;
  const size = pictureSize(type, bytes);
  return size && size.width * size.height <= MAX_PIXELS ? bytes : undefined;
}
