import { spawnSync } from 'node:child_process';
import { accessSync, constants, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { RunAs } from '../surrogate/unprivileged.ts';

/** Wall between a process and every network, loopback included. */
export type NetworkWall =
  /** An empty network namespace, made by root. */
  | 'namespace'
  /** The same below a user namespace: the kernel lets ordinary users make one. */
  | 'user-namespace'
  | 'none';

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
  /** Absent: the network of the host. */
  readonly network?: NetworkWall;
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
  { user, cgroups, maxTasks, nice, oomScoreAdj, network = 'none' }: Confinement,
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
    ...unprivilegedBehind(network, user, command),
  ];
}

/**
 * Finds the wall that this machine permits between processes of a user and the network, by starting one behind each.
 * Containers and some kernels refuse one or both.
 */
export function networkWall(user: RunAs | undefined): NetworkWall {
  const ownNamespace = readNamespace();
  const held = (['namespace', 'user-namespace'] as const).find((wall) => {
    const [program = '', ...args] = unprivilegedBehind(wall, user, ['readlink', '/proc/self/ns/net']);
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', cwd: '/', timeout: 10_000 });
    return status === 0 && stdout.startsWith('net:') && ownNamespace !== undefined && stdout.trim() !== ownNamespace;
  });
  return held ?? 'none';
}

function readNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/net');
  } catch {
    return undefined; // a kernel without them
  }
}

/** A namespace is made as root, before its privileges are given up; one below a user namespace after that. */
function unprivilegedBehind(wall: NetworkWall, user: RunAs | undefined, command: readonly string[]): string[] {
  return [
    ...(wall === 'namespace' ? ['unshare', '--net'] : []),
    ...privileges(user),
    // A new user namespace clears the death signal.
    ...(wall === 'user-namespace'
      ? ['unshare', '--user', '--map-current-user', '--net', 'setpriv', '--pdeathsig=KILL']
      : []),
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
