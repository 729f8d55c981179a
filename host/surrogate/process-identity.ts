import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Identity of a running process that no later process of the same id shares: boot, process id, start time. Undefined
 * when there is no such process (a zombie counts as none) or the system has no /proc.
 */
export function processIdentity(pid: number): string | undefined {
  const fields = statFields(pid);
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  // starttime is field 22 of proc(5); `statFields` starts with field 3.
  return `${bootId()}:${pid}:${fields[19]}`;
}

/** Process id of an identity, if that process still runs. */
export function runningPid(identity: string): number | undefined {
  const pid = Number(identity.split(':')[1]);
  return Number.isSafeInteger(pid) && pid > 1 && processIdentity(pid) === identity ? pid : undefined;
}

/** Kills a whole process group and waits until it has ended, for at most two seconds. */
export async function killGroup(pgid: number): Promise<void> {
  try {
    process.kill(-pgid, 'SIGKILL');
  } catch {
    return; // no process is left
  }
  for (let waited = 0; waited < 2000 && isGroupAlive(pgid); waited += 10) await delay(10);
}

function isGroupAlive(pgid: number): boolean {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return false; // no /proc: the signal must be enough
  }
  // A zombie holds no resources; its parent reaps it.
  return pids.some((pid) => {
    const fields = statFields(Number(pid));
    return fields?.[0] !== 'Z' && Number(fields?.[2]) === pgid;
  });
}

/** Fields of /proc/{pid}/stat from the third on: the name before may contain spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

let boot: string | undefined;
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}
