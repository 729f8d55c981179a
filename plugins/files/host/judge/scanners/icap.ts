import { createHash } from 'node:crypto';
import { quotable } from '../../../../../host/plugin.ts';
import { peek, withLastByte } from '../format/file-bytes.ts';
import { Conversation } from './conversation.ts';
import { readChunks, readHttpHead, readIcapHead } from './icap-answer.ts';
import type { IcapHead } from './icap-answer.ts';
import { scannerFailed } from './scanner.ts';
import type { Scanner, ScanOptions, ScanResult } from './scanner.ts';

/** Most bytes that are sent as preview, whatever the service asks for. */
const MAX_PREVIEW = 65_536;
/** Bytes that the body of an answer may have beyond the file's, such as a page that says why. */
const MAX_PAGE = 1_048_576;
const CHUNK_BYTES = 65_536;

/** Fields with which services name what they found. */
const FOUND = ['x-infection-found', 'x-virus-id', 'x-violations-found', 'x-virus-name'];

/** A service of an ICAP server. */
interface IcapService {
  readonly host: string;
  readonly port: number;
  readonly service: string;
}

/** A hash and a length of what went one way. */
class Seen {
  readonly #hash = createHash('sha256');
  bytes = 0;

  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    this.bytes += bytes.length;
  }

  digest(): string {
    return `${this.bytes}:${this.#hash.digest('hex')}`;
  }
}

function infection({ fields }: IcapHead): string | undefined {
  const found = FOUND.map((name) => fields.get(name)).find(
    (value) => value !== undefined && value !== '0' && value !== '-',
  );
  if (found === undefined) return undefined;
  return quotable(/Threat=([^;]{1,200})/.exec(found)?.[1] ?? found, 200) || 'unnamed';
}

/** One scan: an OPTIONS request, then a RESPMOD request on the same connection (RFC 3507). */
class IcapScan {
  readonly #conversation: Conversation;
  readonly #service: IcapService;
  readonly #name: string;
  readonly #sent = new Seen();
  #isWhole = false;

  constructor(conversation: Conversation, service: IcapService, name: string) {
    this.#conversation = conversation;
    this.#service = service;
    this.#name = name;
  }

  #request(method: string, fields: readonly string[]): string {
    const { host, port, service } = this.#service;
    return [`${method} icap://${host}:${port}/${service} ICAP/1.0`, `Host: ${host}:${port}`, ...fields, '', ''].join(
      '\r\n',
    );
  }

  /** Bytes of preview that the service asks for; undefined where it takes none. */
  async #options(): Promise<number | undefined> {
    await this.#conversation.write(this.#request('OPTIONS', ['Allow: 204', 'Encapsulated: null-body=0']));
    const head = await readIcapHead(this.#conversation, this.#name);
    if (head.status !== 200) throw scannerFailed(this.#name, `has no such service (status ${head.status})`);
    const methods = head.fields.get('methods');
    if (methods !== undefined && !/\bRESPMOD\b/i.test(methods))
      throw scannerFailed(this.#name, 'does not scan answers (RESPMOD)');
    if (/opt-body/.test(head.fields.get('encapsulated') ?? '')) {
      await readChunks(this.#conversation, MAX_PAGE, this.#name, () => undefined);
    }
    const preview = head.fields.get('preview');
    return preview !== undefined && /^\d{1,6}$/.test(preview) ? Math.min(Number(preview), MAX_PREVIEW) : undefined;
  }

  async #chunk(bytes: Uint8Array): Promise<boolean> {
    this.#sent.add(bytes);
    const head = Buffer.from(`${bytes.length.toString(16)}\r\n`);
    return this.#conversation.write(Buffer.concat([head, bytes, Buffer.from('\r\n')]));
  }

  async #body(stream: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const { bytes, isLast } of withLastByte(stream, CHUNK_BYTES)) {
      if (isLast) await this.#conversation.pause();
      if (!(await this.#chunk(bytes))) return;
    }
    // From here on an answer is about all bytes.
    this.#isWhole = true;
    await this.#conversation.write('0\r\n\r\n');
  }

  async #verdict(head: IcapHead): Promise<ScanResult> {
    const found = infection(head);
    if (found !== undefined) return { result: 'infected', detail: found };
    if (head.status === 204) return this.#isClean();
    if (head.status !== 200) throw scannerFailed(this.#name, `answered with status ${head.status}`);
    const { status, hasBody } = await readHttpHead(this.#conversation, head, this.#name);
    if (status !== undefined && status >= 400) return { result: 'infected', detail: `refused with status ${status}` };
    const received = new Seen();
    if (hasBody) {
      await readChunks(this.#conversation, Number.MAX_SAFE_INTEGER, this.#name, (bytes) => {
        received.add(bytes);
        if (received.bytes > this.#sent.bytes + MAX_PAGE) throw scannerFailed(this.#name, 'an answer without end');
      });
    }
    const clean = this.#isClean();
    if (clean.result !== 'clean') return clean;
    return received.digest() === this.#sent.digest()
      ? clean
      : { result: 'infected', detail: 'replaced by the scanner' };
  }

  #isClean(): ScanResult {
    return this.#isWhole ? { result: 'clean' } : { result: 'not-scanned', detail: 'answered before the last byte' };
  }

  async run(source: AsyncIterable<Uint8Array>, { name }: ScanOptions): Promise<ScanResult> {
    const asked = await this.#options();
    const ahead = await peek(source, (asked ?? 0) + 1);
    // The preview is never the whole file: a service that answers after it has decided not to look at the rest.
    const preview = asked === undefined ? undefined : Math.min(asked, Math.max(ahead.head.length - 1, 0));
    const request = `GET http://files.invalid/${encodeURIComponent(name)} HTTP/1.1\r\nHost: files.invalid\r\n\r\n`;
    const response = 'HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n';
    const places = `req-hdr=0, res-hdr=${request.length}, res-body=${request.length + response.length}`;
    const fields = ['Allow: 204', `Encapsulated: ${places}`, 'Connection: close'];
    if (preview !== undefined) fields.push(`Preview: ${preview}`);
    await this.#conversation.write(this.#request('RESPMOD', fields) + request + response);
    if (preview !== undefined) {
      const isAll = ahead.head.length === 0;
      if (preview > 0) await this.#chunk(ahead.head.subarray(0, preview));
      this.#isWhole = isAll;
      await this.#conversation.write(isAll ? '0; ieof\r\n\r\n' : '0\r\n\r\n');
      const head = await readIcapHead(this.#conversation, this.#name);
      if (isAll || head.status !== 100) return this.#verdict(head);
    }
    const rest = without(ahead.stream, preview ?? 0);
    // The service may answer while we still send, also with the bytes themselves: both ways at once.
    const answer = readIcapHead(this.#conversation, this.#name).then((head) => this.#verdict(head));
    answer.then(
      () => this.#conversation.stopWriting(),
      () => this.#conversation.stopWriting(),
    );
    const sending = this.#body(rest);
    const [verdict, sent] = await Promise.allSettled([Promise.race([answer, sending.then(() => answer)]), sending]);
    if (verdict.status === 'rejected') throw verdict.reason;
    if (sent.status === 'rejected' && verdict.value.result !== 'infected') throw sent.reason;
    return verdict.value;
  }
}

async function* without(stream: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of stream) {
    const part = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - part.length;
    if (part.length > 0) yield part;
  }
}

/** A service that speaks ICAP, asked as a proxy asks it about the answer of a site. */
export function icapScanner(service: IcapService, name: string): Scanner {
  return {
    name,
    async scan(stream, options) {
      using conversation = new Conversation({ host: service.host, port: service.port }, name, options);
      return await new IcapScan(conversation, service, name).run(stream, options);
    },
  };
}
