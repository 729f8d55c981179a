/** Decoders: one process for the pictures of each person, and one for the fonts of this machine. */
import { createReadStream } from 'node:fs';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import type { CutFont } from '../fonts/system-fonts.ts';
import type { LinkAnswer, LinkRequest } from '../link/api.ts';
import type { StartCell } from './cell-process.ts';
import { Decoder } from './decoder.ts';
import type { DecoderOptions } from './decoder.ts';
import { pictureJobSchema, pictureMadeSchema, readBody, TO_DECODER, TO_GATEWAY } from './protocol.ts';

/** Time for one picture, and for one piece of a font, in ms: large ones take seconds. */
const PICTURE_MS = 30_000;
const CUT_MS = 60_000;
/** Pieces of fonts that may wait, of all people: browsers do not ask for one again. */
const MAX_PIECES_WAITING = 1000;
/** Largest piece of a font that a decoder may answer with, in bytes. */
const MAX_PIECE_BYTES = 64 * 1024 * 1024;

/** The decoder of one person's pictures. */
interface PictureDecoder {
  /** Answers the call of a cell. @throws AppError as `ConvertPicture` */
  convert(request: LinkRequest): Promise<LinkAnswer>;
  /** Ends it. Idempotent. */
  close(): void;
}

/** The decoders of this host. Whoever made them closes them. */
export interface Decoders {
  /** Makes the decoder of a person; its process starts with the first picture. */
  forPerson(): PictureDecoder;
  /** Cuts pieces out of the fonts of this machine. */
  readonly cutFont: CutFont;
  /** Running processes. */
  readonly running: number;
  /** Ends all. Idempotent. */
  close(): Promise<void>;
}

interface DecodersOptions extends Pick<DecoderOptions, 'onFault' | 'log' | 'idleMs'> {
  readonly start: StartCell;
  /** {@link PICTURE_MS} unless given. */
  readonly pictureMs?: number;
}

/** Makes the decoders; the process of each starts with its first job. */
export function createDecoders({ pictureMs = PICTURE_MS, ...options }: DecodersOptions): Decoders {
  const fonts = new Decoder({ name: 'fonts', maxWaiting: MAX_PIECES_WAITING, ...options });
  const all = new Set([fonts]);
  return {
    forPerson() {
      const decoder = new Decoder({ name: 'pictures', ...options });
      all.add(decoder);
      return {
        async convert({ params, body, signal }) {
          const asked = validate(pictureJobSchema, params, TO_GATEWAY.convertPicture);
          const checked = (value: unknown): unknown => validate(pictureMadeSchema, value, TO_DECODER.picture);
          const job = { method: TO_DECODER.picture, params: asked, checked, deadlineMs: pictureMs, signal };
          return decoder.call({ ...job, ...(body && { body }) });
        },
        close() {
          void decoder.close().finally(() => all.delete(decoder));
        },
      };
    },
    async cutFont(file, index, piece) {
      const { signal } = new AbortController();
      const job = { method: TO_DECODER.cut, params: { index, piece }, checked: () => null, deadlineMs: CUT_MS, signal };
      const { body } = await fonts.call({ ...job, body: contentOf(file) });
      if (!body) throw new AppError('font-broken', 'The font cannot be cut.');
      return readBody(body as AsyncIterable<Uint8Array>, MAX_PIECE_BYTES); // of another link
    },
    get running() {
      return [...all].filter(({ isRunning }) => isRunning).length;
    },
    close: async () => {
      await Promise.all([...all].map((each) => each.close()));
    },
  };
}

/** A file, opened once it is read. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Uint8Array>; // without an encoding
}
