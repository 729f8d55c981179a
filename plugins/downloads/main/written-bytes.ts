/** Most bytes that a page may write into a file: they are kept by its own process until the file is closed. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A chunk that pages write, as they name it: a string, bytes, a blob or a command. */
type Data = string | BufferSource | Blob;

interface Command {
  readonly type?: unknown;
  readonly data?: Data | null;
  readonly position?: number | null;
  readonly size?: number | null;
}

const OwnBlob = Blob;
const OwnBytes = Uint8Array;
const OwnException = DOMException;

/** The bytes of a file while it is written. */
export class WrittenBytes {
  #parts: BlobPart[];
  #size: number;
  #at = 0;

  constructor(kept?: Blob) {
    this.#parts = kept ? [kept] : [];
    this.#size = kept?.size ?? 0;
  }

  /**
   * Takes a chunk of the stream, as the File System Access API defines it.
   *
   * @throws DOMException `SyntaxError` for a command without what it needs, `QuotaExceededError`; TypeError for one that is unknown
   */
  take(chunk: unknown): void {
    if (isData(chunk)) {
      this.#write(chunk, this.#at);
      return;
    }
    const { type, data, position, size } = Object(chunk) as Command; // as the page says: looked at below
    if (type === 'write') this.#write(needed(data, 'data'), position ?? this.#at);
    else if (type === 'seek') this.#at = offset(needed(position, 'position'));
    else if (type === 'truncate') this.#truncate(offset(needed(size, 'size')));
    else throw new TypeError('The chunk is no data, and no command that is known.');
  }

  blob(): Blob {
    return new OwnBlob(this.#parts);
  }

  #write(data: unknown, position: number): void {
    const part = new OwnBlob([isData(data) ? (data as BlobPart) : String(data)]); // its bytes as they are now
    const from = offset(position);
    const to = from + part.size;
    if (from > this.#size) this.#truncate(from);
    if (to > MAX_BYTES) throw tooLarge();
    if (from === this.#size) this.#parts.push(part);
    else {
      const whole = this.blob();
      this.#parts = [whole.slice(0, from), part, whole.slice(to)];
    }
    this.#size = Math.max(this.#size, to);
    this.#at = to;
  }

  #truncate(size: number): void {
    if (size > MAX_BYTES) throw tooLarge();
    if (size > this.#size) this.#parts.push(new OwnBytes(size - this.#size));
    else this.#parts = [this.blob().slice(0, size)];
    this.#size = size;
    this.#at = Math.min(this.#at, size);
  }
}

function isData(chunk: unknown): boolean {
  return (
    typeof chunk === 'string' || chunk instanceof OwnBlob || chunk instanceof ArrayBuffer || ArrayBuffer.isView(chunk)
  );
}

function offset(value: unknown): number {
  const number = Math.trunc(Number(value));
  if (!(number >= 0)) throw new TypeError('The offset is not valid.');
  return number;
}

function needed<T>(value: T | null | undefined, name: string): T {
  if (value === undefined || value === null) throw new OwnException(`The command needs ${name}.`, 'SyntaxError');
  return value;
}

function tooLarge(): DOMException {
  return new OwnException('The file is too large.', 'QuotaExceededError');
}
