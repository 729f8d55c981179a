import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../core/protocol/errors.ts';
import { MAX_ROUTE_BODY_BYTES } from '../contracts/routes.ts';
import type { Link, RoutedAnswer } from '../contracts/link.ts';

/** Maximum number of pending requests of one person. */
const MAX_AT_ONCE = 8;
/** Limits of a query. */
const MAX_NAMES = 50;
const MAX_NAME = 100;
const MAX_VALUE = 65_536;

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
  const contentType = request.headers['content-type']?.slice(0, MAX_VALUE);
  const answered = await link.request(
    request.person,
    {
      method,
      path,
      query: queryOf(request.query),
      ...(contentType !== undefined && { contentType }),
    },
    { signal: gone.signal, ...(request.body instanceof Readable && { body: bounded(request.body) }) },
  );
  if ('code' in answered) throw new RouteError(answered);
  const { status, type, filename, body } = answered;
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      // As a document it would run with our origin, in whatever viewer renders it.
      'content-disposition': `attachment; filename="${filename ?? 'download'}"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    .type(type)
    .send(body ? Readable.from(body, { objectMode: false }) : '');
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
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ROUTE_BODY_BYTES) throw new AppError('body-too-large', 'The body is too large.');
    yield chunk;
  }
}
