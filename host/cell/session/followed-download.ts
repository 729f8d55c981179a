import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../core/protocol/errors.ts';
import { giveBack, takePiece } from '../../link/pieces.ts';

/** Pieces of 64 KiB that are read at once: each read costs a turn of a thread. */
const PIECES = 8;
/** Bytes that are hashed at once where a file is read a second time. */
const HASHED_BYTES = 1024 * 1024;
/** Time until the file is looked at again, in ms, when the browser has said nothing: its events come up to 170 MB apart. */
const LOOK_MS = 50;
/** Number of times that a file of a completed download, or the rest of it, is looked for. */
const LAST_LOOKS = 40;
/** The browser may put a link here, or a pipe, which would wait for ever. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** State of a download, as the browser says it. */
interface DownloadState {
  readonly state: 'growing' | 'completed' | 'canceled';
  readonly received: number;
}

/**
 * Reads the file of a download while the browser writes it. @throws AppError as `SurrogateDownload.bytes`
 *
 * @param file the path of the finished file; until then Chromium adds `.crdownload`.
 */
export async function* followedDownload(
  file: string,
  now: () => DownloadState,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let handle = await opened(file, now, signal);
  try {
    let read = 0;
    for (let looks = 0; ;) {
      const { state, received } = now(); // before the read: what is written later is read in the next turn
      if (state === 'canceled') throw canceled(signal);
      const chunks = await readOn(handle);
      for (const chunk of chunks) {
        read += chunk.length;
        yield chunk;
      }
      if (chunks.length > 0) {
        looks = 0;
      } else {
        if (state === 'completed') {
          if (read === received) return;
          if ((looks += 1) > LAST_LOOKS || read > received)
            throw new AppError('download-lost', `The file has ${read} bytes, the browser has received ${received}.`);
        }
        await pause(signal);
        if (read === 0) {
          // An empty file may have held the name, until the one with the bytes took its place.
          await handle.close();
          handle = await opened(file, now, signal);
        }
      }
      if (signal.aborted) throw canceled(signal);
    }
  } finally {
    await handle.close();
  }
}

/**
 * SHA-256 of the file of a completed download of so many bytes, hexadecimal; undefined where it has more. @throws AppError `download-lost`,
 * `download-canceled`
 */
export async function digestOf(file: string, size: number, signal: AbortSignal): Promise<string | undefined> {
  await using handle = await opened(file, () => ({ state: 'completed' }), signal);
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(HASHED_BYTES);
  for (let at = 0; at <= size;) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (signal.aborted) throw canceled(signal);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return undefined;
}

/** Reads on, into pieces, which the link takes back. @returns nothing at the end of the file */
async function readOn(handle: FileHandle): Promise<Uint8Array[]> {
  const pieces = Array.from({ length: PIECES }, takePiece);
  const { bytesRead } = await handle.readv(pieces);
  return pieces.flatMap((piece, at) => {
    const filled = Math.min(piece.length, bytesRead - at * piece.length);
    if (filled > 0) return [filled < piece.length ? piece.subarray(0, filled) : piece];
    giveBack(piece);
    return [];
  });
}

/** Opens the file as soon as it is there: the unfinished one first, since a finished one of 0 bytes may stand beside it for a moment. */
async function opened(file: string, now: () => Pick<DownloadState, 'state'>, signal: AbortSignal): Promise<FileHandle> {
  for (let looks = 0; looks < LAST_LOOKS;) {
    const { state } = now();
    const found = (await tried(`${file}.crdownload`)) ?? (state === 'completed' ? await tried(file) : undefined);
    if (found) return found;
    if (state === 'canceled' || signal.aborted) throw canceled(signal);
    if (state === 'completed') looks += 1;
    await pause(signal);
  }
  throw new AppError('download-lost', 'The browser has not saved the file.');
}

async function tried(file: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, FLAGS);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException; // of `open`
    // The browser renames it, and only then makes it readable for others.
    if (code === 'ENOENT' || code === 'EACCES') return undefined;
    throw new AppError('download-lost', `The file of a download cannot be read: ${code ?? 'unknown'}.`, {
      cause: thrown,
    });
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new AppError('download-lost', 'The file of a download is no plain file.');
}

/** Ends early when the signal is aborted: it is for the caller to look at. */
const pause = (signal: AbortSignal): Promise<void> => delay(LOOK_MS, undefined, { signal }).catch(() => undefined);

/** The error of a signal that says why; a download that was removed, or canceled by the browser, has none. */
const canceled = ({ reason }: AbortSignal): AppError =>
  reason instanceof AppError ? reason : new AppError('download-canceled', 'The download was canceled, or has failed.');
