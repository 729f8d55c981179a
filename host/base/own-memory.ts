import { readdir, readFile } from 'node:fs/promises';

const PAGE_BYTES = 4096;

/** Bytes of memory that processes and those below them have for themselves, by what Linux says; 0 elsewhere. Never rejects. */
export async function ownMemory(pids: readonly number[]): Promise<number> {
  const children = Map.groupBy(await parents(), ({ parent }) => parent);
  const all = new Set(pids);
  for (const pid of all) for (const child of children.get(pid) ?? []) all.add(child.pid);
  const bytes = await Promise.all([...all].map(bytesOf));
  return bytes.reduce((sum, each) => sum + each, 0);
}

/** Shared pages, which all processes of a program have, are left out. */
async function bytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => ''); // it has ended
  const [, resident = 0, shared = 0] = text.split(' ').map(Number);
  return Math.max(0, resident - shared) * PAGE_BYTES;
}

async function parents(): Promise<{ readonly pid: number; readonly parent: number }[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // it has ended
      return { pid, parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }; // names may contain anything
    }),
  );
}
