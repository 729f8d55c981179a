import type { Readable, Writable } from 'node:stream';
import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { AppError } from '../../core/protocol/errors.ts';
import { CdpSession } from './cdp-session.ts';
import { MAX_COMMAND_BYTES, pipeTransport, type CdpTransport } from './cdp-transport.ts';

export interface CdpOptions {
  /** Called with errors that listeners throw and with messages that are not CDP. Default: a process warning. */
  readonly onFault?: (error: unknown) => void;
}

interface Pending {
  readonly session: CdpSession;
  readonly method: string;
  readonly timer: NodeJS.Timeout;
  resolve(result: unknown): void;
  reject(error: AppError): void;
}

interface CdpMessage {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Chromium's answer to a command for a session that it no longer has. */
const SESSION_NOT_FOUND = -32001;

/** A connection to one browser. The caller closes it; it also closes when the browser ends. */
export class CdpConnection {
  /** The browser's own session. Its `closed` signal is the connection's. */
  readonly root: CdpSession;
  readonly #transport: CdpTransport;
  readonly #onFault: (error: unknown) => void;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  constructor(transport: CdpTransport, options: CdpOptions = {}) {
    this.#transport = transport;
    this.#onFault = options.onFault ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
    this.root = new CdpSession(this.#wire);
    transport.start(
      (text) => this.#receive(text),
      (cause) => this.#end(cause),
    );
  }

  /** Returns the attached session of that id, until it is detached. */
  session(id: string): CdpSession | undefined {
    return this.#sessions.get(id);
  }

  /**
   * Attaches to a target by its id. Only for targets outside the reach of `Target.setAutoAttach`: both together double every message.
   *
   * @throws AppError as {@link CdpSession.send}
   */
  async attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = this.#sessions.get(sessionId);
    if (!session) throw new AppError('cdp-closed', 'The target was closed.');
    return session;
  }

  /** Closes the transport; pending commands are rejected with `cdp-closed`. Idempotent. */
  close(): void {
    this.#transport.close();
  }

  readonly #wire = {
    post: (session: CdpSession, method: string, params: object | undefined, deadlineMs: number): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = ++this.#lastId;
        const text = JSON.stringify({ id, method, params, sessionId: session.id });
        if (text.length > MAX_COMMAND_BYTES / 3 && Buffer.byteLength(text) > MAX_COMMAND_BYTES) {
          reject(new AppError('cdp-error', `${method} is longer than Chromium accepts.`, { data: { method } }));
          return;
        }
        const timer = setTimeout(() => {
          this.#pending.delete(id);
          const message = `${method} was not answered within ${deadlineMs} ms.`;
          reject(new AppError('cdp-timeout', message, { data: { method, deadlineMs }, retryable: true }));
        }, deadlineMs);
        this.#pending.set(id, { session, method, timer, resolve, reject });
        this.#transport.send(text);
      }),
    fault: (error: unknown): void => this.#onFault(error),
  };

  #receive(text: string): void {
    let message: CdpMessage | null;
    try {
      message = JSON.parse(text) as CdpMessage | null; // the fields are checked as they are used
    } catch (error) {
      this.#onFault(error);
      return;
    }
    if (typeof message?.id === 'number') return this.#answer(message.id, message);
    if (typeof message?.method !== 'string') return;
    // A message of a session that was just detached is dropped.
    const session = message.sessionId === undefined ? this.root : this.#sessions.get(message.sessionId);
    if (!session) return;
    if (message.method.startsWith('Target.')) this.#track(session, message.method, message.params);
    session.dispatch(message.method, message.params);
  }

  #answer(id: number, { result, error }: CdpMessage): void {
    const pending = this.#pending.get(id);
    if (!pending) return; // its deadline has passed
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (!error) return pending.resolve(result);
    const code = error.code === SESSION_NOT_FOUND ? 'cdp-closed' : 'cdp-error';
    const data = { method: pending.method, cdpCode: error.code, detail: error.data };
    pending.reject(new AppError(code, `${pending.method}: ${error.message}`, { data }));
  }

  /** Updates the tree of sessions. Runs before the listeners of the same event, so that they see the updated tree. */
  #track(session: CdpSession, method: string, params: unknown): void {
    if (method === 'Target.attachedToTarget') {
      const { sessionId, targetInfo, waitingForDebugger } = params as Protocol.Target.AttachedToTargetEvent; // known by the method
      const child = new CdpSession(this.#wire, sessionId, session, targetInfo);
      this.#sessions.set(sessionId, child);
      session.announce({ session: child, waitingForDebugger });
    } else if (method === 'Target.detachedFromTarget') {
      const { sessionId } = params as Protocol.Target.DetachedFromTargetEvent; // known by the method
      const child = this.#sessions.get(sessionId);
      if (child) this.#drop(child);
    } else if (method === 'Target.targetInfoChanged') {
      const { targetInfo } = params as Protocol.Target.TargetInfoChangedEvent; // known by the method
      for (const child of session.children) {
        if (child.targetInfo?.targetId === targetInfo.targetId) child.targetInfo = targetInfo;
      }
    }
  }

  #drop(session: CdpSession): void {
    session.close(new AppError('cdp-closed', 'The target was detached.'));
    for (const [id, { closed }] of this.#sessions) if (closed.aborted) this.#sessions.delete(id);
    this.#rejectClosed();
  }

  #end(cause: unknown): void {
    this.root.close(new AppError('cdp-closed', 'The connection to the browser ended.', { cause }));
    this.#sessions.clear();
    this.#rejectClosed();
  }

  #rejectClosed(): void {
    for (const [id, { session, timer, reject }] of this.#pending) {
      if (!session.closed.aborted) continue;
      this.#pending.delete(id);
      clearTimeout(timer);
      reject(session.closed.reason as AppError); // only CdpSession.close aborts, with an AppError
    }
  }
}

/**
 * A connection over `--remote-debugging-pipe`: `read` is the browser's fd 4, `write` its fd 3. Takes ownership of both
 * streams.
 */
export function connectPipe(read: Readable, write: Writable, options?: CdpOptions): CdpConnection {
  return new CdpConnection(pipeTransport(read, write), options);
}
