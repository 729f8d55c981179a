import { AppError } from '../../core/protocol/errors.ts';
import type { AnswerTable, EncodedAnswer } from './answers.ts';
import type { BodySource, LinkAnswer, LinkHandler, LinkRequest } from './api.ts';
import { CallExchange } from './exchange.ts';
import type { ExchangeHome } from './exchange.ts';
import { abortError, failureJson, timeoutError } from './failure.ts';
import { MAX_NAME } from './limits.ts';
import { ANSWERING, jsonArray, KIND, malformed } from './wire.ts';

/** The caller keeps the deadline and cancels; the signal goes by its own clock only when that has not come so long after. */
const GRACE_MS = 1000;

/** The head of a call. */
interface CallHead {
  readonly method: string;
  readonly deadlineMs: number;
  readonly key: string | undefined;
  readonly hasBody: boolean;
  readonly params: unknown;
}

/**
 * The head of a call frame.
 *
 * @throws AppError `link-malformed`
 */
export function parseCall(payload: Buffer): CallHead {
  const [method, deadlineMs, key, hasBody, params] = jsonArray(payload, 4, 5);
  if (typeof method !== 'string' || method.length > MAX_NAME) throw malformed('invalid method');
  if (typeof deadlineMs !== 'number' || !(deadlineMs >= 0)) throw malformed('invalid deadline');
  if (key !== null && (typeof key !== 'string' || key.length > MAX_NAME)) throw malformed('invalid key');
  if (hasBody !== 0 && hasBody !== 1) throw malformed('invalid flag');
  return { method, deadlineMs, key: key ?? undefined, hasBody: hasBody === 1, params };
}

/** A call of the other side. */
export class IncomingCall extends CallExchange {
  readonly #head: CallHead;
  readonly #startTime = performance.now();
  #abort: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Nobody waits for the answer. */
  #cancelled: AppError | undefined;
  /** The handler is to stop. */
  #aborted: AppError | undefined;
  #isHandled = false;
  #isAnswered = false;

  /** Bytes of its head, while it is not complete. */
  readonly headBytes: number;

  constructor(home: ExchangeHome, id: number, head: CallHead, headBytes: number) {
    super(home, id, ANSWERING);
    this.#head = head;
    this.headBytes = headBytes;
    if (head.hasBody) this.openReader();
  }

  /** Answers with an error. */
  refuse(error: AppError): void {
    this.#reply(this.#failure(error));
  }

  /** Runs the handler and answers. */
  run(handler: LinkHandler, answers: AnswerTable): void {
    const { method, key } = this.#head;
    if (key === undefined) {
      this.#answer(handler, true).then(
        (answer) => this.#reply(answer),
        (error: unknown) => this.home.report(error, method),
      );
      return;
    }
    answers
      .answer(`${method}\n${key}`, () => this.#answer(handler, false))
      .then(
        (answer) => this.#reply(answer),
        (error: unknown) => this.home.report(error, method),
      );
  }

  protected receiveCall(kind: number, payload: Buffer): void {
    if (kind !== KIND.cancel) throw malformed(`kind ${kind} for a call`);
    const isTimeout = payload[0] === 1;
    const error = isTimeout ? timeoutError(this.#head.method) : abortError();
    // With a key the handler goes on: its answer is for the call that repeats this one.
    this.#cancel(error, !isTimeout || this.#head.key === undefined);
  }

  protected progressed(): void {
    if (!this.#isAnswered || !this.senderIsDone) return;
    if (this.readerIsDone) this.home.remove(this);
    else this.stopReader(abortError());
  }

  override linkEnded(error: AppError): void {
    this.#cancel(error, true);
    this.progressed();
  }

  #cancel(error: AppError, withHandler: boolean): void {
    this.#cancelled ??= error;
    this.dropBodies(error);
    if (!withHandler) return;
    this.#aborted ??= error;
    this.#abort?.abort(error);
  }

  #signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal;
    const abort = new AbortController();
    this.#abort = abort;
    const { key, deadlineMs, method } = this.#head;
    if (this.#aborted) abort.abort(this.#aborted);
    else if (key === undefined && !this.#isHandled) {
      const left = Math.min(deadlineMs, this.limits.maxDeadlineMs) + GRACE_MS - (performance.now() - this.#startTime);
      this.#timer = setTimeout(() => abort.abort(timeoutError(method)), Math.max(0, left));
    }
    return abort.signal;
  }

  /** Never rejects. */
  async #answer(handler: LinkHandler, mayHaveBody: boolean): Promise<EncodedAnswer & { readonly body?: BodySource }> {
    const signal = (): AbortSignal => this.#signal();
    const request: LinkRequest = {
      params: this.#head.params,
      ...(this.reader ? { body: this.reader } : {}),
      get signal() {
        return signal();
      },
    };
    let answer: LinkAnswer | undefined;
    try {
      answer = await handler(request);
      const { isFinal = true } = answer;
      if (!answer.body) return { kind: KIND.answer, json: this.#valueJson(answer.value, 0), isFinal };
      if (!mayHaveBody)
        throw new AppError('link-bad-answer', 'A call with an idempotency key cannot be answered with a body.');
      return { kind: KIND.answer, json: this.#valueJson(answer.value, 1), isFinal, body: answer.body };
    } catch (thrown) {
      if (answer?.body) release(answer.body);
      return this.#failure(thrown);
    } finally {
      this.#isHandled = true;
      clearTimeout(this.#timer);
    }
  }

  #valueJson(value: unknown, hasBody: 0 | 1): string {
    let json: string;
    try {
      json = JSON.stringify(value === undefined ? [hasBody] : [hasBody, value]);
    } catch (cause) {
      throw new AppError('link-bad-answer', `${this.#head.method} has an answer without a JSON form.`, { cause });
    }
    if (json.length > this.limits.jsonBytes || Buffer.byteLength(json) > this.limits.jsonBytes) {
      throw new AppError('link-too-large', `${this.#head.method} has an answer above the bound: send it as a body.`);
    }
    return json;
  }

  #failure(thrown: unknown): EncodedAnswer {
    if (!(thrown instanceof AppError)) this.home.report(thrown, this.#head.method);
    return { kind: KIND.fail, json: failureJson(thrown, this.limits), isFinal: false };
  }

  #reply(answer: EncodedAnswer & { readonly body?: BodySource }): void {
    this.#isAnswered = true;
    if (this.#cancelled) {
      if (answer.body) release(answer.body);
    } else {
      this.sendJson(answer.kind, answer.json);
      if (answer.body) this.startBody(answer.body);
    }
    this.progressed();
  }
}

/** Returns a source that nobody will read. */
function release(body: BodySource): void {
  if (body instanceof Uint8Array) return;
  Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(() => undefined);
}
