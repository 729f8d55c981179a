/** A decoder as the gateway sees it: answers its calls over a link, one after the other. */
import { createRequire } from 'node:module';
import { AppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { cutJobSchema, decoderSetUpSchema, pictureJobSchema, readBody, TO_DECODER } from '../cells/protocol.ts';
import type { LinkAnswer, LinkPeer } from '../link/api.ts';
import { MAX_RESOURCE_BYTES } from '../resources/data-address.ts';
import { cutPiece } from './cut.ts';
import type { SubsetFont } from './cut.ts';
import { confineSharp, convertedPicture } from './picture.ts';
import type { SharpModule } from './picture.ts';

/** Largest font file that is cut, in bytes. */
const MAX_FONT_BYTES = 64 * 1024 * 1024;

/** Makes this process a decoder. `params`: the modules that it imports, each with the first call that needs it. */
export function serveDecoder(peer: LinkPeer, params: unknown): void {
  const { modules } = validate(decoderSetUpSchema, params, TO_DECODER.setUp);
  const inTurn = oneAtATime();
  let sharp: SharpModule | undefined;
  let subsetFont: SubsetFont | undefined;
  peer.handle(TO_DECODER.picture, async ({ params: asked, body }) => {
    const form = validate(pictureJobSchema, asked, TO_DECODER.picture);
    return inTurn(async () => {
      const file = await readBody(body, MAX_RESOURCE_BYTES);
      sharp ??= confineSharp(imported(modules, 'sharp') as SharpModule); // its own module
      const { bytes, natural } = await convertedPicture(sharp, file, form);
      return { value: natural, body: bytes };
    });
  });
  peer.handle(TO_DECODER.cut, async ({ params: asked, body }) => {
    const { index, piece } = validate(cutJobSchema, asked, TO_DECODER.cut);
    return inTurn(async () => {
      const file = await readBody(body, MAX_FONT_BYTES);
      subsetFont ??= imported(modules, 'subset-font') as SubsetFont; // its own module
      return { body: await cutPiece(subsetFont, file, index, piece) };
    });
  });
}

/** @throws AppError `decoder-unavailable` where the package is missing, or has no program for this system */
function imported(modules: Readonly<Record<string, string>>, name: string): unknown {
  const entry = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (entry === undefined) throw new AppError('decoder-unavailable', `The package ${name} is not installed.`);
  try {
    return createRequire(entry)(entry) as unknown;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 500) : '';
    throw new AppError('decoder-unavailable', `The package ${name} cannot be loaded: ${why}`, { cause });
  }
}

/** A job that was given up still runs to its end: the next one waits for that. */
function oneAtATime(): (job: () => Promise<LinkAnswer>) => Promise<LinkAnswer> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const next = last.then(job);
    last = next.catch(() => undefined);
    return next;
  };
}
