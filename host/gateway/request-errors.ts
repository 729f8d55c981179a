import type { FastifyInstance } from 'fastify';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import type { RequestLines } from './request-lines.ts';
import { RouteError } from './route-requests.ts';
import type { GatewayOptions } from './server.ts';
import { answerStray, isNavigation } from './stray-paths.ts';

/** HTTP status by error code of the core; plugins declare those of their own. 500 for what is not listed. */
const STATUS: Readonly<Record<string, number>> = {
  'bad-frame': 400,
  'bad-message': 400,
  'bad-packet': 400,
  'bad-sequence': 400,
  'poll-lost': 409,
  'poll-replaced': 410,
  'foreign-host': 421,
  'foreign-origin': 403,
  'cross-site': 403,
  'not-admitted': 403,
  'policy-refused': 403,
  'unknown-action': 404,
  'integrity-token': 403,
  'session-not-found': 404,
  'resource-not-found': 404,
  'post-body': 415,
  'resource-type': 415,
  'resource-too-large': 413,
  'stream-too-large': 413,
  'body-too-large': 413,
  'too-many-requests': 429,
  'address-share': 429,
  'cdp-timeout': 504,
  'resource-timeout': 504,
  'route-timeout': 504,
  'plugin-unavailable': 503,
  'resource-busy': 503,
  'decoder-ended': 503,
  'decoder-unavailable': 503,
  'shutting-down': 503,
};

/** Codes of what Fastify refuses by itself, by HTTP status. */
const CODE: Readonly<Record<number, string>> = {
  413: 'message-too-large',
  414: 'message-too-large',
  415: 'message-type',
};

/** An error thrown while a request was answered, with a code of ours and its HTTP status. */
function requestError(thrown: unknown): { readonly error: AppError; readonly status: number } {
  const error = toAppError(thrown);
  const known = (error instanceof RouteError ? error.status : undefined) ?? STATUS[error.code];
  if (known !== undefined) return { error, status: known };
  const { statusCode: status = 500 } = thrown as { readonly statusCode?: number }; // Fastify's errors have one
  if (status < 400 || status >= 500) return { error, status: 500 };
  return { error: new AppError(CODE[status] ?? 'bad-message', error.message), status };
}

/** Time after which a client that was refused for its rate may come again, in seconds. */
function retryAfterS({ data }: AppError): number {
  return (data as { readonly retryAfterS?: number } | undefined)?.retryAfterS ?? 1; // as `rates.ts` has it, or none
}

/** Answers requests that fail, counted and logged, and those for which there is no route. */
export function answerErrors(
  app: FastifyInstance,
  {
    assets,
    policy,
    metrics,
    lines,
  }: Pick<GatewayOptions, 'assets' | 'policy' | 'metrics'> & { readonly lines: RequestLines },
): void {
  app.setErrorHandler((thrown, request, reply) => {
    const { error, status } = requestError(thrown);
    metrics.fault('request', error.code);
    if (status >= 500) lines.write(request, 'error', { err: thrown }, 'request failed');
    else lines.write(request, 'info', { code: error.code, route: request.routeOptions.url }, error.message); // addresses have tokens
    if (status === 429) void reply.header('retry-after', retryAfterS(error));
    return reply
      .code(status)
      .send({ code: error.code, message: status === 500 ? 'The host failed to answer.' : error.message });
  });
  app.setNotFoundHandler((request, reply) =>
    isNavigation(request)
      ? answerStray({ assets, policy }, request, reply)
      : reply.code(404).send({ code: 'not-found', message: 'There is nothing here.' }),
  );
}
