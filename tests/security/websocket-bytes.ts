import type { Duplex } from 'node:stream';

/** Headers of a websocket upgrade. */
export const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

/** Code for a close frame without a code. */
const NO_CODE = 1005;

/** Options of a frame, in RFC 6455 or almost. */
interface FrameOptions {
  readonly opcode: number;
  readonly body: Uint8Array;
  /** Whether the message ends with it. */
  readonly isLast?: boolean;
  readonly isMasked?: boolean;
  /** Reserved bits, in place. */
  readonly reserved?: number;
  /** Length in the header, when that is not the length of the body. */
  readonly length?: number;
}

/** Writes a frame of a client, under a mask of zeros. */
export function clientFrame({
  opcode,
  body,
  isLast = true,
  isMasked = true,
  reserved = 0,
  length = body.length,
}: FrameOptions): Uint8Array {
  const first = (isLast ? 0x80 : 0) | reserved | opcode;
  const mask = isMasked ? 0x80 : 0;
  let header: Buffer;
  if (length < 126) header = Buffer.from([first, mask | length]);
  else if (length < 0x10000) {
    header = Buffer.from([first, mask | 126, 0, 0]);
    header.writeUInt16BE(length, 2);
  } else {
    header = Buffer.from([first, mask | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([header, Buffer.alloc(isMasked ? 4 : 0), body]);
}

/** The code of the close frame that the server sends; `cut` when the connection ends without one. */
export async function closeCodeOf(socket: Duplex, head: Buffer): Promise<number | 'cut'> {
  let bytes = head;
  return new Promise((resolve) => {
    const look = (): void => {
      for (;;) {
        const { opcode, start, end } = serverFrame(bytes);
        if (end > bytes.length) return;
        if (opcode === 8) {
          resolve(end > start ? bytes.readUInt16BE(start) : NO_CODE);
          socket.destroy();
          return;
        }
        bytes = bytes.subarray(end);
      }
    };
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      look();
    });
    socket.on('error', () => resolve('cut'));
    socket.on('close', () => resolve('cut'));
    look();
  });
}

/** Start and end of the first frame's body; past the end of the bytes when it is incomplete. */
function serverFrame(bytes: Buffer): { readonly opcode: number; readonly start: number; readonly end: number } {
  const opcode = (bytes[0] ?? 0) & 0x0f;
  const short = (bytes[1] ?? 0) & 0x7f;
  const start = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < start) return { opcode, start, end: Infinity };
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return { opcode, start, end: start + length };
}
