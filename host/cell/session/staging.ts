import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, utimes } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../core/protocol/errors.ts';
import type { FileDrag, StageRequest, StagingArea } from '../../contracts/surrogate-files.ts';

const MAX_PARTS = 20;
/** Bytes that are written at once. */
const BATCH_BYTES = 512 * 1024;
const MAX_PART_BYTES = 255;

/** Ways of paths into a page. */
interface PathWays {
  /** Gives them to an element. @throws AppError `frame-gone`, or as CdpBroker.send */
  give(target: Parameters<StagingArea['give']>[0], files: string[]): Promise<void>;
  /** See {@link StagingArea.drag}. */
  drag(files: readonly string[], ...rest: Parameters<StagingArea['drag']>): FileDrag;
}

/** Makes an area below the folder that the browser reads. */
export async function stagingArea(folder: string, ways: PathWays): Promise<StagingArea> {
  const own = path.join(folder, randomBytes(9).toString('hex'));
  await mkdir(own, { mode: 0o750 });
  const paths: string[] = [];
  const outermost = (): string[] => [...new Set(paths.map((file) => folderOf(own, file)))];
  return {
    async add({ path: parts, bytes, lastModified, signal }) {
      assertPath(parts);
      const file = path.join(own, ...parts);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o750 });
      try {
        const handle = await open(file, 'wx', 0o640);
        try {
          await writeBatches(handle, bytes, signal);
        } finally {
          await handle.close();
        }
        // Seconds with a fraction, cut off at the microsecond: half a millisecond more keeps the millisecond that pages read.
        if (lastModified !== undefined) await utimes(file, new Date(), (lastModified + 0.5) / 1000);
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException; // where it is one
        if (code === 'EEXIST') throw new AppError('file-exists', 'Two files have the same path.', { cause: thrown });
        await rm(file, { force: true });
        if (code === 'ENOSPC') throw new AppError('disk-full', 'The disk of the host is full.', { cause: thrown });
        throw thrown;
      }
      paths.push(file);
    },
    give: (target) => ways.give(target, target.asFolder === true ? outermost() : [...paths]),
    drag: (tab, isTaken) => ways.drag(outermost(), tab, isTaken),
    remove: () => rm(own, { recursive: true, force: true }).catch(() => undefined), // it goes with the browser
  };
}

/** Writes all bytes, many at once: each write costs a turn of a thread. Throws the reason of the signal. */
async function writeBatches(handle: FileHandle, bytes: StageRequest['bytes'], signal?: AbortSignal): Promise<void> {
  const batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let filled = 0;
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + BATCH_BYTES - filled);
      batch.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < BATCH_BYTES) continue;
      await handle.writeFile(batch);
      filled = 0;
    }
    bytes.spent?.(chunk);
  }
  await handle.writeFile(batch.subarray(0, filled));
}

/** The outermost folder of a file. */
function folderOf(own: string, file: string): string {
  return path.join(own, path.relative(own, file).split(path.sep, 1)[0] ?? '');
}

/** @throws AppError `bad-file-path` */
function assertPath(parts: StageRequest['path']): void {
  const isGood = (part: string): boolean =>
    part !== '' && part !== '.' && part !== '..' && !/[/\\\0]/.test(part) && Buffer.byteLength(part) <= MAX_PART_BYTES;
  if (parts.length === 0 || parts.length > MAX_PARTS || !parts.every(isGood))
    throw new AppError('bad-file-path', 'The path of the file is not valid.');
}
