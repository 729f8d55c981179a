import { AppError, imageType, pictureSize } from '../../../host/plugin.ts';
import type { ByteStream } from '../../../host/plugin.ts';
import type { ClipboardContent } from './clipboard.ts';
import { KINDS, MAX_TEXT, PICTURE_TYPES } from '../protocol.ts';
import type { Kind, PasteRequest } from '../protocol.ts';

/** Timeout of the wait for the next bytes of a paste, in ms. */
export const PIECE_DEADLINE_MS = 20_000;
/** Pastes that may be on their way at once: past it a client is not a person's. */
const MAX_UNDER_WAY = 4;
/** Pixels of the largest picture: what a decoder makes of a small file may be large. */
const MAX_PIXELS = 50_000_000;

/** Pastes on their way from the client. */
export class Incoming {
  readonly #underWay = new Set<ByteStream>();

  /** Waits for a paste. Resolves with what has come whole and is what it says; undefined when that is nothing. Never rejects. */
  async expect(request: PasteRequest, body: ByteStream): Promise<ClipboardContent | undefined> {
    if (this.#underWay.size >= MAX_UNDER_WAY) {
      body.cancel();
      return undefined;
    }
    this.#underWay.add(body);
    const late = (): void => body.cancel(new AppError('paste-late', 'what is pasted does not come'));
    const timer = setTimeout(late, PIECE_DEADLINE_MS);
    try {
      const announced = KINDS.reduce((sum, kind) => sum + request[kind], 0);
      return contentOf(request, await read(body, announced, () => timer.refresh()));
    } catch {
      return undefined; // it is not coming
    } finally {
      clearTimeout(timer);
      this.#underWay.delete(body);
    }
  }

  /** The tab has ended, or its client is another: what is still to come never will. */
  dispose(): void {
    for (const body of this.#underWay) body.cancel();
  }
}

/** Reads a body. @throws AppError `body-too-large` for one that has more than was announced, or why it does not come. */
async function read(body: ByteStream, announced: number, onProgress: () => void): Promise<Uint8Array> {
  const bytes = new Uint8Array(announced);
  let at = 0;
  for await (const piece of body) {
    onProgress();
    if (at + piece.length > announced) throw new AppError('body-too-large', 'more is pasted than was announced');
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes.subarray(0, at);
}

/** Returns the announced kinds that have arrived whole and are what they claim to be. */
function contentOf(request: PasteRequest, bytes: Uint8Array): ClipboardContent | undefined {
  let at = 0;
  const next = (kind: Kind): Uint8Array | undefined => {
    const own = bytes.subarray(at, at + request[kind]);
    at += request[kind];
    return own.length > 0 && own.length === request[kind] ? own : undefined;
  };
  const [text, html, rtf] = [textOf(next('text')), textOf(next('html')), textOf(next('rtf'))];
  const picture = pictureOf(next('picture'));
  const content = {
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(rtf !== undefined && { rtf }),
    ...(picture && { picture }),
  };
  return Object.keys(content).length > 0 ? content : undefined;
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  const text = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text !== undefined && text.length <= MAX_TEXT ? text : undefined;
}

/** A picture that is one by its own look, of a type and size that may be decoded. */
function pictureOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  const type = bytes && imageType(bytes);
  if (!bytes || type === undefined || !PICTURE_TYPES.includes(type)) return undefined;
  const size = pictureSize(type, bytes);
  return size && size.width * size.height <= MAX_PIXELS ? bytes : undefined;
}
