import { readdirSync, readFileSync } from 'node:fs';

/** A process below another. */
interface Descendant {
  readonly pid: number;
  readonly command: string;
}

/** All descendants of a process. */
export function descendants(parent: number): Descendant[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      parents.set(Number(name), Number(/^PPid:\s(\d+)/m.exec(status)?.[1]));
    } catch {
      // it has ended meanwhile
    }
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, over]) => over === pid).flatMap(([each]) => [each, ...below(each)]);
  return below(parent).map((pid) => ({ pid, command: commandOf(pid) }));
}

/** Kills a process, unless it has ended meanwhile. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
}

/** Whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Attempts to read the command of a process that is starting another program: `execve` takes less than a millisecond. */
const ATTEMPTS = 1000;

/** The command line of a process, empty if it has ended. It is empty during `execve` too, so it is read again then. */
function commandOf(pid: number): string {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      if (command !== '' || !isRunning(pid)) return command;
    }
  } catch {
    // it has ended meanwhile
  }
  return '';
}
