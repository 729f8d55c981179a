import { randomInt } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { AppError } from '../../core/protocol/errors.ts';
import type { SkippedMessage } from './cdp-messages.ts';
import { CdpSession } from './cdp-session.ts';
import { hasResultShape, hasShape } from './cdp-shapes.ts';
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

/** Chromium's ids are 32 bits, signed. */
const MAX_ID = 2 ** 31 - 1;
/** Chromium's answer to a command for a session that it no longer has. */
const SESSION_NOT_FOUND = -32001;

/** Maximum number of commands without an answer: a page may be the cause of commands, and of the answers' delay. */
const MAX_PENDING = 50_000;

/** A connection to one browser. The caller closes it; it also closes when the browser ends. */
export class CdpConnection {
  /** The browser's own session. Its `closed` signal is the connection's. */
  readonly root: CdpSession;
  readonly #transport: CdpTransport;
  readonly #onFault: (error: unknown) => void;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #pending = new Map<number, Pending>();
  /** Names of all events that a session has had a listener for. */
  readonly #heard = new Set<string>();

  constructor(transport: CdpTransport, options: CdpOptions = {}) {
    this.#transport = transport;
    this.#onFault = options.onFault ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
    this.root = new CdpSession(this.#wire);
    transport.start(
      {
        wants: (event) => event.startsWith('Target.') || this.#heard.has(event),
        read: (text, bytes) => this.#receive(text, bytes),
        skipped: (message) => this.#skip(message),
      },
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
        if (this.#pending.size >= MAX_PENDING) {
          reject(new AppError('cdp-busy', 'Too many commands wait for an answer.', { retryable: true }));
          return;
        }
        const id = this.#newId();
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
    listens: (event: string): void => void this.#heard.add(event),
    fault: (error: unknown): void => this.#onFault(error),
  };

  /** Counts the bytes of a message that nobody wants, or that is too long: then nobody waits for it any more. */
  #skip({ id, sessionId, bytes }: SkippedMessage): void {
    this.#count(sessionId, bytes);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id !== undefined && pending) {
      const error = { code: 0, message: `the answer is too long (${bytes} bytes)` };
      this.#answer(id, { error }, sessionId);
    }
  }

  #count(sessionId: string | undefined, bytes: number): void {
    const session = sessionId === undefined ? this.root : this.#sessions.get(sessionId);
    if (session) session.received += bytes;
  }

  #receive(text: string, bytes: number): void {
    let message: CdpMessage | null;
    try {
      message = JSON.parse(text) as CdpMessage | null; // the fields are checked as they are used
    } catch (cause) {
      this.#onFault(new AppError('cdp-malformed', 'A message is not JSON.', { cause }));
      return;
    }
    this.#count(message?.sessionId, bytes);
    if (typeof message?.id === 'number') return this.#answer(message.id, message, message.sessionId);
    if (typeof message?.method !== 'string') return;
    // A message of a session that was just detached is dropped.
    const session = message.sessionId === undefined ? this.root : this.#sessions.get(message.sessionId);
    if (!session) return;
    if (!hasShape(message.method, message.params ?? {})) {
      this.#onFault(new AppError('cdp-malformed', `${message.method.slice(0, 100)} has another shape.`));
      return;
    }
    if (message.method.startsWith('Target.')) this.#track(session, message.method, message.params);
    session.dispatch(message.method, message.params ?? {});
  }

  /**
   * The id of a command. A page's process may send any message on its own sessions, and Chromium passes it on: it must not be able to
   * answer a command that the browser's process has to answer, which it is never shown.
   */
  #newId(): number {
    for (;;) {
      const id = randomInt(1, MAX_ID);
      if (!this.#pending.has(id)) return id;
    }
  }

  #answer(id: number, { result, error }: CdpMessage, sessionId: string | undefined): void {
    const pending = this.#pending.get(id);
    if (!pending) return; // its deadline has passed
    // Only the browser's process answers without a session, where it has none of that id.
    if (sessionId !== pending.session.id && (sessionId !== undefined || !error)) return;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (!error) {
      if (hasResultShape(pending.method, result)) pending.resolve(result);
      else pending.reject(new AppError('cdp-malformed', `The answer to ${pending.method} has another shape.`));
      return;
    }
    const code = error.code === SESSION_NOT_FOUND ? 'cdp-closed' : 'cdp-error';
    const data = { method: pending.method, cdpCode: error.code, detail: error.data };
    pending.reject(new AppError(code, `${pending.method}: ${error.message}`, { data }));
  }

  /** Updates the tree of sessions. Runs before the listeners of the same event, so that they see the updated tree. */
  #track(session: CdpSession, method: string, params: unknown): void {
    if (method === 'Target.attachedToTarget') {
      const { sessionId, targetInfo, waitingForDebugger } = params as Protocol.Target.AttachedToTargetEvent; // known by the method
      if (this.#sessions.has(sessionId)) return; // Chromium names each once: a page's process has sent this
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
        if (child.targetInfo?.targetId !== targetInfo.targetId) continue;
        child.targetInfo = targetInfo;
        child.dispatch(method, params);
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
