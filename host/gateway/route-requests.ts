import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import { MAX_ROUTE_BODY_BYTES } from '../contracts/routes.ts';
import type { RouteAnswer } from '../contracts/routes.ts';
import type { Link, RoutedAnswer } from '../contracts/link.ts';
import { chunksOf } from '../link/chunks-of.ts';
import { bodyStream } from './body-stream.ts';

/** Maximum number of pending requests of one person: some files that are saved, and questions about others. */
const MAX_AT_ONCE = 32;
/** Limits of a query. */
const MAX_NAMES = 50;
const MAX_NAME = 100;
const MAX_VALUE = 65_536;
const MAX_RANGE = 200;

/** An error of a plugin's route, with its HTTP status where the plugin has declared one. */
export class RouteError extends AppError {
  readonly status: number | undefined;

  constructor({ code, message, retryable, status }: Extract<RoutedAnswer, { readonly code: string }>) {
    super(code, message, { retryable });
    this.status = status;
  }
}

/** Routes of plugins, such as `GET /r/print`: each request goes to the cell of the person, bodies as streams. */
export async function pluginRequests(app: FastifyInstance, link: Link, routes: readonly string[]): Promise<void> {
  const underWay = new Map<string, number>();
  await app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const route of new Set(routes)) {
      const [method = '', url = ''] = route.split(' ');
      own.route({
        method,
        url,
        exposeHeadRoute: false,
        config: { intake: { isStreamed: true } },
        handler: (request, reply) => answer(link, underWay, request, reply, method === 'POST' ? 'POST' : 'GET', url),
      });
    }
  });
}

async function answer(
  link: Link,
  underWay: Map<string, number>,
  request: FastifyRequest,
  reply: FastifyReply,
  method: 'GET' | 'POST',
  path: string,
): Promise<FastifyReply> {
  const { subject } = request.person;
  const count = underWay.get(subject) ?? 0;
  if (count >= MAX_AT_ONCE) throw new AppError('too-many-requests', 'Too many requests at once.', { retryable: true });
  underWay.set(subject, count + 1);
  const gone = new AbortController();
  reply.raw.once('close', () => {
    const left = (underWay.get(subject) ?? 1) - 1;
    if (left > 0) underWay.set(subject, left);
    else underWay.delete(subject);
    gone.abort(new AppError('request-closed', 'The browser has closed the request.'));
  });
  const { range, 'if-range': ifRange, 'content-type': contentType } = request.headers;
  const rest = path.endsWith('/*') ? restOf(request.params) : undefined;
  const answered = await link.request(
    request.person,
    {
      method,
      path,
      ...(rest !== undefined && { rest }),
      query: queryOf(request.query),
      ...(contentType !== undefined && { contentType: contentType.slice(0, MAX_VALUE) }),
      // One that is longer asks for parts that no browser needs: the whole is a right answer to it.
      ...(range !== undefined && range.length <= MAX_RANGE && { range }),
      ...(typeof ifRange === 'string' && ifRange.length <= MAX_RANGE && { ifRange }),
    },
    { signal: gone.signal, ...(request.body instanceof Readable && { body: bounded(request.body) }) },
  );
  if ('code' in answered) throw new RouteError(answered);
  const { status, type, filename = 'download', size, part, tag, body } = answered;
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      // As a document it would run with our origin, in whatever viewer renders it.
      'content-disposition': contentDisposition(filename.toWellFormed(), { type: 'attachment' }),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      ...(size !== undefined && { 'content-length': size }),
      ...(tag !== undefined && { etag: `"${tag}"`, 'accept-ranges': 'bytes' }),
      ...(part && { 'content-range': rangeOf(status, part) }),
    })
    .type(type)
    .send(body ? bodyStream(body, size) : '');
}

/** Value of `Content-Range` (RFC 9110, 14.4). */
function rangeOf(status: number, { first, last, total }: NonNullable<RouteAnswer['part']>): string {
  return `bytes ${status === 416 ? '*' : `${first}-${last}`}/${total ?? '*'}`;
}

/** The part of a path below its route. @throws AppError `bad-message` above the limit. */
function restOf(params: unknown): string {
  const { '*': rest = '' } = Object(params) as { readonly '*'?: string }; // Fastify's name for it
  if (rest.length > MAX_VALUE) throw new AppError('bad-message', 'The path is too long.');
  return rest;
}

/** @throws AppError `bad-message` for a query above the limits. */
function queryOf(query: unknown): Record<string, string> {
  const entries = Object.entries(Object(query) as Record<string, unknown>); // Fastify's format: texts, or lists of texts
  const isLong = entries.length > MAX_NAMES || entries.some(([name]) => name.length > MAX_NAME);
  const read = entries.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)] as const);
  if (isLong || read.some(([, value]) => value.length > MAX_VALUE))
    throw new AppError('bad-message', 'The query is too long.');
  return Object.fromEntries(read);
}

/** @throws AppError `body-too-large` */
async function* bounded(body: Readable): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size > MAX_ROUTE_BODY_BYTES) throw new AppError('body-too-large', 'The body is too large.');
    yield chunk;
  }
}
