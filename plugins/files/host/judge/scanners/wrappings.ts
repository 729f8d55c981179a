import { crc32, createDeflateRaw, deflateSync, gzipSync } from 'node:zlib';
import { through } from '../format/through.ts';

/**
 * The EICAR test file, which every scanner calls infected, in two halves: scanners must not find it in this source. Its twin differs in a letter.
 *
 * @see https://www.eicar.org/download-anti-malware-testfile/
 */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STAND', 'ARD-ANTIVIRUS-TEST-FILE!$H+H*'];
const TWIN = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STAND', 'ARD-ANTIVIRUS-CLEAN-FILE!$H+H*'];

/** Wrappings in which a scanner is shown the test file. */
export const WRAPPINGS = ['plain', 'zip', 'zip2', 'zip3', 'gzip', 'tar.gz', 'office', 'pdf'] as const;
export type Wrapping = (typeof WRAPPINGS)[number];

const PAD_CHUNK = 65_536;

/** The test file, or its clean twin. */
export function testFile(infected: boolean): Buffer {
  return Buffer.from((infected ? EICAR : TWIN).join(''), 'latin1');
}

/** A member of a zip file that is made. A stored one is not held in memory, a deflated one is, packed. */
interface ZipPart {
  readonly name: string;
  readonly content: () => AsyncIterable<Buffer> | Iterable<Buffer>;
  readonly stored?: boolean;
}

function* spaces(bytes: number): Generator<Buffer> {
  const chunk = Buffer.alloc(PAD_CHUNK, ' ');
  for (let left = bytes; left > 0; left -= PAD_CHUNK) yield chunk.subarray(0, Math.min(left, PAD_CHUNK));
}

function header(local: boolean, part: ZipPart, sums: Sums, offset: number): Buffer {
  const name = Buffer.from(part.name);
  const head = Buffer.alloc(local ? 30 : 46);
  head.writeUInt32LE(local ? 0x04_03_4b_50 : 0x02_01_4b_50, 0);
  const at = local ? 4 : 6;
  if (!local) head.writeUInt16LE(20, 4);
  head.writeUInt16LE(20, at);
  head.writeUInt16LE(part.stored ? 0 : 8, at + 4);
  head.writeUInt16LE(0x58_21, at + 8); // a date that is one
  head.writeUInt32LE(sums.crc, at + 10);
  head.writeUInt32LE(sums.packed?.length ?? sums.size, at + 14);
  head.writeUInt32LE(sums.size, at + 18);
  head.writeUInt16LE(name.length, at + 22);
  if (!local) head.writeUInt32LE(offset, 42);
  return Buffer.concat([head, name]);
}

/** Checksum and lengths, which stand before the bytes. */
interface Sums {
  readonly crc: number;
  readonly size: number;
  readonly packed?: Buffer;
}

async function sumsOf({ content, stored }: ZipPart): Promise<Sums> {
  let crc = 0;
  let size = 0;
  async function* summed(): AsyncGenerator<Buffer> {
    for await (const chunk of content()) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
  }
  if (!stored) {
    const packed = await whole(through(summed(), createDeflateRaw()));
    return { crc, size, packed };
  }
  for await (const _ of summed());
  return { crc, size };
}

/** A zip file as a stream. */
async function* zipStream(parts: readonly ZipPart[]): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const sums = await sumsOf(part);
    const local = header(true, part, sums, 0);
    directory.push(header(false, part, sums, offset));
    yield local;
    if (sums.packed) yield sums.packed;
    else yield* part.content();
    offset += local.length + (sums.packed?.length ?? sums.size);
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  yield entries;
  yield end;
}

async function whole(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A tar file of one member. */
export function tarOf(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write('0000644\u00000000000\u00000000000\u0000', 100, 'latin1');
  head.write(`${content.length.toString(8).padStart(11, '0')}\u000000000000000\u0000        0`, 124, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148, 'latin1');
  return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512), Buffer.alloc(1024)]);
}

/** A PDF with one page and the content as an embedded file. */
export function pdfOf(name: string, content: Buffer, isPacked = false): Buffer {
  const bytes = isPacked ? deflateSync(content) : content;
  const filter = isPacked ? '/Filter/FlateDecode' : '';
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(${name})4 0 R]>>>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
    `<</Type/Filespec/F(${name})/EF<</F 5 0 R>>>>`,
    `<</Type/EmbeddedFile${filter}/Length ${bytes.length}>>\nstream\n${bytes.toString('latin1')}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

async function zipped(depth: number, content: Buffer): Promise<Buffer> {
  let inner = content;
  for (let level = 0; level < depth; level += 1) {
    const name = level === 0 ? 'test.com' : `level${level}.zip`;
    const bytes = inner;
    inner = await whole(zipStream([{ name, content: () => [bytes] }]));
  }
  return inner;
}

/** A document of Word with an embedded file. */
export async function officeOf(content: Buffer): Promise<Buffer> {
  const types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
  const body =
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';
  return whole(
    zipStream([
      { name: '[Content_Types].xml', content: () => [Buffer.from(types)] },
      { name: 'word/document.xml', content: () => [Buffer.from(body)] },
      { name: 'word/embeddings/test.com', content: () => [content] },
    ]),
  );
}

/** The test file, or its clean twin, in a wrapping. */
export async function wrapped(wrapping: Wrapping, infected: boolean): Promise<Buffer> {
  const content = testFile(infected);
  if (wrapping === 'zip') return zipped(1, content);
  if (wrapping === 'zip2') return zipped(2, content);
  if (wrapping === 'zip3') return zipped(3, content);
  if (wrapping === 'gzip') return gzipSync(content);
  if (wrapping === 'tar.gz') return gzipSync(tarOf('test.com', content));
  if (wrapping === 'office') return officeOf(content);
  return wrapping === 'pdf' ? pdfOf('test.com', content, true) : content;
}

const BYTES = 1_048_576;

/** A zip file in which the test file comes after so many megabytes of another member, which are not compressed. */
export function afterMegabytes(megabytes: number, infected: boolean): AsyncIterable<Buffer> {
  const pad = { name: 'before.txt', content: () => spaces(megabytes * BYTES), stored: true };
  return zipStream([pad, { name: 'test.com', content: () => [testFile(infected)] }]);
}

/** A zip file with a member of so many megabytes, compressed, at whose end the test file is: the member is such a zip file. */
export function inMegabytes(megabytes: number, infected: boolean): AsyncIterable<Buffer> {
  return zipStream([{ name: 'inner.zip', content: () => afterMegabytes(megabytes, infected) }]);
}
