import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '../../surrogate/process-identity.ts';
import { kill } from './process-table.ts';

/** Time for the processes of a group to disappear after their end. */
const REMOVE_DEADLINE_MS = 3000;
const BASE = /^vitrine-(\d+)-(\d+)$/;

/** Name of this launcher's group: unique over time. */
export function baseName(): string {
  const [, pid, start] = processIdentity(process.pid)?.split(':') ?? [];
  return `vitrine-${pid ?? process.pid}-${start ?? 0}`;
}

/** Makes a group. @throws Error where that is not allowed. */
export function makeGroup(folder: string): string {
  mkdirSync(folder);
  return folder;
}

/** Writes settings of a group and reads them back. @throws Error when one does not take effect. */
export function set(folder: string, settings: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(settings)) {
    const file = path.join(folder, name);
    writeFileSync(file, value);
    const held = readFileSync(file, 'utf8').trim();
    if (held !== value && !isRounded(held, value)) throw new Error(`${file} is ${held}, not ${value}`);
  }
}

/** Writes settings that not every kernel has. */
export function trySet(folder: string, settings: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(settings)) {
    try {
      writeFileSync(path.join(folder, name), value, { flag: 'r+' });
    } catch {
      // not there
    }
  }
}

/** Memory is limited in whole pages, of at most 64 KiB. */
function isRounded(held: string, value: string): boolean {
  const difference = Number(value) - Number(held);
  return difference > 0 && difference < 65_536;
}

/** Process ids in a group. */
export function groupMembers(folder: string): number[] {
  try {
    const lines = readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').split('\n');
    return lines.map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** Processor time in ms that a group has used; undefined where its hierarchy does not count it. */
export function groupUsedMs(folder: string): number | undefined {
  try {
    const micros = /^usage_usec (\d+)$/m.exec(readFileSync(path.join(folder, 'cpu.stat'), 'utf8'))?.[1];
    return micros === undefined ? undefined : Number(micros) / 1000;
  } catch {
    return undefined;
  }
}

/** Number of processes that the kernel has ended in a group because memory ran out. */
export function groupOomKills(folder: string): number {
  for (const name of ['memory.events', 'memory.oom_control']) {
    try {
      return Number(/^oom_kill (\d+)$/m.exec(readFileSync(path.join(folder, name), 'utf8'))?.[1] ?? 0);
    } catch {
      // the other version's
    }
  }
  return 0;
}

/**
 * Kills the processes of a group and those below it, and removes them all. Gives up after a timeout: the next launcher
 * tries again.
 */
export async function removeGroup(folder: string): Promise<void> {
  const deadline = performance.now() + REMOVE_DEADLINE_MS;
  while (!removed(folder) && performance.now() < deadline) await delay(50);
}

/** Whether nothing is left to wait for. */
function removed(folder: string): boolean {
  let below: string[];
  try {
    below = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return true;
  }
  for (const name of below) removed(path.join(folder, name));
  for (const pid of groupMembers(folder)) kill(pid);
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    // Groups that are in use are busy; ordinary files stand in no group.
    return (error as NodeJS.ErrnoException).code === 'ENOTEMPTY'; // of `rmdir`
  }
}

/** Removes the groups of launchers that have ended, with the processes in them. */
export async function sweepGroups(folder: string): Promise<void> {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const [, pid, start] = BASE.exec(name) ?? [];
    if (pid === undefined || processIdentity(Number(pid))?.endsWith(`:${pid}:${start}`)) continue;
    await removeGroup(path.join(folder, name));
  }
}
