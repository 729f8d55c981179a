import { appendFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Limits of the files; sizes in bytes. */
interface EventLogLimits {
  /** Size at which a file is rotated. */
  readonly maxFileBytes: number;
  /** Maximum number of files, the current one included. */
  readonly maxFiles: number;
  /** Maximum bytes in the write queue; above it, events are dropped and counted. */
  readonly maxQueuedBytes: number;
}

export const EVENT_LOG_LIMITS: EventLogLimits = {
  maxFileBytes: 10 * 1024 * 1024,
  maxFiles: 5,
  maxQueuedBytes: 8 * 1024 * 1024,
};

/** A log of events: `events/<name>.jsonl` under the data folder, older files as `.1`, `.2`, ... */
export interface EventLog {
  /** Appends one event as a line of JSON. Never throws: dropped events are counted in {@link dropped}. */
  append(event: object): void;
  readonly dropped: number;
  /** Full files that were removed to make room. */
  readonly removed: number;
  /** Resolves when all appended events have been written. */
  flush(): Promise<void>;
}

/** Name of the log of client events. */
export const CLIENT_EVENTS = 'events';

/** The file of a log; `index` 0 is the current one, greater ones are older. */
export function eventFile(dataDir: string, name: string, index = 0): string {
  return path.join(dataDir, 'events', `${name}.jsonl${index === 0 ? '' : `.${index}`}`);
}

/**
 * Opens an event log; files are created with the first event. `onFault` is called when the disk fails, once per
 * failure.
 */
export function openEventLog(
  dataDir: string,
  name: string,
  onFault: (error: unknown) => void,
  limits: EventLogLimits = EVENT_LOG_LIMITS,
): EventLog {
  const folder = path.join(dataDir, 'events');
  const file = (index: number): string => eventFile(dataDir, name, index);
  let waiting: string[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let removed = 0;
  let writing: Promise<void> | undefined;

  const rotate = async (): Promise<void> => {
    const size = await stat(file(0)).then(
      (found) => found.size,
      () => 0,
    );
    if (size < limits.maxFileBytes) return;
    const isFull = await rm(file(limits.maxFiles - 1)).then(
      () => true,
      () => false, // fewer files exist so far
    );
    if (isFull) removed += 1;
    for (let index = limits.maxFiles - 2; index >= 0; index -= 1)
      await rename(file(index), file(index + 1)).catch(() => undefined); // fewer files exist so far
  };
  const write = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      waitingBytes = 0;
      try {
        await rotate();
        await appendFile(file(0), lines.join(''), { mode: 0o600 });
      } catch (thrown) {
        dropped += lines.length;
        onFault(thrown);
      }
    }
    writing = undefined; // at once: what is appended from now on begins another write
  };
  const start = (): void => {
    writing ??= write().catch((thrown: unknown) => {
      writing = undefined;
      onFault(thrown);
    });
  };
  return {
    append(event) {
      const line = `${JSON.stringify(event)}\n`;
      if (waitingBytes + line.length > limits.maxQueuedBytes) {
        dropped += 1;
        return;
      }
      waiting.push(line);
      waitingBytes += line.length;
      start();
    },
    get dropped() {
      return dropped;
    },
    get removed() {
      return removed;
    },
    async flush() {
      while (writing) await writing;
    },
  };
}
