import { AppError, toAppError } from '../../core/protocol/errors.ts';
import { validate } from '../../core/protocol/message.ts';
import { onAbort } from '../../core/protocol/on-abort.ts';
import type { AttachedChannel, ChannelNames, TransportEnd } from '../contracts/link.ts';
import type { LinkPeer, LinkStream } from '../link/api.ts';
import { attachedSchema, CHANNEL_STREAM, parseJson, upstreamChunk } from './protocol.ts';
import type { Attached } from './protocol.ts';

const ATTACH_DEADLINE_MS = 10_000;
/**
 * Maximum upstream bytes in the queue for a cell, per transport. A client that sends more than its cell can read is
 * disconnected.
 */
const MAX_UPSTREAM_WAITING = 16 * 1024 * 1024;

/** Attaches a transport to a tab's channel in the cell at the other end of a link. See `Link.attach`. */
export async function attachOver(
  peer: LinkPeer,
  names: ChannelNames,
  transport: TransportEnd,
): Promise<AttachedChannel | undefined> {
  const { ackDelayMs } = transport;
  const stream = peer.open(CHANNEL_STREAM, { ...names, ...(ackDelayMs !== undefined && { ackDelayMs }) });
  const answer = await firstChunk(stream, transport);
  if (answer.state !== 'attached') stream.close(answer.state);
  if (answer.state === 'unknown') return undefined;
  if (answer.state === 'refused') throw new AppError(answer.code, answer.message);
  // The stream may have been closed with the same bytes that brought the answer.
  const unlisten = onAbort(stream.closed, () => transport.close(stream.closeReason ?? 'closed'));
  return {
    receive: (json, list) => {
      stream.send(upstreamChunk(json, list));
      if (stream.pending > MAX_UPSTREAM_WAITING) stream.close('flood');
    },
    detach: (reason) => {
      unlisten(); // the caller that detaches the transport closes it
      stream.close(reason);
    },
  };
}

/** Waits for the cell's answer on a channel; the chunks after it go to the transport, whose credit is the stream's. */
function firstChunk(stream: LinkStream, transport: TransportEnd): Promise<Attached> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      unlisten(); // it has not ended by itself
      stream.close('late');
      reject(new AppError('link-timeout', 'The session does not respond.', { retryable: true }));
    }, ATTACH_DEADLINE_MS);
    const closed = (): void => {
      clearTimeout(late);
      reject(new AppError('link-closed', 'The session has ended.', { retryable: true }));
    };
    const unlisten = onAbort(stream.closed, closed);
    let answer: Attached | undefined;
    const take = (chunk: Uint8Array): Promise<void> | undefined => {
      if (answer) return transport.send(chunk);
      clearTimeout(late);
      unlisten();
      try {
        answer = validate(attachedSchema, parseJson(chunk, 'attached'), 'attached');
        resolve(answer);
      } catch (thrown) {
        stream.close('bad answer');
        reject(toAppError(thrown));
      }
      return undefined;
    };
    // Frames of a poll are sent together: none waits for the one before.
    stream.onChunk(take, { concurrent: true });
  });
}
