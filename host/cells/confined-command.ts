import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { RunAs } from '../surrogate/unprivileged.ts';

/** Confinement of a process before its program runs. */
interface Confinement {
  /** The user to run as; undefined: the launcher's own. */
  readonly user?: RunAs;
  /** `cgroup.procs` files of the groups that the process joins. */
  readonly cgroups: readonly string[];
  /** Maximum number of processes and threads of its user (RLIMIT_NPROC). */
  readonly maxTasks?: number;
  /** Added to the niceness. */
  readonly nice?: number;
  /** From 0 to 1000: when memory is short, the kernel ends the process with the highest score first. */
  readonly oomScoreAdj: number;
}

/** Use of the descriptors 0 and 1. */
export type Wiring =
  /** Both are one socket: Chromium's `--remote-debugging-pipe`, which reads descriptor 3 and writes 4. */
  | 'browser'
  /** Standard output goes to standard error. */
  | 'cell';

/**
 * libuv makes only the descriptors 0 to 2 blocking for a child, and Chromium reads and writes its pipe with blocking
 * calls: the socket is passed as one of these and the shell moves it.
 */
const REDIRECTS: Readonly<Record<Wiring, string>> = {
  browser: '3<&0 4>&1 0</dev/null 1>/dev/null',
  cell: '0</dev/null 1>&2',
};

/**
 * Composes the command that confines itself and then becomes the program: the process id stays. A shell, still with the
 * launcher's rights, joins the cgroups; `prlimit`, `nice` and `setpriv` follow. The death signal is set last: a change
 * of the user would clear it.
 */
export function confinedCommand(
  command: readonly string[],
  { user, cgroups, maxTasks, nice, oomScoreAdj }: Confinement,
  wiring: Wiring,
): string[] {
  const script = [
    'n=$1; shift',
    'while [ "$n" -gt 0 ]; do echo 0 >"$1" || exit 125; shift; n=$((n-1)); done',
    `echo ${oomScoreAdj} 2>/dev/null >/proc/self/oom_score_adj`,
    `exec "$@" ${REDIRECTS[wiring]}`,
  ].join('\n');
  return [
    ...['sh', '-c', script, 'sh', String(cgroups.length), ...cgroups],
    ...(maxTasks === undefined || !onPath('prlimit') ? [] : ['prlimit', `--nproc=${maxTasks}:${maxTasks}`]),
    ...(nice === undefined ? [] : ['nice', '-n', String(nice)]),
    ...privileges(user),
    ...command,
  ];
}

/**
 * Without a user of its own `no-new-privs` is not set: Chromium's sandbox may be a program with the set-user-ID bit.
 */
function privileges(user: RunAs | undefined): string[] {
  if (!user) return onPath('setpriv') ? ['setpriv', '--pdeathsig=KILL'] : [];
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--ambient-caps=-all',
    '--no-new-privs',
    '--pdeathsig=KILL',
  ];
}

/** Whether a program is on PATH. */
export function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
