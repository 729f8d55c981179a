import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromiumPath } from '../../fidelity/browser.ts';

/** A message of CDP, as it is on the pipe. */
export interface CdpText {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Target of a CDP session. */
interface TappedTarget {
  readonly sessionId: string;
  readonly targetId: string;
  readonly type: string;
  url: string;
  /** Session on which it was announced; undefined: the browser's. */
  readonly parent: string | undefined;
}

/** Ids of the tap's own commands: the product draws its own from 31 bits, and it is not told of the answers to these. */
const FIRST_OWN_ID = 2 ** 31 - 1_000_000;
/** Messages of one event that are kept as samples. */
const MAX_SAMPLES = 20;
/** Longest message that is kept as a sample, in UTF-16 units. */
const MAX_SAMPLE_UNITS = 20_000;

/** Interval of looking whether a socket has taken all, in ms. */
const DRAIN_MS = 5;

/** Returns the messages that the product gets in the place of one; undefined: it gets that one. */
type Tamper = (message: CdpText) => readonly unknown[] | undefined;

/** One surrogate whose CDP passes through this process. */
export class TappedBrowser {
  /** Attached targets by session. */
  readonly targets = new Map<string, TappedTarget>();
  /** Parameters of the latest events, by method. */
  readonly samples = new Map<string, CdpText[]>();
  /** The commands of the product that have no answer yet: their methods by id. */
  readonly pending = new Map<number, CdpText>();
  /** Set to change what the product reads; undefined: nothing is changed. */
  tamper: Tamper | undefined;
  readonly #toProduct: Socket;
  readonly #toBrowser: Socket;
  readonly #asked = new Map<number, (message: CdpText) => void>();
  #nextId = FIRST_OWN_ID;

  constructor(product: Socket, browser: Socket) {
    this.#toProduct = product;
    this.#toBrowser = browser;
    split(product, (bytes) => {
      const message = parsed(bytes);
      if (message?.id !== undefined) this.pending.set(message.id, message);
      write(browser, bytes);
    });
    split(browser, (bytes) => this.#fromBrowser(bytes));
  }

  /** Sends a message to the product as if the browser had; a text goes as it is. */
  inject(message: unknown): void {
    write(this.#toProduct, Buffer.from(typeof message === 'string' ? message : JSON.stringify(message)));
  }

  /** Resolves once the product has read all that was injected, as far as its socket takes it, or has gone. */
  async drained(): Promise<void> {
    while (this.#toProduct.writableLength > 0 && !this.#toProduct.destroyed) await delay(DRAIN_MS);
  }

  /** Sends a command to the browser and returns its result. */
  async command<T>(sessionId: string | undefined, method: string, params: object = {}): Promise<T> {
    const id = this.#nextId++;
    const answer = new Promise<CdpText>((resolve) => this.#asked.set(id, resolve));
    write(this.#toBrowser, Buffer.from(JSON.stringify({ id, method, params, sessionId })));
    const { result, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as T; // as the protocol declares it
  }

  /** The session of the page that shows an address which contains this text. */
  pageAt(text: string): TappedTarget | undefined {
    const pages = [...this.targets.values()].filter(({ type, parent }) => type === 'page' && parent === undefined);
    return pages.find(({ url }) => url.includes(text));
  }

  /** Ids of a session and of those below it. */
  family(sessionId: string): string[] {
    const below = [...this.targets.values()].filter(({ parent }) => parent === sessionId);
    return [sessionId, ...below.flatMap((child) => this.family(child.sessionId))];
  }

  get isOpen(): boolean {
    return !this.#toProduct.destroyed && !this.#toBrowser.destroyed;
  }

  #fromBrowser(bytes: Buffer): void {
    const message = parsed(bytes);
    const answers = message?.id === undefined ? undefined : this.#asked.get(message.id);
    if (message?.id !== undefined && answers) {
      this.#asked.delete(message.id);
      answers(message);
      return;
    }
    if (message) this.#note(message, bytes.length);
    const instead = message && this.tamper?.(message);
    if (message?.id !== undefined) this.pending.delete(message.id);
    if (instead) for (const each of instead) this.inject(each);
    else write(this.#toProduct, bytes);
  }

  #note(message: CdpText, units: number): void {
    const { method, params, sessionId } = message;
    if (method === undefined) return;
    if (method === 'Target.attachedToTarget') {
      const attached = params as { sessionId: string; targetInfo: { targetId: string; type: string; url: string } }; // by its method
      const { targetId, type, url } = attached.targetInfo;
      this.targets.set(attached.sessionId, { sessionId: attached.sessionId, targetId, type, url, parent: sessionId });
    } else if (method === 'Target.detachedFromTarget') {
      this.targets.delete((params as { sessionId: string }).sessionId); // by its method
    } else if (method === 'Target.targetInfoChanged') {
      const { targetInfo } = params as { targetInfo: { targetId: string; url: string } }; // by its method
      for (const target of this.targets.values())
        if (target.targetId === targetInfo.targetId) target.url = targetInfo.url;
    }
    if (units > MAX_SAMPLE_UNITS) return;
    const kept = this.samples.get(method) ?? [];
    this.samples.set(method, [...kept.slice(1 - MAX_SAMPLES), message]);
  }
}

/** A program to start surrogates with, which sends all of their CDP through this process. */
export class CdpTap {
  /** Path for `--chromium`. */
  readonly executable: string;
  /** In the order of their start. */
  readonly browsers: TappedBrowser[] = [];
  readonly #close: () => Promise<void>;

  private constructor(executable: string, close: () => Promise<void>) {
    this.executable = executable;
    this.#close = close;
  }

  static async start(): Promise<CdpTap> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-tap-'));
    const sockets = new Set<Socket>();
    const halves = new Map<string, Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', (first: Buffer) => {
        socket.pause();
        const line = first.indexOf(10);
        const name = first.toString('latin1', 0, line);
        if (first.length > line + 1) socket.unshift(first.subarray(line + 1));
        const [side = '', pid = ''] = name.split(' ');
        const other = halves.get(`${side === 'product' ? 'browser' : 'product'} ${pid}`);
        if (!other) halves.set(name, socket);
        else
          tap.browsers.push(side === 'product' ? new TappedBrowser(socket, other) : new TappedBrowser(other, socket));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const relay = path.join(folder, 'relay.mjs');
    const executable = path.join(folder, 'chromium');
    await writeFile(relay, RELAY);
    await writeFile(executable, `#!/bin/sh\nexec '${process.execPath}' '${relay}' ${port} '${chromiumPath()}' "$@"\n`);
    await Promise.all([chmod(folder, 0o755), chmod(relay, 0o644), chmod(executable, 0o755)]);
    const tap: CdpTap = new CdpTap(executable, async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(folder, { recursive: true, force: true });
    });
    return tap;
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** The program: connects both ends of the pipe to the tap. It runs as the surrogate's user, so it imports nothing of ours. */
const RELAY = `
import net from 'node:net';
import { spawn } from 'node:child_process';
const [, , port, program, ...args] = process.argv;
const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'] });
child.once('exit', (code) => process.exit(code ?? 1));
const connect = (side, from, to) => {
  const socket = net.connect(Number(port), '127.0.0.1');
  const end = () => { child.kill('SIGKILL'); process.exit(1); };
  socket.write(side + ' ' + process.pid + '\\n');
  from.pipe(socket).pipe(to);
  for (const stream of [from, to, socket]) stream.on('error', end).on('close', end);
};
connect('product', new net.Socket({ fd: 3, readable: true, writable: false }), new net.Socket({ fd: 4, readable: false, writable: true }));
connect('browser', child.stdio[4], child.stdio[3]);
`;

/** Calls with each message of a stream, without its end. */
function split(from: Socket, take: (bytes: Buffer) => void): void {
  let parts: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      take(Buffer.concat([...parts, chunk.subarray(start, end)]));
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  from.resume();
}

function write(to: Socket, bytes: Buffer): void {
  if (to.destroyed) return;
  to.write(bytes);
  to.write('\0');
}

function parsed(bytes: Buffer): CdpText | undefined {
  if (bytes.length > 1024 * 1024) return undefined; // bodies and the like pass as they are
  try {
    return JSON.parse(bytes.toString()) as CdpText; // fields are checked where they are used
  } catch {
    return undefined;
  }
}
