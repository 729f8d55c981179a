import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { followedDownload } from '../followed-download.ts';

let folder: string;
let file: string;
let said: ReturnType<Parameters<typeof followedDownload>[1]>;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-followed-'));
  file = path.join(folder, 'guid');
  said = { state: 'growing', received: 0 };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Text that has been read so far. */
let given = '';
async function read(signal = new AbortController().signal): Promise<string> {
  given = '';
  for await (const chunk of followedDownload(file, () => said, signal)) given += Buffer.from(chunk).toString();
  return given;
}

it('reads a file while it grows, through its renaming, to the last byte', async () => {
  const unfinished = `${file}.crdownload`;
  await writeFile(file, ''); // as of a blob: an empty file stands beside it
  const reading = read();
  await delay(20);
  await writeFile(unfinished, 'one ');
  await expect.poll(() => given).toBe('one ');
  await appendFile(unfinished, 'two ');
  await rename(unfinished, file);
  await appendFile(file, 'three');
  said = { ...said, state: 'completed', received: 13 };
  expect(await reading).toBe('one two three');
});

it('reads a file that is complete before anybody looks', async () => {
  await writeFile(file, 'whole');
  said = { ...said, state: 'completed', received: 5 };
  expect(await read()).toBe('whole');
  await writeFile(file, '');
  said = { ...said, state: 'completed', received: 0 };
  expect(await read()).toBe('');
});

it('waits for a file that is not readable yet', async () => {
  await writeFile(file, 'late');
  await chmod(file, 0); // root reads it in any case
  said = { ...said, state: 'completed', received: 4 };
  const reading = read();
  await delay(120);
  await chmod(file, 0o644);
  expect(await reading).toBe('late');
});

it('waits for the whole file where an empty one holds its name', async () => {
  await writeFile(file, '');
  said = { ...said, state: 'completed', received: 5 };
  const reading = read();
  await delay(120);
  await writeFile(`${file}.tmp`, 'whole');
  await rename(`${file}.tmp`, file);
  expect(await reading).toBe('whole');
});

it('follows the file that takes the place of an empty one while it grows', async () => {
  const unfinished = `${file}.crdownload`;
  await writeFile(unfinished, '');
  said = { ...said, received: 5 };
  const ending = new AbortController();
  const reading = expect(read(ending.signal)).rejects.toMatchObject({ code: 'download-canceled' });
  await delay(120); // it has been opened
  await writeFile(`${file}.tmp`, 'bytes');
  await rename(`${file}.tmp`, unfinished);
  await expect.poll(() => given).toBe('bytes');
  ending.abort();
  await reading;
});

it('refuses a file that is shorter than the browser says, one that is none, and one that never comes', async () => {
  await writeFile(file, 'short');
  said = { ...said, state: 'completed', received: 6 };
  await expect(read()).rejects.toMatchObject({ code: 'download-lost' });
  await rm(file);
  await expect(read()).rejects.toMatchObject({ code: 'download-lost' });
  await symlink('/etc/hostname', file);
  await expect(read()).rejects.toMatchObject({ code: 'download-lost' });
  await rm(file);
  execFileSync('mkfifo', [file]);
  await expect(read()).rejects.toMatchObject({ code: 'download-lost' });
});

it('ends when the download is canceled, or nobody wants it any more', async () => {
  const canceled = expect(read()).rejects.toMatchObject({ code: 'download-canceled' });
  said = { ...said, state: 'canceled', received: 0 };
  await canceled;
  said = { ...said, state: 'growing', received: 0 };
  await writeFile(`${file}.crdownload`, 'part');
  const over = new AbortController();
  const ended = expect(read(over.signal)).rejects.toMatchObject({ code: 'download-canceled' });
  await expect.poll(() => given).toBe('part');
  over.abort();
  await ended;
});
