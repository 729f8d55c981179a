import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../core/protocol/errors.ts';
import type { StageRequest, StagingArea } from '../../contracts/surrogate-files.ts';

const MAX_PARTS = 20;
const MAX_PART_BYTES = 255;

/** Gives paths to an element. @throws AppError `frame-gone`, or as CdpBroker.send */
type GivePaths = (target: Parameters<StagingArea['give']>[0], files: string[]) => Promise<void>;

/** Makes an area below the folder that the browser reads. */
export async function stagingArea(folder: string, givePaths: GivePaths): Promise<StagingArea> {
  const own = path.join(folder, randomBytes(9).toString('hex'));
  await mkdir(own, { mode: 0o750 });
  const paths: string[] = [];
  return {
    async add({ path: parts, bytes, lastModified, signal }) {
      assertPath(parts);
      const file = path.join(own, ...parts);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o750 });
      try {
        const handle = await open(file, 'wx', 0o640);
        try {
          for await (const chunk of bytes) {
            signal?.throwIfAborted();
            await handle.writeFile(chunk);
          }
        } finally {
          await handle.close();
        }
        if (lastModified !== undefined) await utimes(file, new Date(), new Date(lastModified));
      } catch (thrown) {
        const { code } = thrown as NodeJS.ErrnoException; // where it is one
        if (code === 'EEXIST') throw new AppError('file-exists', 'Two files have the same path.', { cause: thrown });
        await rm(file, { force: true });
        if (code === 'ENOSPC') throw new AppError('disk-full', 'The disk of the host is full.', { cause: thrown });
        throw thrown;
      }
      paths.push(file);
    },
    give: (target) =>
      givePaths(target, target.asFolder === true ? [...new Set(paths.map((file) => folderOf(own, file)))] : [...paths]),
    remove: () => rm(own, { recursive: true, force: true }).catch(() => undefined), // it goes with the browser
  };
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
