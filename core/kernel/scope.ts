import type { Commands, Log } from '../contracts/scope.ts';
import type { Kernel } from '../contracts/kernel.ts';
import type { Line } from '../contracts/main-half.ts';
import type { PageScope } from '../contracts/page-scope.ts';
import { AppError, toAppError } from '../protocol/errors.ts';
import { ownLine } from './line.ts';
import type { Endpoint } from '../protocol/endpoint.ts';
import { pageLog } from '../protocol/page-messages.ts';

/** Longest text of a log line, and of its data as JSON, in UTF-16 units. */
const LOG_UNITS = 2000;

/** The log of one page half; lines go to the host. */
export function pageLogger(endpoint: Endpoint, plugin: string): Log {
  const line =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, data?: Record<string, unknown>): void =>
      endpoint.send(pageLog, {
        plugin,
        level,
        message: message.slice(0, LOG_UNITS),
        ...(data && { details: detailsOf(data) }),
      });
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}

function detailsOf(data: Record<string, unknown>): string {
  try {
    return JSON.stringify(data).slice(0, LOG_UNITS);
  } catch {
    return 'data that is not JSON';
  }
}

/** The scope of one page half, and what disposes it. */
interface OwnedScope {
  readonly scope: PageScope;
  /** Undoes all that was registered through the scope, in reverse order. */
  dispose(): void;
}

/** Makes the scope of one page half; `onFault` is called when one of its listeners throws. */
export function createPageScope(
  id: string,
  endpoint: Endpoint,
  { kernel, line }: { readonly kernel: Kernel; readonly line: Line },
  onFault: (fault: AppError) => void,
): OwnedScope {
  const log = pageLogger(endpoint, id);
  const disposal = new AbortController();
  const undos: (() => void)[] = [];
  const owned = (undo: () => void): (() => void) => {
    undos.push(undo);
    return undo;
  };
  const guarded =
    <A extends readonly unknown[]>(listener: (...args: A) => void) =>
    (...args: A): void => {
      try {
        listener(...args);
      } catch (thrown) {
        onFault(toAppError(thrown));
      }
    };
  const commands: Commands = {
    // A timer that was not cleared has nobody to speak to any more.
    send: (message, params, ...options) => {
      if (!disposal.signal.aborted) endpoint.send(message, params, ...options);
    },
    call: async (message, params, ...options) => {
      disposal.signal.throwIfAborted();
      return endpoint.call(message, params, ...options);
    },
    handle: (message, handler) => owned(endpoint.handle(message, handler)),
  };
  const scoped: Kernel = {
    get epoch() {
      return kernel.epoch;
    },
    idOf: (node) => kernel.idOf(node),
    nodeOf: (nodeId) => kernel.nodeOf(nodeId),
    shadowOf: (element) => kernel.shadowOf(element),
    roots: () => kernel.roots(),
    schedule: () => kernel.schedule(),
    flush: () => kernel.flush(),
    position: () => kernel.position(),
    record: (recorder) => kernel.record(recorder),
    listen: (type, listener) => owned(kernel.listen(type, guarded(listener))),
    onShortcut: (shortcuts, press) => owned(kernel.onShortcut(shortcuts, guarded(press))),
    onFlush: (collect) => owned(kernel.onFlush(guarded(collect))),
    onPoll: (poll) => owned(kernel.onPoll(guarded(poll))),
  };
  const own = ownLine(line, id);
  return {
    scope: {
      plugin: { id },
      commands,
      kernel: scoped,
      main: { send: own.send, on: (name, listener) => owned(own.on(name, guarded(listener))) },
      log,
      signal: disposal.signal,
      onDispose: (undo) => void undos.push(undo),
    },
    dispose: () => {
      disposal.abort(new AppError('withdrawn', `${id} is over`));
      for (let undo = undos.pop(); undo; undo = undos.pop()) guarded(undo)();
    },
  };
}
