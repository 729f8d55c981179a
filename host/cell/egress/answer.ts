import { STATUS_CODES } from 'node:http';
import type { AppError } from '../../../core/protocol/errors.ts';

/** How a refusal or failure looks to the surrogate: without a body, so that there is nothing to show but a page of Chromium's own. */
interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
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
export function errorAnswer({ code }: AppError): ErrorAnswer {
  return {
    status: STATUS[code] ?? 403,
    headers: {
      'content-length': '0',
      'cache-control': 'no-store',
      [CODE_HEADER]: code,
      connection: 'close',
    },
  };
}

/** The same as the bytes of an HTTP/1.1 answer, for a socket that speaks no HTTP any more. */
export function errorAnswerText(error: AppError): string {
  const { status, headers } = errorAnswer(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}
