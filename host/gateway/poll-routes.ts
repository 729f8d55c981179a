import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { BACKEND_DELAY, MAX_UPSTREAM_BYTES, PULL_HOLD_MS } from '../../core/protocol/wire.ts';
import type { AttachedChannel, Link } from '../contracts/link.ts';
import { channelQuery, id, number } from './channel-query.ts';
import { COMPRESS_FROM_BYTES } from './compression.ts';
import type { Metrics } from './metrics.ts';
import { PollEnd } from './poll-end.ts';

const pushQuery = v.object({ ...channelQuery, xid: id });
const pullQuery = v.object({ ...channelQuery, xid: id, tms: number(6), pull: number(10) });

interface Polled {
  /** Id of one connection: a client that has lost an answer connects with another. */
  readonly xid: string;
  readonly end: PollEnd;
  channel: AttachedChannel | undefined;
}

/**
 * A channel without a websocket: POST /r/push and POST /r/p (M-073, M-074). The first pull attaches; a push needs an
 * attached one.
 */
export function pollRoutes(app: FastifyInstance, link: Link, metrics: Metrics): void {
  const polled = new Map<string, Polled>();
  const keyOf = (request: FastifyRequest, { cid, tab_id, chid }: v.InferOutput<typeof pushQuery>): string =>
    JSON.stringify([request.person.subject, cid, tab_id, chid]);
  const refuse = (code: string, message: string): AppError => {
    metrics.channelRefused(code);
    return new AppError(code, message);
  };

  const begin = async (request: FastifyRequest, key: string, query: v.InferOutput<typeof pullQuery>) => {
    const { cid, tab_id: tabId, chid, msg_nr: received, xid } = query;
    const end = new PollEnd(() => {
      if (polled.get(key) === entry) polled.delete(key);
    });
    const entry: Polled = { xid, end, channel: undefined };
    const attached = await link.attach(request.person, { cid, tabId, chid, received }, end).catch((thrown: unknown) => {
      const { code, message } = toAppError(thrown);
      throw refuse(code, message);
    });
    if (!attached) throw refuse('session-not-found', 'There is no such session.');
    entry.channel = attached;
    if (end.closed === undefined) polled.set(key, entry);
    return entry;
  };

  app.post('/r/p', async (request, reply) => {
    const query = validate(pullQuery, request.query, 'p');
    const key = keyOf(request, query);
    const known = polled.get(key);
    if (known?.xid !== query.xid && query.pull !== 1) throw refuse('poll-lost', 'This poll has ended.');
    const entry = known?.xid === query.xid ? known : await begin(request, key, query);
    // The first pull confirms that the session is known, and is not held.
    const holdMs = query.pull === 1 ? 0 : Math.min(query.tms, PULL_HOLD_MS);
    if (query.pull > 1) entry.channel?.receive(Buffer.from(JSON.stringify({ ack: query.msg_nr })));
    const closed = (): void => {
      if (!reply.raw.writableFinished) leave(entry, 'pull lost');
    };
    if (reply.raw.destroyed)
      closed(); // while it was attached
    else reply.raw.once('close', closed);
    const pulled = await entry.end.pull(query.pull, holdMs);
    if (reply.raw.destroyed) return reply;
    if (!pulled) {
      leave(entry, 'pull repeated');
      throw refuse('poll-lost', 'This is not the next pull.');
    }
    if (entry.end.closed !== undefined && pulled.body.length === 0)
      throw new AppError(entry.end.closed === 'replaced' ? 'poll-replaced' : 'poll-lost', entry.end.closed);
    metrics.downstreamBytes.inc(pulled.body.length);
    return answer(request, reply.header(BACKEND_DELAY, pulled.heldMs.toFixed(1)), pulled.body);
  });

  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    // The cell reads it.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.post<{ Body: Buffer | undefined }>(
      '/r/push',
      { bodyLimit: 4 * MAX_UPSTREAM_BYTES },
      async (request, reply) => {
        const query = validate(pushQuery, request.query, 'push');
        const entry = polled.get(keyOf(request, query));
        if (entry?.xid !== query.xid) throw refuse('poll-lost', 'This poll has ended.');
        if (request.body) entry.channel?.receive(request.body, 'list');
        return reply.header('cache-control', 'no-store').send({});
      },
    );
    done();
  });
}

function leave({ end, channel }: Polled, why: string): void {
  end.close(why);
  channel?.detach(why);
}

async function answer(request: FastifyRequest, reply: FastifyReply, body: Uint8Array): Promise<FastifyReply> {
  void reply.header('cache-control', 'no-store').type('application/octet-stream');
  if (body.length < COMPRESS_FROM_BYTES || !/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
    return reply.send(body);
  return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(body, { level: 1 }));
}
