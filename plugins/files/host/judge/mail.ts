/** Longest field that is read, and longest piece of a line, in characters. */
const MAX_FIELD = 2048;
const MAX_PIECE = 65_536;
/** Boundaries that are known at a time. */
const MAX_BOUNDARIES = 100;

/** Fields without which a mail has no encoded parts, at the beginning of a line. */
const MIME = /^(?:mime-version|content-type|content-transfer-encoding)[ \t]*:/im;
/** The first line of a mail: a field, or the separator of a mailbox file. */
const FIRST = /^\s{0,64}(?:From |[!-9;-~]{1,76}[ \t]{0,8}:)/;
const ENCODING = /^content-transfer-encoding[ \t]*:/i;
const BOUNDARY = /boundary[ \t]*=[ \t]*(?:"([^"]{1,200})"|([^\s";]{1,200}))/gi;

/** Whether the first bytes of a file are those of a mail with MIME parts (RFC 2045), or fields without an end. */
export function isMail(head: Uint8Array, isWhole: boolean): boolean {
  const text = Buffer.from(head).toString('latin1');
  return FIRST.test(text) && (MIME.test(text) || (!isWhole && !/\n\r?\n/.test(text)));
}

/** An encoded part of a mail. Its data have to be read, or left, before the next part is asked for. */
interface MailPart {
  readonly data: AsyncIterable<Uint8Array>;
}

/** A piece of a line; long lines have several. */
interface Piece {
  readonly text: string;
  readonly isStart: boolean;
}

async function* pieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  let rest = '';
  let isStart = true;
  for await (const chunk of source) {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, isStart };
      isStart = true;
    }
    if (rest.length < MAX_PIECE) continue;
    yield { text: rest, isStart };
    isStart = false;
    rest = '';
  }
  yield { text: rest, isStart };
}

type Encoding = 'base64' | 'quoted-printable' | 'none' | 'unread';

function encodingOf(field: string): Encoding {
  const value = field.slice(field.indexOf(':') + 1).trim();
  const isBase64 = /base64/i.test(value);
  const isQuoted = /quoted-printable/i.test(value);
  if (isBase64 !== isQuoted) return isBase64 ? 'base64' : 'quoted-printable';
  return /^(?:7bit|8bit)?;?$/i.test(value) ? 'none' : 'unread';
}

/** Decodes base64 in pieces, and passes over what is none, as mail programs do. */
function base64(): (text: string) => Buffer {
  let rest = '';
  return (text) => {
    const letters = rest + text.replace(/[^A-Za-z0-9+/=]/g, '');
    const whole = letters.length - (letters.length % 4);
    rest = letters.slice(whole);
    const quanta = letters.slice(0, whole);
    if (!quanta.includes('=')) return Buffer.from(quanta, 'base64');
    return Buffer.concat((quanta.match(/[^=]+/g) ?? []).map((part) => Buffer.from(part, 'base64')));
  };
}

function quoted(text: string): Buffer {
  const isSoft = /=[ \t]*$/.test(text.slice(-80));
  const line = isSoft ? text.slice(0, text.lastIndexOf('=')) : `${text}\r\n`;
  const plain = line.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

/**
 * Reads the encoded parts of a mail, or of the mails of a mailbox file, one after the other: a part begins behind the field that names its encoding
 * wherever that stands, and ends at a boundary. Linear; memory is bounded.
 *
 * @param problem called with what is not read
 */
export async function* readMail(
  source: AsyncIterable<Uint8Array>,
  problem: (text: string) => void,
): AsyncGenerator<MailPart> {
  const lines = pieces(source);
  const boundaries: string[] = [];
  let field = '';
  let encoding: Encoding = 'none';
  const isBoundary = (text: string): boolean => boundaries.some((boundary) => text.startsWith(`--${boundary}`));
  /** Takes a line outside of an encoded part; returns the encoding of one that begins after it. */
  function begins({ text, isStart }: Piece): Encoding {
    for (const [, inQuotes, bare] of text.slice(0, MAX_FIELD).matchAll(BOUNDARY)) {
      boundaries.push(inQuotes ?? bare ?? '');
      if (boundaries.length > MAX_BOUNDARIES) boundaries.shift();
    }
    if (!isStart) return 'none';
    if (/^[ \t]+\S/.test(text) && field !== '') {
      field = (field + text).slice(0, MAX_FIELD);
      return 'none';
    }
    if (field !== '') {
      const named = encodingOf(field);
      if (named === 'unread') problem('a part with an encoding that is not read');
      else if (encoding !== 'none' && named !== encoding) problem('a part with two encodings');
      if (encoding === 'none') encoding = named === 'unread' ? 'none' : named;
      field = '';
    }
    if (ENCODING.test(text)) field = text.slice(0, MAX_FIELD);
    if (/^begin(?:-base64)? [0-7]{3,4} /.test(text)) problem('a part with an encoding that is not read');
    if (isBoundary(text)) encoding = 'none';
    if (text.trim() !== '') return 'none';
    const begun = encoding;
    encoding = 'none';
    return begun;
  }
  async function* part(isBase64: boolean): AsyncGenerator<Uint8Array> {
    const decode = isBase64 ? base64() : quoted;
    let wasBlank = false;
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const { text, isStart } = next.value;
      if (isStart && (isBoundary(text) || (wasBlank && text.startsWith('From ')))) return;
      if (isStart && isBase64 && text.startsWith('--')) problem('a boundary that is not named before');
      wasBlank = text === '';
      const bytes = decode(text);
      if (bytes.length > 0) yield bytes;
    }
  }
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const begun = begins(next.value);
      if (begun === 'none') continue;
      const data = part(begun === 'base64');
      yield { data };
      for await (const _ of data);
    }
  } finally {
    await lines.return(undefined);
  }
}
