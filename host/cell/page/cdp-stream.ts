import { AppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from './target-defaults.ts';

/** Bytes that are read per call. */
const PART_BYTES = 1024 * 1024;

/**
 * Reads a stream of a session to its end, and closes it. @throws AppError `stream-too-large` past `maxBytes`, and as
 * CdpSession.send.
 */
export async function readStream(session: CdpSession, handle: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let total = 0;
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await session.send('IO.read', { handle, size: PART_BYTES });
      const part = Buffer.from(data, base64Encoded === true ? 'base64' : 'utf8');
      total += part.length;
      if (total > maxBytes)
        throw new AppError('stream-too-large', `The surrogate's output is larger than ${maxBytes} bytes.`);
      parts.push(part);
      if (eof) return Buffer.concat(parts, total);
    }
  } finally {
    quietly(session.send('IO.close', { handle }));
  }
}

/** As much of the answer of `Network.loadNetworkResource` as is read. */
export interface LoadedResource {
  readonly success: boolean;
  readonly httpStatusCode?: number;
  readonly stream?: string;
}

/** Reads a resource that a session has loaded. @throws AppError `resource-not-found` for one that the site does not give, and as {@link readStream}. */
export async function readResource(
  session: CdpSession,
  { success, httpStatusCode: status = 0, stream }: LoadedResource,
  maxBytes: number,
): Promise<Uint8Array> {
  const isGiven = success && status < 400;
  if (isGiven && stream !== undefined) return readStream(session, stream, maxBytes);
  if (stream !== undefined) quietly(session.send('IO.close', { handle: stream }));
  throw new AppError('resource-not-found', 'The site does not give this resource.');
}
