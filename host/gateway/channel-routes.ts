import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import * as v from 'valibot';
import { toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { SESSION_FOUND, SESSION_NOT_FOUND } from '../../core/protocol/wire.ts';
import type { Person } from '../base/person.ts';
import { CLIENT_LEFT } from '../contracts/link.ts';
import type { AttachedChannel, ChannelNames, Link, TransportEnd } from '../contracts/link.ts';
import { attemptQuery, channelQuery } from './channel-query.ts';
import type { Metrics } from './metrics.ts';
import type { PairedAttempts } from './paired-attempts.ts';
import type { RequestLines } from './request-lines.ts';
import type { UpstreamMeter } from './upstream-meter.ts';

const querySchema = v.union([v.object(attemptQuery), v.object(channelQuery)]);

/** Our close codes (RFC 6455 reserves 4000-4999 for applications). */
const CLOSE_SESSION_NOT_FOUND = 4404;
const CLOSE_BAD_REQUEST = 4400;
/** Close code of browsers whose document is unloaded (RFC 6455, 7.4.1). */
const CLOSE_GOING_AWAY = 1001;
/** RFC 6455: the client should come again. */
const CLOSE_TRY_AGAIN = 1013;
/** A cell's reason to close a channel whose client has sent what is not JSON. */
const NOT_JSON = 'bad-message';
/** Echoes of one websocket, and their largest, in bytes: our client sends one short text. */
const MAX_ECHOES = 8;
const MAX_ECHO_BYTES = 1024;

/** Time for a client that violated the protocol to receive the close code, in ms. */
const CLOSING_MS = 1000;
/** The same for one that was never attached: nothing of it is read. */
const CLOSING_UNREAD_MS = 200;

/** The websocket ends of channels (M-073, M-077) and the echo that tests whether websockets work at all. */
export function channelRoutes(app: FastifyInstance, link: Link, serving: Omit<Serving, 'link'>): void {
  const { meter } = serving;
  app.get('/r/websocket', { websocket: true }, (socket, request) => {
    void serve(socket, request, { link, ...serving });
  });
  // Without compression: what a client has inflated would be inflated even after its websocket has been ended.
  const onRequest = async ({ raw }: FastifyRequest): Promise<void> => {
    delete raw.headers['sec-websocket-extensions'];
  };
  app.get('/r/wsecho', { websocket: true, onRequest }, (socket, { person }) => {
    const take = meter.meter(socket, person);
    let echoes = 0;
    socket.on('message', (data, isBinary) => {
      const { length } = data as Buffer;
      echoes += 1;
      if (!take(length) || echoes > MAX_ECHOES || length > MAX_ECHO_BYTES) socket.terminate();
      else socket.send(data, { binary: isBinary });
    });
  });
}

/**
 * Ends a websocket that violated its protocol, or whose route failed. Its close frame has been written by now; cutting
 * the connection while bytes of the client are unread would reset it, and the close code would be lost.
 */
export function endSoon(socket: WebSocket, ms = CLOSING_MS): void {
  const cut = setTimeout(() => socket.terminate(), ms);
  socket.once('close', () => clearTimeout(cut));
}

interface Serving {
  readonly link: Link;
  readonly attempts: PairedAttempts;
  readonly metrics: Metrics;
  readonly meter: UpstreamMeter;
  readonly lines: RequestLines;
}

async function serve(
  socket: WebSocket,
  request: FastifyRequest,
  { link, attempts, metrics, meter, lines }: Serving,
): Promise<void> {
  const take = meter.meter(socket, request.person);
  socket.pause(); // until it is attached: our client says nothing before, and others could have much of theirs kept or inflated
  let channel: AttachedChannel | undefined;
  let closed: string | undefined;
  const refuse = (code: string, reason: string, closeCode = CLOSE_BAD_REQUEST): void => {
    metrics.channelRefused(code);
    lines.write(request, 'info', { code, reason }, 'channel refused');
    closed ??= reason;
    channel?.detach(reason);
    socket.close(closeCode, closeReason(reason));
    if (!channel) endSoon(socket, CLOSING_UNREAD_MS);
  };

  socket.on('message', (data, isBinary) => {
    const json = data as Buffer; // ws emits Buffers by default
    const isFlood = !take(json.length);
    if (closed !== undefined) return;
    if (isFlood) {
      refuse('too-many-requests', 'too many bytes');
      endSoon(socket); // it is not read any more
    } else if (isBinary) refuse('bad-frame', 'binary upstream');
    else channel?.receive(json);
  });
  socket.on('close', (code) => {
    closed ??= code === CLOSE_GOING_AWAY ? CLIENT_LEFT : `websocket closed (${code})`;
    channel?.detach(closed);
    metrics.channels.dec();
  });
  socket.on('error', (error) => {
    lines.write(request, 'info', { err: error }, 'websocket failed');
    if ('code' in error) metrics.channelRefused('bad-frame'); // ws picks the code for a protocol violation
  });
  metrics.channels.inc();

  try {
    const names = await namesOf(validate(querySchema, request.query, 'websocket'), request.person, attempts);
    if (!names || socket.readyState !== socket.OPEN) {
      socket.close(CLOSE_TRY_AGAIN); // its client knows its session by now, or has none
      endSoon(socket, CLOSING_UNREAD_MS);
      return;
    }
    const transport = transportOf(socket, metrics);
    const attached = await link.attach(request.person, names, transport);
    if (!attached) {
      socket.send(SESSION_NOT_FOUND);
      refuse('session-not-found', 'session not found', CLOSE_SESSION_NOT_FOUND);
    } else if (closed !== undefined) attached.detach(closed);
    else {
      transport.greet();
      channel = attached;
      socket.resume();
    }
  } catch (thrown) {
    const { code } = toAppError(thrown);
    refuse(code, code);
  }
}

/** The channel that a websocket is for. Undefined: its attempt to pair has led to no tab. */
async function namesOf(
  query: v.InferOutput<typeof querySchema>,
  person: Person,
  attempts: PairedAttempts,
): Promise<ChannelNames | undefined> {
  const { chid } = query;
  if ('cid' in query) return { cid: query.cid, tabId: query.tab_id, chid, received: query.msg_nr };
  const tab = await attempts.tabOf(person, query.attempt);
  return tab && { ...tab, chid, received: 0 };
}

/** Truncates the reason for a close frame: it holds 123 bytes of UTF-8, and some reasons quote the client. */
function closeReason(reason: string): string {
  return reason.slice(0, 100).replace(/[^ -~]/g, '?');
}

/**
 * A websocket as a transport. The text marker is sent before the first frame, or with `greet` when there is none yet.
 */
function transportOf(socket: WebSocket, metrics: Metrics): TransportEnd & { greet(): void } {
  let isGreeted = false;
  const greet = (): void => {
    if (!isGreeted) socket.send(SESSION_FOUND);
    isGreeted = true;
  };
  return {
    greet,
    send(frame) {
      if (socket.readyState !== socket.OPEN) return Promise.resolve();
      greet();
      metrics.downstreamBytes.inc(frame.length);
      // Also after a failure: callers that wait get it from the close.
      return new Promise((resolve) => socket.send(frame, { binary: true }, () => resolve()));
    },
    close(reason) {
      if (reason !== NOT_JSON) socket.close(1000, closeReason(reason));
      else {
        metrics.channelRefused('bad-frame');
        socket.close(CLOSE_BAD_REQUEST, 'not JSON');
      }
    },
  };
}
