import { execFile } from 'node:child_process';
import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../core/protocol/errors.ts';
import { giveTo, unprivileged, type RunAs } from './unprivileged.ts';

const run = promisify(execFile);

/** A unix socket's path holds 107 bytes; Chromium puts `/org.chromium.Chromium.XXXXXX/SingletonSocket` below TMPDIR. */
const MAX_TMPDIR_BYTES = 60;
const PREFERENCES = {
  // Without session restore a profile loses its session cookies with its last window, which is not the end of the person's session.
  session: { restore_on_startup: 1 },
  // Chromium's own viewer of PDF files is a page of an extension, which no page half can read: the person would see an empty page.
  plugins: { always_open_pdf_externally: true },
  // After an error of a certificate, or of a name, Chromium would ask servers of its own vendor for the reason, and wait for the answer.
  alternate_error_pages: { enabled: false },
};

/**
 * Creates a profile and gives it to the surrogate's user, or prepares an existing one. A new folder is filled before it
 * is given away, and in an existing one only its own user creates files: root writes into no folder where another user
 * could have put a link.
 *
 * @returns the environment to start its Chromium with.
 * @throws AppError `surrogate-launch-failed` for a profile of another user.
 */
export async function makeProfile(profileDir: string, user: RunAs | undefined): Promise<NodeJS.ProcessEnv> {
  const tmpDir = path.join(profileDir, 'tmp');
  const temporary = Buffer.byteLength(tmpDir) <= MAX_TMPDIR_BYTES ? tmpDir : undefined;
  await mkdir(path.dirname(profileDir), { recursive: true });
  if (await makeNew(profileDir)) await fill(profileDir, temporary, user);
  else await makeReady(profileDir, temporary, user);
  return environment(profileDir, temporary);
}

/** Locales in which a browser knows all names of files. */
const UTF8 = /\.utf-?8\b/i;

/** Passes on only the variables for program paths and language: the host's environment may contain secrets. */
export function environment(home: string, temporary: string | undefined): NodeJS.ProcessEnv {
  const lang = process.env['LANG'] ?? '';
  return {
    PATH: process.env['PATH'],
    LANG: UTF8.test(lang) ? lang : 'C.UTF-8',
    HOME: home,
    ...(temporary === undefined ? {} : { TMPDIR: temporary }),
  };
}

async function makeNew(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false; // of `mkdir`
    throw error;
  }
}

async function fill(profileDir: string, temporary: string | undefined, user: RunAs | undefined): Promise<void> {
  const folder = path.join(profileDir, 'Default');
  const preferences = path.join(folder, 'Preferences');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(preferences, JSON.stringify(PREFERENCES), { mode: 0o600, flag: 'wx' });
  if (temporary !== undefined) await mkdir(temporary, { mode: 0o700 });
  // The outermost folder last: until then no other user can reach those in it.
  for (const made of [preferences, folder, temporary, profileDir]) if (made !== undefined) giveTo(made, user);
}

async function makeReady(profileDir: string, temporary: string | undefined, user: RunAs | undefined): Promise<void> {
  const { uid } = await lstat(profileDir);
  if (user && uid !== user.uid) {
    if (uid !== 0)
      throw new AppError('surrogate-launch-failed', `The profile ${profileDir} belongs to another user (${uid}).`);
    giveTo(profileDir, user);
  }
  if (temporary === undefined) return;
  const [program = '', ...args] = unprivileged(['mkdir', '-p', '-m', '700', '--', temporary], user);
  await run(program, args, { cwd: '/' });
}
