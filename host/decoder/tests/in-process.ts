import { createRequire } from 'node:module';
import { linkPair } from '../../link/tests/memory.ts';
import type { ConvertPicture } from '../../contracts/pictures.ts';
import type { CellExit, StartCell } from '../../cells/cell-process.ts';
import { decoderPackages } from '../../cells/decoder-packages.ts';
import { createDecoders } from '../../cells/decoders.ts';
import type { Decoders } from '../../cells/decoders.ts';
import { silent } from '../../surrogate/tests/fixture.ts';
import { confineSharp, convertedPicture } from '../picture.ts';
import type { SharpModule } from '../picture.ts';
import { serveDecoder } from '../serve.ts';

/** The packages of decoders as this checkout has them. */
const PACKAGES = decoderPackages(import.meta.filename);

let confined: SharpModule | undefined;
/** The decoders of libvips, as in a decoder. */
export function sharpHere(): SharpModule {
  const load = createRequire(import.meta.filename);
  return (confined ??= confineSharp(load('sharp') as SharpModule)); // its own module
}

/** Converts pictures in this process. */
export const convertHere: ConvertPicture = (file, form) => convertedPicture(sharpHere(), Buffer.from(file), form);

/** A decoder in this process, behind a link that carries bytes alone. */
export function decoderHere(modules = PACKAGES.entries): StartCell {
  return async () => {
    const [gateway, own] = linkPair();
    const exit = Promise.withResolvers<CellExit>();
    return {
      peer: gateway,
      exited: exit.promise,
      setUp: async () => serveDecoder(own, { modules }),
      kill: async () => {
        own.close('killed');
        exit.resolve({ code: null, signal: 'SIGKILL' });
      },
    };
  };
}

/** Decoders in this process. */
export function decodersHere(options: { readonly idleMs?: number } = {}): Decoders {
  return createDecoders({ start: decoderHere(), onFault: () => undefined, log: silent, ...options });
}
