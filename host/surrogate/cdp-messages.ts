/**
 * Maximum length of a message that is read, in bytes. The longest that is asked for is a body of 32 MiB in base64, or a packet of a page
 * half in JSON in JSON.
 */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Bytes at the start and at the end of a message from which is seen what it is and whose. */
const HEAD_BYTES = 256;
const TAIL_BYTES = 256;

/** A message that was not read. */
export interface SkippedMessage {
  /** The command that it answers; undefined for an event. */
  readonly id: number | undefined;
  readonly sessionId: string | undefined;
  readonly bytes: number;
}

/** Receiver of the messages of one browser. */
export interface MessageReader {
  /** Whether anybody listens for an event: others are not read, since a page determines their number and size. */
  wants(event: string): boolean;
  read(text: string, bytes: number): void;
  /** Called with an event that nobody wants, and with a message that is too long. */
  skipped(message: SkippedMessage): void;
}

/**
 * Splits a stream of chunks into NUL-terminated messages. Chunks of an unfinished message are kept as they are and joined once, so that a
 * message of many megabytes costs one copy. Of a message that is not read only the start and the end are kept.
 */
export function messageSplitter(reader: MessageReader, limit = MAX_MESSAGE_BYTES): (chunk: Buffer) => void {
  let message = new UnfinishedMessage(reader, limit);
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      message.add(chunk.subarray(start, end));
      message.end();
      message = new UnfinishedMessage(reader, limit);
      start = end + 1;
    }
    if (start < chunk.length) message.add(chunk.subarray(start));
  };
}

class UnfinishedMessage {
  readonly #reader: MessageReader;
  readonly #limit: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** The start of the message, once there is enough of it. */
  #head: string | undefined;
  #isSkipped = false;

  constructor(reader: MessageReader, limit: number) {
    this.#reader = reader;
    this.#limit = limit;
  }

  add(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#head === undefined && this.#bytes >= HEAD_BYTES) this.#judge();
    if (this.#bytes > this.#limit) this.#isSkipped = true;
    if (this.#isSkipped) this.#keepTail();
  }

  end(): void {
    if (this.#head === undefined) this.#judge();
    if (!this.#isSkipped) {
      const [first] = this.#parts;
      const whole = first && this.#parts.length === 1 ? first : Buffer.concat(this.#parts, this.#bytes);
      this.#reader.read(whole.toString('utf8'), this.#bytes);
      return;
    }
    const id = /^\{"id":(\d{1,15}),/.exec(this.#head ?? '')?.[1];
    const sessionId = /"sessionId":"(\w{1,100})"\}$/.exec(this.#tail())?.[1];
    this.#reader.skipped({ id: id === undefined ? undefined : Number(id), sessionId, bytes: this.#bytes });
  }

  #judge(): void {
    const [first] = this.#parts;
    const start = first && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
    this.#head = start.toString('latin1', 0, HEAD_BYTES);
    const event = /^\{"method":"([\w.]{1,100})"/.exec(this.#head)?.[1];
    if (event !== undefined && !this.#reader.wants(event)) this.#isSkipped = true;
  }

  /** Drops all parts but the last ones. */
  #keepTail(): void {
    const last = this.#parts.at(-1);
    if (last && last.length >= TAIL_BYTES) this.#parts = [last];
    else if (this.#parts.length > 1) this.#parts = [Buffer.concat(this.#parts).subarray(-TAIL_BYTES)];
  }

  #tail(): string {
    return Buffer.concat(this.#parts).subarray(-TAIL_BYTES).toString('latin1');
  }
}
