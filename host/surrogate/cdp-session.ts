import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { AppError } from '../../core/protocol/errors.ts';

type CdpMethod = keyof ProtocolMapping.Commands;
type CdpEvent = keyof ProtocolMapping.Events;
type CdpResult<M extends CdpMethod> = ProtocolMapping.Commands[M]['returnType'];
type CdpPayload<E extends CdpEvent> = ProtocolMapping.Events[E] extends [infer P] ? P : undefined;
type TargetInfo = Protocol.Target.TargetInfo;

interface CdpCallOptions {
  /** Deadline for the answer, in ms. Default {@link DEFAULT_DEADLINE_MS}. */
  readonly deadlineMs?: number;
}

/** Arguments after the method in `send`: params, left out where the method needs none, then options. */
type CdpArguments<M extends CdpMethod> = ProtocolMapping.Commands[M]['paramsType'] extends []
  ? [params?: Record<string, never>, options?: CdpCallOptions]
  : ProtocolMapping.Commands[M]['paramsType'] extends [infer P]
    ? [params: P, options?: CdpCallOptions]
    : ProtocolMapping.Commands[M]['paramsType'] extends [(infer P)?]
      ? [params?: P, options?: CdpCallOptions]
      : never;

/** A target that Chromium attached us to. */
interface Attached {
  readonly session: CdpSession;
  /** The target waits for `Runtime.runIfWaitingForDebugger`. */
  readonly waitingForDebugger: boolean;
}

/** Functions of the connection that a session uses. */
interface CdpWire {
  /** Sends one command; `session` undefined is the browser itself. */
  post(session: CdpSession, method: string, params: object | undefined, deadlineMs: number): Promise<unknown>;
  /** A session listens for an event from now on. */
  listens(event: string): void;
  /** A listener threw. */
  fault(error: unknown): void;
}

export const DEFAULT_DEADLINE_MS = 10_000;

type Listener = (payload: unknown) => void;

/** Looks at each event before its listeners do. Returns the payload for them, or undefined: none of them gets the event. */
type Gate = (event: string, payload: object) => object | undefined;

/**
 * One CDP session: the browser itself or an attached target. Sessions are flat; `parent` is the session on which the
 * target was announced. Only its connection creates and closes it.
 */
export class CdpSession {
  /** Undefined for the browser's own session. */
  readonly id: string | undefined;
  readonly parent: CdpSession | undefined;
  readonly children: Set<CdpSession> = new Set();
  /** Aborted, with AppError `cdp-closed` as its reason, when the target is detached or the connection ends. */
  readonly closed: AbortSignal;
  /** As the browser's process has answered when the target was attached; undefined for the browser's own session. */
  targetInfo: TargetInfo | undefined;
  /** Bytes of its messages so far, read or not. Counted by the connection. */
  received = 0;

  readonly #wire: CdpWire;
  #gate: Gate | undefined;
  readonly #abort = new AbortController();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #attached = new Set<(attached: Attached) => void>();
  readonly #detached = new Set<(session: CdpSession) => void>();

  constructor(wire: CdpWire, id?: string, parent?: CdpSession, targetInfo?: TargetInfo) {
    this.#wire = wire;
    this.id = id;
    this.parent = parent;
    this.targetInfo = targetInfo;
    this.closed = this.#abort.signal;
    parent?.children.add(this);
  }

  /**
   * Sends a command. It is written before this returns, so commands of one tick arrive in call order without awaiting each other.
   *
   * @throws AppError `cdp-error` (data: method, cdpCode, detail) when Chromium refuses; `cdp-timeout`, retryable, past the deadline;
   * `cdp-busy`, retryable, when too many commands wait; `cdp-closed` when the target or the connection is gone.
   */
  send<M extends CdpMethod>(method: M, ...args: CdpArguments<M>): Promise<CdpResult<M>> {
    const [params, options] = args as [params?: object, options?: CdpCallOptions]; // every case of CdpArguments is one of these
    if (this.closed.aborted) return Promise.reject(this.closed.reason as AppError); // only `close` aborts, with an AppError
    // The answer has the shape that the protocol declares for the method; the caller checks the parts that a page
    // controls.
    return this.#wire.post(this, method, params, options?.deadlineMs ?? DEFAULT_DEADLINE_MS) as Promise<CdpResult<M>>;
  }

  /**
   * Calls `listener` for each event until the returned function is called. Listeners run synchronously as the message
   * is read: keep them short.
   */
  on<E extends CdpEvent>(event: E, listener: (payload: CdpPayload<E>) => void): () => void {
    const stored = listener as Listener; // `dispatch` hands each event's payload only to listeners of that event
    this.#wire.listens(event);
    let listeners = this.#listeners.get(event);
    if (!listeners) this.#listeners.set(event, (listeners = new Set()));
    listeners.add(stored);
    return () => listeners.delete(stored);
  }

  /** Calls `listener` for each target announced on this session, before any message of that target is read. */
  onAttached(listener: (attached: Attached) => void): () => void {
    this.#attached.add(listener);
    return () => this.#attached.delete(listener);
  }

  /** Calls `listener` with each detached child; its `closed` is already aborted. */
  onDetached(listener: (session: CdpSession) => void): () => void {
    this.#detached.add(listener);
    return () => this.#detached.delete(listener);
  }

  /** Sets what stands between the events of this session and all of its listeners, those of later, too. */
  setGate(gate: Gate): void {
    this.#gate = gate;
  }

  /** Called by the connection with an event of this session. */
  dispatch(event: string, payload: object): void {
    const listeners = this.#listeners.get(event);
    if (!listeners) return;
    const admitted = this.#gate ? this.#gate(event, payload) : payload;
    if (admitted) this.#call(listeners, admitted);
  }

  /** Called by the connection with a new child. */
  announce(attached: Attached): void {
    this.#call(this.#attached, attached);
  }

  /** Called by the connection: ends this session and all below it. */
  close(reason: AppError): void {
    if (this.closed.aborted) return;
    for (const child of this.children) child.close(reason);
    this.#abort.abort(reason);
    this.#listeners.clear();
    if (!this.parent) return;
    this.parent.children.delete(this);
    if (this.targetInfo) this.parent.#call(this.parent.#detached, this);
  }

  #call<T>(listeners: ReadonlySet<(argument: T) => void>, argument: T): void {
    // A copy: a listener that is added now does not get this event.
    for (const listener of [...listeners]) {
      try {
        listener(argument);
      } catch (error) {
        this.#wire.fault(error);
      }
    }
  }
}
