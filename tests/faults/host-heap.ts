import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { PATIENCE_MS } from '../../core/testing/patience.ts';

/** An object of the other process. */
interface Remote {
  readonly result: { readonly objectId: string };
}

/** Memory of a Node process after garbage collection. */
export class HostHeap {
  /** Environment that enables the inspector in a process. */
  static readonly env = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };
  readonly #socket: WebSocket;
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** Attaches to a process that was started with {@link env} and writes its output to a file. The caller closes it. */
  static async attach(log: string): Promise<HostHeap> {
    let address: string | undefined;
    for (const end = performance.now() + PATIENCE_MS; address === undefined && performance.now() < end; await delay(20))
      address = /Debugger listening on (ws:\S+)/.exec(await readFile(log, 'utf8').catch(() => ''))?.[1];
    if (address === undefined) throw new Error('the process listens for no debugger');
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return new HostHeap(socket);
  }

  /** Bytes of its objects and of its buffers. */
  async held(): Promise<number> {
    await this.#call('HeapProfiler.collectGarbage', {});
    const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
    const { result } = (await this.#call('Runtime.evaluate', { expression })) as { result: { value: number } };
    return result.value;
  }

  /** Number of objects of a kind, by an expression for their prototype. */
  async count(prototype: string): Promise<number> {
    await this.#call('HeapProfiler.collectGarbage', {});
    const objectGroup = 'count';
    const found = (await this.#call('Runtime.evaluate', { expression: prototype, objectGroup })) as Remote;
    const { objects } = (await this.#call('Runtime.queryObjects', {
      prototypeObjectId: found.result.objectId,
      objectGroup,
    })) as { readonly objects: Remote['result'] };
    const { result } = (await this.#call('Runtime.callFunctionOn', {
      objectId: objects.objectId,
      functionDeclaration: 'function () { return this.length; }',
    })) as { readonly result: { readonly value: number } };
    await this.#call('Runtime.releaseObjectGroup', { objectGroup });
    return result.value;
  }

  /** Starts to measure the delay of its event loop. */
  async watchDelay(): Promise<void> {
    const watch = `globalThis.vitrineDelay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 2 })`;
    await this.#call('Runtime.evaluate', { expression: `${watch}; vitrineDelay.enable()` });
  }

  /** Longest delay of its event loop since {@link watchDelay}, in ms. */
  async longestDelay(): Promise<number> {
    const expression = 'vitrineDelay.disable(), vitrineDelay.max / 1e6';
    const { result } = (await this.#call('Runtime.evaluate', { expression })) as { result: { value: number } };
    return result.value;
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: object): Promise<unknown> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the process does not answer ${method}`)), PATIENCE_MS);
      const take = (data: Buffer): void => {
        const answer = JSON.parse(data.toString()) as { id?: number; result?: unknown; error?: { message: string } };
        if (answer.id !== id) return;
        clearTimeout(timer);
        this.#socket.off('message', take);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      this.#socket.on('message', take);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
