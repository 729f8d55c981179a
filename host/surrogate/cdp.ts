import type { Readable, Writable } from 'node:stream';
import type { Protocol } from 'devtools-protocol/types/protocol.js';
import { AppError } from '../../core/protocol/errors.ts';
import type { SkippedMessage } from './cdp-messages.ts';
import { CdpSession, DEFAULT_DEADLINE_MS } from './cdp-session.ts';
import { hasResultShape, hasShape } from './cdp-shapes.ts';
import { MAX_COMMAND_BYTES, pipeTransport, type CdpTransport } from './cdp-transport.ts';
import { CommandIds } from './command-ids.ts';

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

/** Maximum number of commands without an answer: a page may be the cause of commands, and of the answers' delay. */
const MAX_PENDING = 50_000;
/** Maximum number of announced targets of which the browser's process has not said yet whether it has them. */
const MAX_ANNOUNCED = 2000;
/** Domain of events about targets, which the browser's process alone speaks. */
const TARGET = 'Target.';
/**
 * Events of the browser's own session beside these. A page's process could make them up, too: a download that it invents has no file, and it cannot
 * guess the id of one that exists.
 */
const DOWNLOADS = ['Browser.downloadWillBegin', 'Browser.downloadProgress'];

/** A target that was announced, until the browser's process has answered on its session. */
interface Announced {
  readonly session: CdpSession;
  readonly whenChecked: Promise<void>;
}

/**
 * A connection to one browser. The caller closes it; it also closes when the browser ends.
 *
 * Chromium's browser process passes on the messages of pages' processes as they are, their `sessionId` included, which is written there.
 * So a hostile process may name no session, and speak as the browser, or any other whose id it knows: those of its own pages and frames.
 * Events about targets are therefore only a reason to ask: a command that the browser's process answers has an id that no page is shown.
 */
export class CdpConnection {
  /** The browser's own session. Its `closed` signal is the connection's. */
  readonly root: CdpSession;
  readonly #transport: CdpTransport;
  readonly #onFault: (error: unknown) => void;
  readonly #sessions = new Map<string, CdpSession>();
  readonly #pending = new Map<number, Pending>();
  readonly #ids = new CommandIds();
  /** By session id. */
  readonly #announced = new Map<string, Announced>();
  /** Names of all events that a session has had a listener for. */
  readonly #heard = new Set<string>();

  constructor(transport: CdpTransport, options: CdpOptions = {}) {
    this.#transport = transport;
    this.#onFault = options.onFault ?? ((error) => process.emitWarning(error instanceof Error ? error : String(error)));
    this.root = new CdpSession(this.#wire);
    transport.start(
      {
        wants: (event) => event.startsWith(TARGET) || this.#heard.has(event),
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
    await this.#announced.get(sessionId)?.whenChecked;
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
      new Promise((resolve, reject) => this.#post({ session, method, resolve, reject }, params, deadlineMs)),
    listens: (event: string): void => void this.#heard.add(event),
    fault: (error: unknown): void => this.#onFault(error),
  };

  #post(command: Omit<Pending, 'timer'>, params: object | undefined, deadlineMs: number): void {
    const { session, method, reject } = command;
    if (this.#pending.size >= MAX_PENDING) {
      reject(new AppError('cdp-busy', 'Too many commands wait for an answer.', { retryable: true }));
      return;
    }
    const id = this.#ids.draw((drawn) => this.#pending.has(drawn));
    const text = JSON.stringify({ id, method, params, sessionId: session.id });
    if (text.length > MAX_COMMAND_BYTES / 3 && Buffer.byteLength(text) > MAX_COMMAND_BYTES) {
      reject(new AppError('cdp-error', `${method} is longer than Chromium accepts.`, { data: { method } }));
      return;
    }
    const timer = setTimeout(() => {
      this.#forget(id);
      const message = `${method} was not answered within ${deadlineMs} ms.`;
      reject(new AppError('cdp-timeout', message, { data: { method, deadlineMs }, retryable: true }));
    }, deadlineMs);
    this.#pending.set(id, { ...command, timer });
    this.#transport.send(text);
  }

  /** Counts the bytes of a message that nobody wants, or that is too long: then nobody waits for it any more. */
  #skip({ id, sessionId, bytes }: SkippedMessage): void {
    this.#count(sessionId, bytes);
    if (id !== undefined) {
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
    const isOfTargets = message.method.startsWith(TARGET);
    if (session === this.root && !isOfTargets && !DOWNLOADS.includes(message.method)) {
      this.#onFault(new AppError('cdp-forged', `${message.method.slice(0, 100)} comes from no session.`));
      return;
    }
    if (!hasShape(message.method, message.params ?? {})) {
      this.#onFault(new AppError('cdp-malformed', `${message.method.slice(0, 100)} has another shape.`));
      return;
    }
    if (isOfTargets) this.#track(session, message.method, message.params);
    session.dispatch(message.method, message.params ?? {});
  }

  #forget(id: number): void {
    this.#pending.delete(id);
    this.#ids.end(id);
  }

  #answer(id: number, { result, error }: CdpMessage, sessionId: string | undefined): void {
    const pending = this.#pending.get(id);
    if (!pending) {
      if (!this.#ids.isGuessed(id)) return; // its deadline has passed
      this.#onFault(new AppError('cdp-forged', 'Commands are answered that were never sent.'));
      this.#transport.close();
      return;
    }
    // Only the browser's process answers without a session, where it has none of that id.
    if (sessionId !== pending.session.id && (sessionId !== undefined || error?.code !== SESSION_NOT_FOUND)) return;
    this.#forget(id);
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
      this.#check(session, params as Protocol.Target.AttachedToTargetEvent); // known by the method
    } else if (method === 'Target.detachedFromTarget') {
      const { sessionId } = params as Protocol.Target.DetachedFromTargetEvent; // known by the method
      const child = this.#announced.get(sessionId)?.session ?? this.#sessions.get(sessionId);
      if (child?.parent === session) this.#drop(child);
    } else if (method === 'Target.targetInfoChanged') {
      const { targetInfo } = params as Protocol.Target.TargetInfoChangedEvent; // known by the method
      for (const child of session.children)
        if (child.targetInfo?.targetId === targetInfo.targetId)
          child.dispatch(method, { targetInfo: child.targetInfo });
    }
  }

  /**
   * Asks the browser's process for the target of a session that was announced, and adds the session once it has answered on it: in the
   * same turn, so that no message of the session is lost. The target sends none before a domain of it is enabled.
   */
  #check(parent: CdpSession, { sessionId, waitingForDebugger }: Protocol.Target.AttachedToTargetEvent): void {
    if (this.#sessions.has(sessionId) || this.#announced.has(sessionId)) return; // Chromium names each once: a page's process has sent this
    if (this.#announced.size >= MAX_ANNOUNCED) {
      this.#onFault(new AppError('cdp-forged', 'Too many targets are announced.'));
      return;
    }
    const { promise: whenChecked, resolve: checked } = Promise.withResolvers<void>();
    const session = new CdpSession(this.#wire, sessionId, parent);
    this.#announced.set(sessionId, { session, whenChecked });
    const resolve = (result: unknown): void => {
      this.#announced.delete(sessionId);
      checked();
      session.targetInfo = (result as Protocol.Target.GetTargetInfoResponse).targetInfo; // its shape is checked
      this.#sessions.set(sessionId, session);
      parent.announce({ session, waitingForDebugger });
    };
    const reject = (error: AppError): void => {
      this.#announced.delete(sessionId);
      checked();
      if (session.closed.aborted) return; // it was detached meanwhile
      session.close(error);
      const isForged = error.code === 'cdp-closed';
      this.#onFault(isForged ? new AppError('cdp-forged', 'A session was announced that the browser has not.') : error);
    };
    this.#post({ session, method: 'Target.getTargetInfo', resolve, reject }, {}, DEFAULT_DEADLINE_MS);
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
      this.#forget(id);
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
