import type { Readable } from 'node:stream';
import { freeMemory } from './free-memory.ts';

/**
 * Passes bytes on, as `pipe` does. Errors and early ends of either side are for the caller.
 *
 * @param written called with each chunk once it is written: frees its memory unless given
 */
export function pass(
  from: Readable,
  to: NodeJS.WritableStream,
  written: (chunk: Uint8Array) => void = freeMemory,
): void {
  from.on('data', (chunk: Uint8Array) => {
    const goesOn = to.write(chunk, (error) => {
      if (!error) written(chunk);
    });
    if (!goesOn) from.pause();
  });
  to.on('drain', () => from.resume());
  from.once('end', () => to.end());
}
