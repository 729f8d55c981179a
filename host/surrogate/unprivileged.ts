import { execFileSync } from 'node:child_process';
import { accessSync, constants, lchownSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** User that surrogates run as where the host is root. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/**
 * `nobody` where the host is root; undefined where it is not: surrogates then run as the host's own user. @throws Error
 * without a `nobody`.
 */
export function runAs(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string): number => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * Prefixes a command with a launcher that drops every privilege permanently. It replaces itself: the process id stays.
 */
export function unprivileged(command: readonly string[], user: RunAs | undefined): string[] {
  if (!user) return [...command];
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--ambient-caps=-all',
    '--no-new-privs',
    // A browser that hangs and does not notice that its pipe is closed still ends when the host is killed.
    '--pdeathsig=KILL',
    ...command,
  ];
}

/**
 * Whether the user can read a file, or search a folder, judged by its mode bits and those of every folder above it.
 * Without such a user the host's own rights count.
 */
export function isOpenTo(file: string, user: RunAs | undefined, right: 'read' | 'search'): boolean {
  if (!user) {
    try {
      accessSync(file, right === 'read' ? constants.R_OK : constants.X_OK);
      return true;
    } catch {
      return false;
    }
  }
  const may = (target: string, bit: number): boolean => {
    const { uid, gid, mode } = statSync(target);
    return ((mode >> (uid === user.uid ? 6 : gid === user.gid ? 3 : 0)) & bit) === bit;
  };
  const real = realpathSync(file);
  if (!may(real, right === 'read' ? 4 : 1)) return false;
  for (let folder = path.dirname(real); ; folder = path.dirname(folder)) {
    if (!may(folder, 1)) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/**
 * Gives a file or folder (not its content or the target of a link: the user may have put a link there) to the user,
 * where there is one.
 */
export function giveTo(file: string, user: RunAs | undefined): void {
  if (user) lchownSync(file, user.uid, user.gid);
}
