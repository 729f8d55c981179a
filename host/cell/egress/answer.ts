import { STATUS_CODES } from 'node:http';
import type { AppError } from '../../../core/protocol/errors.ts';

/** A refusal or failure as the surrogate gets it: without a body, so that Chromium shows its own error page. */
interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Carries the code of a refusal; removed from all responses of sites. */
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
  'too-many-names': 503,
  'too-many-connections': 503,
  timeout: 504,
};

/** 403 when a rule forbids it, 502 and 504 for failures. */
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

/** The same as the bytes of an HTTP/1.1 response, for a raw socket. */
export function errorAnswerText(error: AppError): string {
  const { status, headers } = errorAnswer(error);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}
