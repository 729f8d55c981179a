import { UPLOAD_END } from '../protocol.ts';
import type { UploadEnd } from '../protocol.ts';

/** State of an upload. */
type UploadState = 'sending' | 'checking' | 'locked' | 'done' | 'blocked' | 'failed';

/** An upload, of one file or of several. */
export interface UploadFacts {
  /** Of the first file. */
  readonly name: string;
  readonly count: number;
  readonly size: number;
}

/** A row of the tray. */
export interface UploadRow extends UploadFacts {
  readonly id: number;
  readonly sent: number;
  readonly state: UploadState;
  /** Id of the text that says why it has ended. */
  readonly reason?: string;
  /** Text of the rule that blocks it. */
  readonly message?: string;
}

const ENDS: Readonly<Record<UploadEnd, string>> = {
  [UPLOAD_END.pageLeft]: 'uploads.page-left',
  [UPLOAD_END.host]: 'uploads.host-failed',
  [UPLOAD_END.diskFull]: 'uploads.disk-full',
  [UPLOAD_END.changed]: 'uploads.changed',
  [UPLOAD_END.notTaken]: 'uploads.not-taken',
};

interface Running {
  readonly files: readonly File[];
  readonly over: AbortController;
  /** Bytes of each file that have left, and those that the host has. */
  readonly sent: number[];
  readonly received: (number | undefined)[];
}

interface UploadsOptions {
  /** Sends one file. */
  readonly send: (file: File, at: number, running: SendFacts) => Promise<void>;
  /** The person has stopped it, or a file could not be sent. */
  readonly abort: (id: number, hasFailed: boolean) => void;
  readonly onFault: (thrown: unknown) => void;
  /** The tray appears or disappears. */
  readonly onShown: (isShown: boolean) => void;
  /** The uploads that are not over, whenever something changes. */
  readonly onUnfinished: (uploads: readonly UploadFacts[]) => void;
}

interface SendFacts {
  readonly uploadId: string;
  readonly received: () => number | undefined;
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** The uploads of the tab. */
export class Uploads {
  readonly #options: UploadsOptions;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<number, Running>();
  #rows: readonly UploadRow[] = [];

  constructor(options: UploadsOptions) {
    this.#options = options;
  }

  /** The newest first. */
  readonly rows = (): readonly UploadRow[] => this.#rows;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(id: number, files: readonly File[]): void {
    const none = files.map(() => 0);
    this.#running.set(id, {
      files,
      over: new AbortController(),
      sent: [...none],
      received: files.map(() => undefined),
    });
    const size = files.reduce((sum, file) => sum + file.size, 0);
    const row = { id, name: files[0]?.name ?? '', count: files.length, size, sent: 0, state: 'sending' } as const;
    this.#set([row, ...this.#rows]);
  }

  /** Lists uploads that were lost with an earlier session. Their ids are none of the host's. */
  addLost(uploads: readonly UploadFacts[]): void {
    const why = { sent: 0, state: 'failed', reason: 'uploads.session-lost' } as const;
    this.#set([...this.#rows, ...uploads.map((facts, at) => ({ id: -1 - at, ...facts, ...why }))]);
  }

  /** Sends the files, one after the other. */
  async start(id: number, uploadId: string): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    const { files, over, sent, received } = running;
    try {
      for (const [at, file] of files.entries()) {
        const onSent = (bytes: number): void => {
          sent[at] = bytes;
          this.#change(id, { sent: sent.reduce((sum, each) => sum + each, 0) });
        };
        await this.#options.send(file, at, {
          uploadId,
          received: () => received[at],
          onSent,
          signal: over.signal,
        });
      }
      if (this.#find(id)?.state === 'sending') this.#change(id, { state: 'checking' });
    } catch (thrown) {
      if (over.signal.aborted) return;
      this.#options.onFault(thrown);
      this.#options.abort(id, true);
      this.#end(id, 'failed', 'uploads.connection-lost');
    }
  }

  received(id: number, file: number, bytes: number): void {
    const running = this.#running.get(id);
    if (running && file < running.received.length) running.received[file] = bytes;
  }

  fileName(id: number, file: number): string {
    return this.#running.get(id)?.files[file]?.name ?? '';
  }

  locked(id: number): void {
    this.#change(id, { state: 'locked' });
  }

  /** Its password has been said. */
  unlocked(id: number): void {
    this.#change(id, { state: 'checking' });
  }

  done(id: number): void {
    this.#end(id, 'done');
  }

  blocked(id: number, reason: string, message?: string): void {
    this.#end(id, 'blocked', reason, message);
  }

  aborted(id: number, reason: UploadEnd): void {
    this.#end(id, 'failed', ENDS[reason]);
  }

  /** The person stops one. */
  cancel(id: number): void {
    this.#options.abort(id, false);
    this.#end(id, 'failed', 'uploads.canceled');
  }

  /** Takes a row away. */
  remove(id: number): void {
    this.#running.delete(id);
    this.#set(this.#rows.filter((each) => each.id !== id));
  }

  /** Takes all rows away that are over. */
  close(): void {
    this.#set(this.#rows.filter(({ state }) => !isOver(state)));
  }

  dispose(): void {
    for (const { over } of this.#running.values()) over.abort();
  }

  #end(id: number, state: UploadState, reason?: string, message?: string): void {
    this.#running.get(id)?.over.abort();
    this.#running.delete(id);
    this.#change(id, { state, ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) });
  }

  #find(id: number): UploadRow | undefined {
    return this.#rows.find((each) => each.id === id);
  }

  #change(id: number, change: Partial<UploadRow>): void {
    this.#set(this.#rows.map((each) => (each.id === id && !isOver(each.state) ? { ...each, ...change } : each)));
  }

  #set(rows: readonly UploadRow[]): void {
    const wasShown = this.#rows.length > 0;
    this.#rows = rows;
    if (wasShown !== rows.length > 0) this.#options.onShown(!wasShown);
    const unfinished = rows.filter(({ state }) => !isOver(state));
    this.#options.onUnfinished(unfinished.map(({ name, count, size }) => ({ name, count, size })));
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether nothing more happens to a row. */
export function isOver(state: UploadState): boolean {
  return state === 'done' || state === 'blocked' || state === 'failed';
}
