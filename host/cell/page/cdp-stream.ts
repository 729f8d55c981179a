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
