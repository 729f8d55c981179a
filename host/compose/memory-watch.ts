import { readFile } from 'node:fs/promises';

/** Interval of the looks, in ms. */
const LOOK_MS = 3000;

/** Part of the reserve under which memory is urgently needed. */
const URGENT = 0.5;

/**
 * Calls `onShort` as long as the machine has less free memory than `reserveBytes`, by what Linux says; never where it does not say so.
 */
export function watchMemory(reserveBytes: number, onShort: (isUrgent: boolean) => void): void {
  if (reserveBytes === 0) return;
  setInterval(() => {
    void unusedMemory().then((bytes) => {
      if (bytes < reserveBytes) onShort(bytes < URGENT * reserveBytes);
    });
  }, LOOK_MS).unref();
}

/** Memory that programs can still get: of the machine, and of the group of cgroup version 2 that the host is confined to. Never rejects. */
async function unusedMemory(): Promise<number> {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kib = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1] ?? Infinity);
  const limit = process.constrainedMemory();
  const read = async (name: string): Promise<string> => readFile(`/sys/fs/cgroup/${name}`, 'utf8').catch(() => '');
  const used = Number((await read('memory.current')) || NaN);
  const cached = Number(/^inactive_file (\d+)$/m.exec(await read('memory.stat'))?.[1] ?? 0);
  const inGroup = limit > 0 && used < limit ? limit - used + cached : Infinity;
  return Math.min(kib * 1024, inGroup);
}
