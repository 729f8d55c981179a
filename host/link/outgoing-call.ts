import type { AppError } from '../../core/protocol/errors.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { CallOptions, CallResult } from './api.ts';
import { CallExchange } from './exchange.ts';
import type { ExchangeHome } from './exchange.ts';
import { abortError, parseFailure, timeoutError } from './failure.ts';
import { jsonArray, KIND, malformed } from './wire.ts';

interface Settle {
  resolve(result: CallResult): void;
  reject(error: AppError): void;
}

/** A call to the other side. */
export class OutgoingCall extends CallExchange {
  readonly #method: string;
  readonly #signal: AbortSignal | undefined;
  #settle: Settle | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => void) | undefined;

  constructor(home: ExchangeHome, id: number, method: string, options: CallOptions) {
    super(home, id, 0);
    this.#method = method;
    this.#signal = options.signal;
  }

  /** Sends the call. `json` is its payload. */
  start(json: string, deadlineMs: number, options: CallOptions): Promise<CallResult> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.sendJson(KIND.call, json);
      this.#timer = setTimeout(() => this.#giveUp(timeoutError(this.#method), 1), deadlineMs);
      if (this.#signal) this.#unlisten = onAbort(this.#signal, this.#onAbort);
      if (options.body) this.startBody(options.body);
    });
  }

  readonly #onAbort = (): void => this.#giveUp(abortError(this.#signal?.reason), 0);

  protected receiveCall(kind: number, payload: Buffer): void {
    if (kind === KIND.answer) {
      const [hasBody, value] = jsonArray(payload, 1, 2);
      if (hasBody !== 0 && hasBody !== 1) throw malformed('invalid flag');
      this.#takeSettle().resolve(hasBody === 1 ? { value, body: this.openReader() } : { value });
    } else if (kind === KIND.fail) {
      const error = parseFailure(payload);
      this.#takeSettle().reject(error);
      this.outflow?.discard();
    } else throw malformed(`kind ${kind} for a call`);
  }

  protected progressed(): void {
    if (this.#settle || !this.readerIsDone || !this.senderIsDone) return;
    this.#unlisten?.();
    this.home.remove(this);
  }

  override linkEnded(error: AppError): void {
    this.#end(error);
  }

  #giveUp(error: AppError, cause: 0 | 1): void {
    this.sendCancel(cause);
    this.#end(error);
  }

  #end(error: AppError): void {
    if (this.#settle) this.#takeSettle().reject(error);
    this.dropBodies(error);
    this.progressed();
  }

  #takeSettle(): Settle {
    const settle = this.#settle;
    if (!settle) throw malformed('a second answer');
    this.#settle = undefined;
    clearTimeout(this.#timer);
    return settle;
  }
}
