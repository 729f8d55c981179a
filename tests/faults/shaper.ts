import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** `up` is from the client to the host. */
type Direction = 'up' | 'down';

/** Fate of one connection. */
export interface Fate {
  /** Bytes of an answer in place of the host's; the connection is closed after them. */
  readonly answer?: string;
  /** Packets of the host after its first one, the handshake's answer, never arrive: a proxy that waits for the end. */
  readonly buffersDown?: boolean;
  /** Reset after so many bytes in this direction. */
  readonly resetAfter?: Readonly<Partial<Record<Direction, number>>>;
}

interface Cut {
  readonly direction: Direction;
  left: number;
  readonly done: () => void;
}

/** A connection through the shaper: both of its ends. */
interface Pipe {
  readonly ends: Readonly<Record<Direction, Socket>>;
  readonly passed: Record<Direction, number>;
  fate: Fate;
}

/**
 * The network between a client and a host, on loopback, as bad as a test needs: bytes are delayed, throttled, stalled,
 * or cut off. Works on TCP without parsing, except for the first line of a request, by which a test may choose a fate.
 */
export class Shaper {
  readonly origin: string;
  /** One way, in ms. */
  delayMs = 0;
  /** Of each connection in each direction; delays later bytes. */
  bytesPerSecond = Infinity;
  /** Bytes are collected for this time, in ms, and passed on together: a buffering proxy. */
  burstMs = 0;
  /** New connections are refused, as if nothing listened. */
  isDown = false;
  /** Fate by the first line of the connection's first request. */
  fateOf: (line: string) => Fate | undefined = () => undefined;
  /** Bytes of all connections so far, each way. */
  readonly total: Record<Direction, number> = { up: 0, down: 0 };
  /** First lines of all connections so far. */
  readonly lines: string[] = [];
  readonly #server: Server;
  readonly #pipes = new Set<Pipe>();
  readonly #stalled = new Set<Direction>();
  #cut: Cut | undefined;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    server.on('connection', (client) => this.#pipe(client, targetPort));
  }

  /** Listens in front of a port of loopback. The caller closes it. */
  static async start(targetPort: number): Promise<Shaper> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Shaper(server, targetPort);
  }

  get connections(): number {
    return this.#pipes.size;
  }

  /** Stops or resumes reading in this direction. */
  stall(direction: Direction, stalled: boolean): void {
    if (stalled) this.#stalled.add(direction);
    else this.#stalled.delete(direction);
    for (const { ends } of this.#pipes) ends[direction][stalled ? 'pause' : 'resume']();
  }

  /**
   * Resets the connection over which the `bytes`-th byte from now passes in this direction, right after it. Resolves
   * then.
   */
  cutAfter(direction: Direction, bytes: number): Promise<void> {
    return new Promise((done) => {
      this.#cut = { direction, left: bytes, done };
    });
  }

  /** Resets all connections. */
  reset(): void {
    for (const pipe of [...this.#pipes]) this.#end(pipe);
  }

  async close(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pipe(client: Socket, port: number): void {
    client.on('error', () => undefined); // reported by 'close'
    if (this.isDown) {
      client.resetAndDestroy();
      return;
    }
    const host = connect({ port, host: '127.0.0.1', noDelay: true });
    host.on('error', () => undefined);
    const pipe: Pipe = { ends: { up: client, down: host }, passed: { up: 0, down: 0 }, fate: {} };
    this.#pipes.add(pipe);
    for (const direction of ['up', 'down'] as const) {
      const from = pipe.ends[direction];
      if (this.#stalled.has(direction)) from.pause();
      this.#pump(pipe, direction);
      from.on('close', () => {
        this.#pipes.delete(pipe);
      });
    }
  }

  #pump(pipe: Pipe, direction: Direction): void {
    const from = pipe.ends[direction];
    const to = pipe.ends[direction === 'up' ? 'down' : 'up'];
    let freeAt = 0;
    const gathered: (() => void)[] = [];
    // One timer for all: two that are set within a millisecond may fire in the wrong order.
    const delayed: { readonly due: number; readonly run: () => void }[] = [];
    const passDue = (): void => {
      while (delayed[0] && delayed[0].due <= performance.now()) delayed.shift()?.run();
      if (delayed[0]) setTimeout(passDue, delayed[0].due - performance.now());
    };
    const later = (run: () => void, bytes = 0): void => {
      if (this.burstMs > 0 || gathered.length > 0) {
        gathered.push(run);
        if (gathered.length > 1) return;
        setTimeout(() => {
          for (const each of gathered.splice(0)) each();
        }, this.burstMs);
        return;
      }
      const now = performance.now();
      freeAt = Math.max(now, freeAt) + (bytes * 1000) / this.bytesPerSecond;
      const due = freeAt + this.delayMs;
      if (delayed.length === 0 && due <= now) {
        run();
        return;
      }
      delayed.push({ due, run });
      if (delayed.length === 1) setTimeout(passDue, due - now);
    };
    from.on('data', (chunk: Buffer) => {
      if (direction === 'up' && pipe.passed.up === 0) this.#judge(pipe, chunk);
      const { fate, passed } = pipe;
      if (fate.answer !== undefined) return;
      if (fate.buffersDown && direction === 'down' && passed.down > 0) return;
      const limit = Math.min(fate.resetAfter?.[direction] ?? Infinity, passed[direction] + this.#leftOf(direction));
      const part = chunk.subarray(0, limit - passed[direction]);
      passed[direction] += chunk.length;
      this.total[direction] += chunk.length;
      const isCut = passed[direction] >= limit;
      const cut = this.#cut?.direction === direction ? this.#cut : undefined;
      if (cut && (cut.left -= part.length) <= 0) this.#cut = undefined;
      later(() => {
        if (to.destroyed) return;
        const hasRoom = to.write(part);
        if (isCut) {
          to.once('drain', () => undefined);
          setImmediate(() => this.#end(pipe)); // what was written is on its way
          cut?.done();
        } else if (!hasRoom) {
          from.pause();
          to.once('drain', () => {
            if (!this.#stalled.has(direction)) from.resume();
          });
        }
      }, part.length);
    });
    from.on('end', () => later(() => to.end()));
    from.on('close', () => later(() => to.destroy()));
  }

  #leftOf(direction: Direction): number {
    return this.#cut?.direction === direction ? this.#cut.left : Infinity;
  }

  #judge(pipe: Pipe, chunk: Buffer): void {
    const line = chunk.toString('latin1').split('\r\n', 1)[0] ?? '';
    this.lines.push(line);
    pipe.fate = this.fateOf(line) ?? {};
    if (pipe.fate.answer === undefined) return;
    pipe.ends.up.end(pipe.fate.answer);
    pipe.ends.down.destroy();
  }

  #end(pipe: Pipe): void {
    this.#pipes.delete(pipe);
    for (const end of Object.values(pipe.ends)) end.resetAndDestroy();
  }
}
