import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { unprivileged } from '../../surrogate/unprivileged.ts';

/** Unit of processor times in /proc, in ms: 100 ticks a second on every architecture that Node runs on. */
const TICK_MS = 10;

/** A running process, from /proc/{pid}/status. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Its process group, by the process ids of the launcher's namespace. */
  readonly group: number;
  /** All of its user ids: real, effective, saved, of the file system. */
  readonly uids: readonly number[];
  /** Private and shared memory that is not of files, in bytes. */
  readonly memory: number;
}

/** Lists every process of the system except zombies. */
export function processTable(): ProcessEntry[] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return []; // no /proc on this system
  }
  return names.flatMap((name) => (/^\d+$/.test(name) ? (processEntry(Number(name)) ?? []) : []));
}

/** Undefined for a process that has ended, or a zombie. */
export function processEntry(pid: number): ProcessEntry | undefined {
  let text: string;
  let stat: string;
  try {
    text = readFileSync(`/proc/${pid}/status`, 'utf8');
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // From the third field on: the name before may contain anything.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3);
  if (state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    uids: (/^Uid:\t(.*)$/m.exec(text)?.[1] ?? '').split('\t').map(Number),
    memory: kilobytes(text, 'RssAnon') + kilobytes(text, 'RssShmem'),
  };
}

/** Processor time in ms that a process and its ended children have used; 0 for one that has ended. */
export function usedMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15); // utime, stime, cutime, cstime
    return ticks.reduce((sum, each) => sum + Number(each), 0) * TICK_MS;
  } catch {
    return 0;
  }
}

function kilobytes(status: string, field: string): number {
  const at = status.indexOf(`\n${field}:`);
  return at < 0 ? 0 : Number.parseInt(status.slice(at + field.length + 2), 10) * 1024;
}

/** Processes that belong to one launched process. */
export interface Family {
  /** The process that was launched. */
  readonly pid: number;
  /** User of this family alone, where there is one. */
  readonly uid?: number;
}

/** The processes of a family: by user, or else by descent and process group. */
export function familyOf({ pid, uid }: Family, table: readonly ProcessEntry[]): ProcessEntry[] {
  if (uid !== undefined) return table.filter(({ uids }) => uids.includes(uid));
  const members = new Set([pid]);
  // A child may be listed before its parent: repeat until none is added.
  for (let size = 0; size !== members.size;) {
    size = members.size;
    for (const each of table) if (members.has(each.parent) || each.group === pid) members.add(each.pid);
  }
  return table.filter((each) => members.has(each.pid));
}

/** Kills every process of users of a single family, until there is none. @returns whether none is left. */
export async function killUsers(uids: readonly number[], deadlineMs = 5000): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  for (let pass = 0; ; pass++) {
    const left = processTable().filter((each) => each.uids.some((uid) => uids.includes(uid)));
    if (left.length === 0) return true;
    if (performance.now() > deadline) return false;
    for (const { pid } of left) kill(pid);
    // For processes that fork faster than they can be listed: one call as the user itself kills all.
    if (pass > 1) for (const uid of uids) killAllOf(uid);
    await delay(20);
  }
}

function killAllOf(uid: number): void {
  const [program = '', ...args] = unprivileged(['sh', '-c', 'kill -KILL -1'], { uid, gid: uid });
  spawnSync(program, args, { cwd: '/', stdio: 'ignore', timeout: 2000 });
}

/** Sends SIGKILL to a process that may have ended. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}
