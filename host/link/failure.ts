import { AppError } from '../../core/protocol/errors.ts';
import { MAX_NAME, MAX_TEXT } from './limits.ts';
import type { LinkLimits } from './limits.ts';
import { cutText, jsonArray, malformed } from './wire.ts';

/** The JSON of an error, for frames that carry one. What is no AppError goes out as `internal`, without its message. */
export function failureJson(thrown: unknown, limits: LinkLimits): string {
  if (!(thrown instanceof AppError)) return JSON.stringify(['internal', 'The other side has failed.', 0]);
  const head = [thrown.code.slice(0, MAX_NAME) || 'internal', cutText(thrown.message), thrown.retryable ? 1 : 0];
  if (thrown.data === undefined) return JSON.stringify(head);
  try {
    const json = JSON.stringify([...head, thrown.data]);
    if (Buffer.byteLength(json) <= limits.jsonBytes) return json;
  } catch {
    // Data without a JSON form stays here.
  }
  return JSON.stringify(head);
}

/**
 * The error of a frame that carries one.
 *
 * @throws AppError `link-malformed`
 */
export function parseFailure(payload: Buffer): AppError {
  const [code, message, retryable, data] = jsonArray(payload, 3, 4);
  if (typeof code !== 'string' || code === '' || code.length > MAX_NAME) throw malformed('invalid code');
  if (typeof message !== 'string' || message.length > MAX_TEXT) throw malformed('invalid message');
  if (retryable !== 0 && retryable !== 1) throw malformed('invalid flag');
  return new AppError(code, message, { retryable: retryable === 1, ...(data === undefined ? {} : { data }) });
}

/** The reason of a frame that carries one. */
export function parseReason(payload: Buffer): string {
  const [reason] = jsonArray(payload, 1, 1);
  if (typeof reason !== 'string' || reason.length > MAX_TEXT) throw malformed('invalid reason');
  return reason;
}

/** The error of a call or body that was given up; the reason of a signal stays as its cause. */
export function abortError(reason?: unknown): AppError {
  if (reason instanceof AppError) return reason;
  return new AppError('link-aborted', 'It was aborted.', reason === undefined ? {} : { cause: reason });
}

/** The error of what has missed its deadline. */
export function timeoutError(what: string): AppError {
  return new AppError('link-timeout', `${what} has missed its deadline.`);
}
