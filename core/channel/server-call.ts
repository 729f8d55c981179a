import { AppError } from '../protocol/errors.ts';
import { JSON_TEXT } from '../protocol/json-text.ts';

/** Default timeout of a call to the host, in ms (S-145). */
export const CALL_TIMEOUT_MS = 15_000;

/** One call to the host. */
export interface ServerCall {
  /** Purpose of the call: part of the report when it fails (S-106). */
  readonly label: string;
  /** Path and query. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body: unknown;
  /** Sent after it, for the host not to parse. */
  readonly text?: string | undefined;
  readonly timeoutMs?: number;
}

/** Called for every failed call. */
type CallFailed = (label: string, fault: AppError) => void;

/** Calls the host by POST with credentials and answers with the parsed JSON; rejects with AppError `server-call-failed`. */
export type CallServer = (call: ServerCall) => Promise<unknown>;

/** Makes the function that calls the host at an origin. Success is status 200 alone (S-145); `data.status` of the error is 0 when no answer came. */
export function serverCaller(origin: string, onFailed: CallFailed): CallServer {
  return async ({ label, path, body, text, timeoutMs = CALL_TIMEOUT_MS }) => {
    let status = 0;
    try {
      const answer = await fetch(`${origin}${path}`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': text === undefined ? 'application/json' : JSON_TEXT },
        body: JSON.stringify(body) + (text === undefined ? '' : `\n${text}`),
        signal: AbortSignal.timeout(timeoutMs),
      });
      status = answer.status;
      if (status !== 200) throw new Error(`status ${status}`);
      return (await answer.json()) as unknown;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const retryable = status === 0 || status === 408 || status === 429 || status >= 500;
      const fault = new AppError('server-call-failed', `${label}: ${why}`, { cause, retryable, data: { status } });
      onFailed(label, fault);
      throw fault;
    }
  };
}
