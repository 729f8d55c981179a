import path from 'node:path';
import { createInterface } from 'node:readline';
import { CHROMIUM, dataFolder, removeFolder, silent } from '../../surrogate/tests/fixture.ts';
import { CellProcesses, type CellProcess, type CellProcessesOptions } from '../cell-processes.ts';

export const isRoot = process.getuid?.() === 0;

/** A cell of the fixture's program, and how to talk to it. */
export interface TestCell {
  readonly cell: CellProcess;
  /** Has the cell do something. Rejects when it fails there, or the link closes. */
  ask<T>(name: string, argument?: unknown): Promise<T>;
}

/** Cell processes in a data folder of their own. */
export interface TestCells {
  readonly processes: CellProcesses;
  readonly dataDir: string;
  start(): Promise<TestCell>;
  /** Starts the fixture's program as a decoder. */
  startDecoder(): Promise<TestCell>;
  close(): Promise<void>;
}

export async function openCells(options: Partial<CellProcessesOptions> = {}): Promise<TestCells> {
  const dataDir = options.dataDir ?? (await dataFolder());
  const processes = await CellProcesses.open({
    dataDir,
    cellEntry: path.join(import.meta.dirname, 'fixture-cell.ts'),
    chromium: CHROMIUM,
    log: silent,
    ...options,
  });
  return {
    processes,
    dataDir,
    start: async () => talkTo(await processes.startCell()),
    startDecoder: async () => talkTo(await processes.startDecoder()),
    async close() {
      await processes.close();
      await removeFolder(dataDir);
    },
  };
}

function talkTo(cell: CellProcess): TestCell {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  const lines = createInterface({ input: cell.socket });
  lines.on('error', () => undefined); // of a cell that was killed; the socket's 'close' follows
  lines.on('line', (line) => {
    const { id, ok, error } = JSON.parse(line) as { id: number; ok: unknown; error?: string }; // of the fixture
    const { resolve, reject } = waiting.get(id) ?? {};
    if (error === undefined) resolve?.(ok);
    else reject?.(new Error(error));
  });
  cell.socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('link closed'));
  });
  return {
    cell,
    ask<T>(name: string, argument?: unknown) {
      const answer = Promise.withResolvers<unknown>();
      waiting.set(++last, answer);
      cell.socket.write(`${JSON.stringify([last, name, argument])}\n`);
      return answer.promise as Promise<T>; // each test asks for what its command gives
    },
  };
}

/** Whether a process of that id runs; a zombie does not. */
export { processEntry } from '../limits/process-table.ts';
