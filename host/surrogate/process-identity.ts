import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Names a running process so that no later one of the same id is taken for it: boot, process id, start time. Undefined when there is no
 * such process (a zombie is none) or the system has no /proc.
 */
export function processIdentity(pid: number): string | undefined {
  const fields = statFields(pid);
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  // starttime is field 22 of proc(5); `statFields` begins with field 3.
  return `${bootId()}:${pid}:${fields[19]}`;
}

/** The process id within an identity, if that process still runs. */
export function runningPid(identity: string): number | undefined {
  const pid = Number(identity.split(':')[1]);
  return Number.isSafeInteger(pid) && pid > 1 && processIdentity(pid) === identity ? pid : undefined;
}

/** Kills a whole process group and waits until it is gone, for at most two seconds. */
export async function killGroup(pgid: number): Promise<void> {
  try {
    process.kill(-pgid, 'SIGKILL');
  } catch {
    return; // nobody is left
  }
  for (let waited = 0; waited < 2000 && isGroupAlive(pgid); waited += 10) await delay(10);
}

function isGroupAlive(pgid: number): boolean {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return false; // no /proc: the signal has to do
  }
  // A zombie holds nothing any more; whoever started it, reaps it.
  return pids.some((pid) => {
    const fields = statFields(Number(pid));
    return fields?.[0] !== 'Z' && Number(fields?.[2]) === pgid;
  });
}

/** The fields of /proc/{pid}/stat from the third on: what comes before may contain spaces and parentheses. */
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
