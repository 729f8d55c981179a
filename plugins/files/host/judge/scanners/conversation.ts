import net from 'node:net';
import { onAbort } from '../../../../../core/protocol/on-abort.ts';
import { scannerFailed } from './scanner.ts';

/** Address of a scanner: a socket of this machine, or host and port. */
export type ScannerAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** Unread bytes of an answer that are kept before the socket is paused. */
const MAX_UNREAD = 65_536;

/** Time that a scanner has to answer before it gets the last byte, in ms: each file costs so much more. */
const PAUSE_MS = 3;

/** Turns of the event loop after that time: a busy thread has not read what has come. */
const LATE_TURNS = 4;

/** Time to connect, in ms. */
const CONNECT_MS = 10_000;

/**
 * A connection to a scanner with one deadline for all that is done with it. Every wait ends with AppError `scanner-failed` when the scanner hangs, dies
 * or is late, or with the reason of the signal. Disposing it closes the socket.
 */
export class Conversation {
  readonly #socket: net.Socket;
  readonly #name: string;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #unregister: () => void;
  #connected = false;
  #unread: Buffer = Buffer.alloc(0);
  #ended = false;
  #isOver = false;
  #fault: unknown;
  #wake = Promise.withResolvers<void>();

  constructor(address: ScannerAddress, name: string, options: { signal: AbortSignal; deadlineMs: number }) {
    this.#name = name;
    this.#socket = net.connect(address);
    this.#socket.setNoDelay(true);
    this.#timers.push(
      setTimeout(
        () => this.#fail(scannerFailed(name, `no answer within ${options.deadlineMs} ms`)),
        options.deadlineMs,
      ),
      setTimeout(() => {
        if (!this.#connected) this.#fail(scannerFailed(name, 'connection timed out'));
      }, CONNECT_MS),
    );
    this.#socket.on('connect', () => {
      this.#connected = true;
      this.#changed();
    });
    this.#socket.on('data', (data) => {
      this.#unread = Buffer.concat([this.#unread, data]);
      if (this.#unread.length >= MAX_UNREAD) this.#socket.pause();
      this.#changed();
    });
    this.#socket.on('drain', () => this.#changed());
    this.#socket.on('end', () => this.#end());
    this.#socket.on('close', () => this.#end());
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      // A scanner that has enough closes, and its answer still has to be read.
      const isCut = error.code === 'EPIPE' || error.code === 'ECONNRESET';
      if (!isCut) this.#fail(scannerFailed(name, `connection failed (${error.code ?? error.message})`, error));
    });
    this.#unregister = onAbort(options.signal, () => this.#fail(options.signal.reason));
  }

  #changed(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #end(): void {
    this.#ended = true;
    this.#changed();
  }

  #fail(fault: unknown): void {
    this.#fault ??= fault;
    this.#socket.destroy();
    this.#changed();
  }

  #check(): void {
    if (this.#fault !== undefined) throw this.#fault as Error; // the reason of a signal may be anything
  }

  #isShut(): boolean {
    return this.#ended || this.#isOver;
  }

  /** Whether bytes of an answer are there, or the scanner has closed. */
  get hasAnswered(): boolean {
    return this.#unread.length > 0 || this.#ended;
  }

  /** Whether the scanner has closed, and nothing that it has said is left: what it said may have been lost with the close. */
  get wasCut(): boolean {
    return this.#connected && this.#ended && this.#fault === undefined && this.#unread.length === 0;
  }

  /** Ends all sending: a scanner that has given its verdict need not read the rest. */
  stopWriting(): void {
    this.#isOver = true;
    this.#changed();
  }

  /** Sends bytes; resolves once there is room for more, or false where the scanner has closed or sending has been stopped. */
  async write(bytes: Uint8Array | string, untilAnswer = false): Promise<boolean> {
    this.#check();
    if (this.#isShut() || !this.#socket.writable) return false;
    this.#socket.write(bytes, () => this.#changed());
    while (this.#socket.writableNeedDrain && !this.#isShut() && !(untilAnswer && this.hasAnswered)) {
      await this.#wake.promise;
      this.#check();
    }
    return !this.#isShut();
  }

  /**
   * Gives a scanner that answers before the last byte a chance to do so, while that byte is held back: waits until the system has what was written, and
   * then for a moment. What stands in the buffers of the system alone, no scanner need have read. Ends early where the scanner has closed or sending has
   * been stopped, and with `untilAnswer` where it answers.
   */
  async pause(untilAnswer = false): Promise<void> {
    const isOver = (): boolean => this.#isShut() || (untilAnswer && this.hasAnswered);
    const wait = async (isDone: () => boolean): Promise<void> => {
      while (!isDone() && !isOver()) {
        await this.#wake.promise;
        this.#check();
      }
    };
    this.#check();
    await wait(() => this.#socket.writableLength === 0);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      this.#changed();
    }, PAUSE_MS);
    try {
      await wait(() => isLate);
    } finally {
      clearTimeout(late);
    }
    // An answer that has come meanwhile is read in the next turns, also where this thread was busy.
    for (let turn = 0; turn < LATE_TURNS && !isOver(); turn += 1) await new Promise((resolve) => setImmediate(resolve));
    this.#check();
  }

  /** Waits for some bytes of the answer: at most `most`, none at its end. */
  async read(most: number): Promise<Buffer> {
    this.#check();
    while (this.#unread.length === 0 && !this.#ended) {
      await this.#wake.promise;
      this.#check();
    }
    const taken = this.#unread.subarray(0, most);
    this.#unread = this.#unread.subarray(taken.length);
    if (this.#unread.length < MAX_UNREAD && !this.#ended) this.#socket.resume();
    return taken;
  }

  /** Reads up to and with a mark. Fails where the answer ends before it, or after `most` bytes without one. */
  async readUntil(mark: string, most: number): Promise<string> {
    const wanted = Buffer.from(mark, 'latin1');
    while (true) {
      this.#check();
      const at = this.#unread.indexOf(wanted);
      if (at >= 0) return (await this.read(at + wanted.length)).toString('latin1');
      if (this.#unread.length >= most) throw scannerFailed(this.#name, 'an answer without end');
      if (this.#ended) {
        throw scannerFailed(
          this.#name,
          this.#connected ? 'closed the connection before its answer' : 'connection failed',
        );
      }
      await this.#wake.promise;
    }
  }

  [Symbol.dispose](): void {
    this.#unregister();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#fault ??= scannerFailed(this.#name, 'the conversation is over');
    this.#socket.destroy();
    this.#changed();
  }
}
