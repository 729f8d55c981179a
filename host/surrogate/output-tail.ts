import type { Readable } from 'node:stream';

/** Maximum number of lines that are kept. */
const KEPT_LINES = 30;
/** Maximum length of a kept line, in characters. */
const LINE_CHARS = 500;
/**
 * Maximum bytes read of one process within a second: above it, reading pauses. The process may be hostile, and its
 * reader serves others too.
 */
const BYTES_PER_SECOND = 256 * 1024;

/** The last lines of a process's output. Lines and their number are bounded, and so is the rate of reading. */
export class OutputTail {
  readonly lines: string[] = [];
  #part = '';

  /** @param onLines called with the new lines of each chunk. */
  constructor(stream: Readable | null | undefined, onLines?: (lines: readonly string[]) => void) {
    if (!stream) return;
    let taken = 0;
    let timer: NodeJS.Timeout | undefined;
    stream.on('data', (chunk: Buffer) => {
      const lines = this.#add(chunk.toString('utf8'));
      if (lines.length > 0) onLines?.(lines.slice(-KEPT_LINES));
      taken += chunk.length;
      timer ??= setTimeout(() => {
        timer = undefined;
        taken = 0;
        stream.resume();
      }, 1000).unref();
      if (taken > BYTES_PER_SECOND) stream.pause();
    });
    stream.on('error', () => undefined); // the process has ended, which its exit reports
  }

  #add(text: string): string[] {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    const whole = parts.map((part, at) => ((at === 0 ? this.#part : '') + part).slice(0, LINE_CHARS));
    this.#part = ((parts.length === 0 ? this.#part : '') + last).slice(0, LINE_CHARS);
    this.lines.push(...whole.slice(-KEPT_LINES));
    this.lines.splice(0, this.lines.length - KEPT_LINES);
    return whole;
  }

  /** Returns the kept lines with the unfinished one. */
  all(): string[] {
    return this.#part === '' ? [...this.lines] : [...this.lines, this.#part];
  }
}
