import { quotable } from '../../../../../host/plugin.ts';
import type { Conversation } from './conversation.ts';
import { scannerFailed } from './scanner.ts';

/** Longest heads of an answer and line of a chunk, in bytes. */
const MAX_HEAD = 32_768;
const MAX_LINE = 1024;

/** Head of an ICAP answer. */
export interface IcapHead {
  readonly status: number;
  /** Fields by lower-case name; the first where one is repeated. */
  readonly fields: ReadonlyMap<string, string>;
}

function fieldsOf(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, quotable(line.slice(colon + 1), 1024));
  }
  return fields;
}

/** Reads the head of an answer. */
export async function readIcapHead(conversation: Conversation, name: string): Promise<IcapHead> {
  const [first = '', ...lines] = (await conversation.readUntil('\r\n\r\n', MAX_HEAD)).split('\r\n');
  const status = /^ICAP\/1\.0 (\d{3})(?: |$)/.exec(first)?.[1];
  if (status === undefined) throw scannerFailed(name, `answered "${quotable(first, 100)}" instead of ICAP`);
  return { status: Number(status), fields: fieldsOf(lines) };
}

/** Lengths of the HTTP heads before the body of an answer (RFC 3507, 4.4.1), and whether there is a body. */
function encapsulated(
  field: string,
  name: string,
): { headBytes: number; responseAt: number | undefined; hasBody: boolean } {
  const parts = [...field.matchAll(/(req-hdr|res-hdr|res-body|req-body|opt-body|null-body)=(\d{1,6})/g)];
  const at = (part: string): number | undefined => {
    const found = parts.find(([, key]) => key === part)?.[2];
    return found === undefined ? undefined : Number(found);
  };
  const headBytes = Number(parts.at(-1)?.[2] ?? 0);
  if (headBytes > MAX_HEAD) throw scannerFailed(name, 'an answer without end');
  return { headBytes, responseAt: at('res-hdr'), hasBody: !/null-body|opt-body/.test(field) && parts.length > 0 };
}

/** Status of the HTTP answer that an ICAP answer holds, where it holds one. */
export async function readHttpHead(
  conversation: Conversation,
  head: IcapHead,
  name: string,
): Promise<{ status: number | undefined; hasBody: boolean }> {
  const { headBytes, responseAt, hasBody } = encapsulated(head.fields.get('encapsulated') ?? '', name);
  let text = '';
  while (text.length < headBytes) {
    const part = await conversation.read(headBytes - text.length);
    if (part.length === 0) throw scannerFailed(name, 'closed the connection within its answer');
    text += part.toString('latin1');
  }
  const status = responseAt === undefined ? undefined : /^HTTP\/1\.[01] (\d{3})/.exec(text.slice(responseAt))?.[1];
  return { status: status === undefined ? undefined : Number(status), hasBody };
}

/** Shows the chunks of a body to `take`, until its last one. Fails after `most` bytes. */
export async function readChunks(
  conversation: Conversation,
  most: number,
  name: string,
  take: (bytes: Buffer) => void,
): Promise<void> {
  let total = 0;
  while (true) {
    const line = await conversation.readUntil('\r\n', MAX_LINE);
    const digits = /^([\da-f]{1,8})(?:[ ;][^\r]*)?\r\n$/i.exec(line)?.[1];
    if (digits === undefined) throw scannerFailed(name, 'answered with a broken chunk');
    let left = parseInt(digits, 16);
    total += left;
    if (total > most) throw scannerFailed(name, 'an answer without end');
    const isLast = left === 0;
    while (left > 0) {
      const part = await conversation.read(left);
      if (part.length === 0) throw scannerFailed(name, 'closed the connection within its answer');
      left -= part.length;
      take(part);
    }
    await conversation.readUntil('\r\n', MAX_LINE);
    if (isLast) return;
  }
}
