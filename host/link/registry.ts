import type { LinkHandler, LinkStream } from './api.ts';

/** Takes the streams of one name. */
type StreamAcceptor = (params: unknown, stream: LinkStream) => void;

/** Call handlers, stream acceptors and event listeners of one side, by name. */
export class Registry {
  readonly handlers = new Map<string, LinkHandler>();
  readonly acceptors = new Map<string, StreamAcceptor>();
  readonly listeners = new Map<string, Set<(params: unknown) => void>>();

  /** Adds the one handler of a method; the returned function removes it. */
  handle(method: string, handler: LinkHandler): () => void {
    return register(this.handlers, method, handler);
  }

  /** Adds the one acceptor of a name; the returned function removes it. */
  accept(name: string, accepted: StreamAcceptor): () => void {
    return register(this.acceptors, name, accepted);
  }

  /** Adds a listener of a notice; the returned function removes it. */
  on(name: string, listener: (params: unknown) => void): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(name) === listeners) this.listeners.delete(name);
    };
  }
}

function register<T>(table: Map<string, T>, name: string, entry: T): () => void {
  if (table.has(name)) throw new Error(`${name} is taken already.`);
  table.set(name, entry);
  return () => {
    if (table.get(name) === entry) table.delete(name);
  };
}
