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

/** Usage of a process and all its descendants. Throws where there is no `/proc`. */
export async function usageOf(pid: number): Promise<{ readonly itself: Usage; readonly below: Usage }> {
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
  const of = async (pids: readonly number[]): Promise<Usage> => {
    const bytes = await Promise.all(pids.map(memoryOf));
    return {
      bytes: bytes.reduce((sum, each) => sum + each, 0),
      cpuMs: pids.reduce((sum, each) => sum + (parents.get(each)?.cpuMs ?? 0), 0),
    };
  };
  return { itself: await of([pid]), below: await of([...parents.keys()].filter(isBelow)) };
}

async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ESRCH)$/.test(String(error.code))) return ''; // it has ended
    throw error;
  });
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) * 1024;
}
