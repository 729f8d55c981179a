/** Worker thread that cuts pieces out of fonts: one piece takes up to half a second of processor time. */
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import subsetFont from 'subset-font';
import { rangesOf } from './pieces.ts';
import { singleFont } from './sfnt.ts';
import type { Cut, CutAnswer } from './cutter.ts';

/** Largest font file that is cut. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

parentPort?.on('message', ({ id, file, index, piece }: Cut) => {
  const answer = (cut: Omit<CutAnswer, 'id'>): void => parentPort?.postMessage({ id, ...cut });
  cut(file, index, piece).then(
    (bytes) => answer({ bytes }),
    (thrown: unknown) => answer({ fault: String(thrown) }),
  );
});

async function cut(file: string, index: number, piece: string): Promise<Uint8Array> {
  const bytes = await readFile(file);
  if (bytes.length > MAX_FILE_BYTES) throw new Error('too large');
  let text = '';
  for (const [first, last] of rangesOf(piece)) {
    for (let code = first; code <= last; code++) if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
  }
  return subsetFont(singleFont(bytes, index & 0xffff), text, { targetFormat: 'woff2' });
}
