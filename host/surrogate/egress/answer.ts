import { STATUS_CODES } from 'node:http';
import type { AppError } from '../../../core/protocol/errors.ts';

/** How a refusal or failure looks to the surrogate. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Tells the code of a refusal; taken off everything that comes from sites. */
export const CODE_HEADER = 'x-vitrine-egress';

const STATUS: Readonly<Record<string, number>> = {
  'bad-request': 400,
  'name-not-resolved': 502,
  'connection-refused': 502,
  'connection-reset': 502,
  'connection-closed': 502,
  'connection-failed': 502,
  'address-unreachable': 502,
  'bad-response': 502,
  internal: 502,
  timeout: 504,
};

/** 403 for what a rule forbids, 502 and 504 for what failed. */
export function errorAnswer({ code, message }: AppError): ErrorAnswer {
  return {
    status: STATUS[code] ?? 403,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(Buffer.byteLength(message)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      [CODE_HEADER]: code,
      connection: 'close',
    },
    body: message,
  };
}

/** The same as the bytes of an HTTP/1.1 answer, for a socket that speaks no HTTP any more. */
export function errorAnswerText(error: AppError): string {
  const { status, headers, body } = errorAnswer(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
