import { readdir, readFile } from 'node:fs/promises';

/** Resources that processes have used. */
interface Usage {
  /** Memory in bytes, shared pages by their share. */
  readonly bytes: number;
  /** Processor time since they were started, in ms. */
  readonly cpuMs: number;
}

/** Of `/proc/PID/stat`, which counts in hundredths of a second. */
const TICK_MS = 10;

/** Kinds of processes of a host. */
export const PROCESS_KINDS = [
  'gateway',
  'launcher',
  'cell',
  'browser',
  'renderer',
  'extension',
  'gpu',
  'utility',
  'zygote',
] as const;
type ProcessKind = (typeof PROCESS_KINDS)[number];

/** Usage of a process and all its descendants. Throws where there is no `/proc`. */
export async function usageOf(pid: number): Promise<{ readonly itself: Usage; readonly below: Usage }> {
  const { parents, below } = await descendantsOf(pid);
  const of = async (pids: readonly number[]): Promise<Usage> => {
    const bytes = await Promise.all(pids.map(memoryOf));
    return {
      bytes: bytes.reduce((sum, each) => sum + each, 0),
      cpuMs: pids.reduce((sum, each) => sum + (parents.get(each)?.cpuMs ?? 0), 0),
    };
  };
  return { itself: await of([pid]), below: await of(below) };
}

/** Memory of a host, in bytes, by kind of process. Throws where there is no `/proc`. */
export async function memoryByKind(pid: number): Promise<Readonly<Record<ProcessKind, number>>> {
  const bytes = Object.fromEntries(PROCESS_KINDS.map((kind) => [kind, 0])) as Record<ProcessKind, number>; // has them all
  const { below } = await descendantsOf(pid);
  for (const each of [pid, ...below]) {
    const command = await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => ''); // it has ended
    bytes[each === pid ? 'gateway' : kindOf(command)] += await memoryOf(each);
  }
  return bytes;
}

function kindOf(command: string): ProcessKind {
  if (command.includes('launcher.mjs')) return 'launcher';
  if (command.includes('--extension-process')) return 'extension';
  const type = /--type=([a-z]+)/.exec(command)?.[1];
  const known = PROCESS_KINDS.find((kind) => kind === type);
  return known ?? (command.includes('--remote-debugging-pipe') ? 'browser' : 'cell');
}

async function descendantsOf(pid: number) {
  const parents = new Map<number, { readonly parent: number; readonly cpuMs: number }>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined); // it has ended
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' '); // from the third on: names may contain anything
    if (fields)
      parents.set(Number(entry), {
        parent: Number(fields[1]),
        cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      });
  }
  const isBelow = (each: number): boolean => {
    for (let at = parents.get(each)?.parent; at !== undefined; at = parents.get(at)?.parent)
      if (at === pid) return true;
    return false;
  };
  return { parents, below: [...parents.keys()].filter(isBelow) };
}

async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ESRCH)$/.test(String(error.code))) return ''; // it has ended
    throw error;
  });
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
}
