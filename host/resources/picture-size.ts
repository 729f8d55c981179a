/** Reads the size of pictures from their headers, so that a picture can be refused without decoding it. */

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Boxes of an AVIF file that contain boxes, and the number of bytes before these. */
const CONTAINERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ meta: 4, iprp: 0, ipco: 0, moov: 0, trak: 0 }),
);
/** Maximum number of boxes that are read, at any depth. */
const MAX_BOXES = 10_000;
const MAX_DEPTH = 8;
/** Whether a JPEG marker starts a frame header: all of C0 to CF but three. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Readers by the sniffed type. */
const READERS: Readonly<Record<string, (bytes: Buffer) => Size | undefined>> = {
  'image/png': (bytes) => size(bytes.readUInt32BE(16), bytes.readUInt32BE(20)),
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
  'image/avif': (bytes) => avif(bytes),
  'image/bmp': (bytes) => (bytes.readUInt32LE(14) === 12 ? coreBitmap(bytes, 18) : bitmap(bytes, 14)),
  'image/x-icon': icon,
};

/** Returns the maximum size of a picture of a raster type; undefined for a file that no browser can show. */
export function pictureSize(type: string, bytes: Uint8Array): Size | undefined {
  try {
    const found = READERS[type]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return found && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined; // truncated, or with offsets beyond its end
    throw thrown;
  }
}

function size(width: number, height: number): Size {
  return { width, height };
}

function largest(sizes: readonly Size[]): Size {
  return size(Math.max(0, ...sizes.map(({ width }) => width)), Math.max(0, ...sizes.map(({ height }) => height)));
}

function jpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; ;) {
    while (bytes.readUInt8(at) !== 0xff) at++; // decoders skip bytes between segments
    while (bytes.readUInt8(at) === 0xff) at++;
    const marker = bytes.readUInt8(at++);
    if (isFrame(marker)) return size(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 3));
    if (marker === 0xd9 || marker === 0xda) return undefined;
    const hasLength = marker > 0x01 && !(marker >= 0xd0 && marker <= 0xd8);
    if (hasLength) at += bytes.readUInt16BE(at);
  }
}

/** The first frame may be larger than the screen of the header: then its size counts. */
function gif(bytes: Buffer): Size {
  const tableBytes = (flags: number): number => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0);
  const screen = size(bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  let at = 13 + tableBytes(bytes.readUInt8(10));
  while (bytes.readUInt8(at) === 0x21) {
    at += 2;
    while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
    at++;
  }
  const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
  const frame = size(left + bytes.readUInt16LE(at + 5), top + bytes.readUInt16LE(at + 7));
  return largest([screen, frame]);
}

function webp(bytes: Buffer): Size | undefined {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return size(1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3));
  if (chunk === 'VP8 ') return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (chunk !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(21);
  return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

/** The largest size of all its items and tracks. */
function avif(bytes: Buffer, counted = { boxes: 0 }, depth = 0): Size {
  const sizes: Size[] = [];
  for (let at = 0; at + 8 <= bytes.length && depth < MAX_DEPTH;) {
    if (++counted.boxes > MAX_BOXES) throw new RangeError('too many boxes'); // the size may be in the next
    const [short, name] = [bytes.readUInt32BE(at), bytes.toString('latin1', at + 4, at + 8)];
    const head = short === 1 ? 16 : 8;
    const length = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    if (length < head) break;
    const content = bytes.subarray(at + head, at + length);
    const skipped = CONTAINERS.get(name);
    if (name === 'ispe') sizes.push(size(content.readUInt32BE(4), content.readUInt32BE(8)));
    else if (name === 'tkhd')
      sizes.push(
        size(
          content.readUInt16BE(Math.max(0, content.length - 8)),
          content.readUInt16BE(Math.max(0, content.length - 4)),
        ),
      );
    else if (skipped !== undefined) sizes.push(avif(content.subarray(skipped), counted, depth + 1));
    at += length;
  }
  return largest(sizes);
}

function bitmap(bytes: Buffer, header: number): Size {
  return size(Math.abs(bytes.readInt32LE(header + 4)), Math.abs(bytes.readInt32LE(header + 8)));
}

/** The oldest kind of header. */
function coreBitmap(bytes: Buffer, at: number): Size {
  return size(bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2));
}

/** Its directory says at most 256 pixels a side; the embedded picture may say otherwise. */
function icon(bytes: Buffer): Size {
  return largest(
    Array.from({ length: bytes.readUInt16LE(4) }, (_, n) => {
      const image = bytes.subarray(bytes.readUInt32LE(6 + 16 * n + 12));
      if (image.readUInt32BE(0) === 0x89504e47) return size(image.readUInt32BE(16), image.readUInt32BE(20));
      const { width, height } = bitmap(image, 0);
      return size(width, height / 2); // its mask is below it
    }),
  );
}
