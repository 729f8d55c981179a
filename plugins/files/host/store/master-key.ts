import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Name of the file with the key that quarantined files are recovered by; others have keys in memory alone. */
export const KEY_FILE = 'quarantine.key';
const NEW_FILE = `${KEY_FILE}.tmp`;
export const KEY_BYTES = 32;

/** Reads the master key of a folder; undefined where there is none, or something else. @throws errors of the disk */
export async function readMasterKey(folder: string): Promise<Buffer | undefined> {
  const file = path.join(folder, KEY_FILE);
  try {
    // Opening a fifo would wait for its other end.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(KEY_BYTES + 1);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytesRead === KEY_BYTES ? bytes.subarray(0, KEY_BYTES) : undefined;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // any error of the file system
    throw thrown;
  }
}

/** The master key of a folder: made at the first start, and where it is damaged, which loses what is in quarantine. @throws errors of the disk */
export async function openMasterKey(folder: string): Promise<Buffer> {
  const known = await readMasterKey(folder).catch(() => undefined); // a link, or a folder
  if (known) return known;
  const key = randomBytes(KEY_BYTES);
  const [temporary, file] = [path.join(folder, NEW_FILE), path.join(folder, KEY_FILE)];
  await rm(temporary, { recursive: true, force: true });
  {
    await using handle = await open(temporary, 'wx', 0o600);
    await handle.writeFile(key);
    await handle.sync(); // a key that is not on the disk after a power cut opens nothing
  }
  await rm(file, { recursive: true, force: true });
  await rename(temporary, file);
  return key;
}
