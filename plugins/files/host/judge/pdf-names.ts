/** Bytes at the end of a piece that are searched again with the next one: more than the longest pattern matches. */
const OVERLAP = 64;

const SPACE = '[\\s\\0]';

/** A pattern for a name of PDF: each of its characters may be written as `#` and two hex digits (ISO 32000-1, 7.3.5). */
function nameOf(name: string): string {
  const letters = Array.from(name, (letter) => {
    const hex = letter.charCodeAt(0).toString(16);
    const either = Array.from(hex, (digit) => (/\d/.test(digit) ? digit : `[${digit}${digit.toUpperCase()}]`));
    return `(?:${letter}|#${either.join('')})`;
  });
  return letters.join('');
}

/** Names that only embedded files need: the type of their streams and of their list, and the key that leads to them, with its value. */
const EMBED = new RegExp(`/(?:${nameOf('EmbeddedFile')}|${nameOf('EF')}(?:<<|%|${SPACE}(?:<<|[%\\d\\s\\0])))`);

/** Filters that are not read here, with their short forms; another one than these is a picture's, or FlateDecode. */
const FILTERS = ['ASCIIHexDecode', 'ASCII85Decode', 'LZWDecode', 'RunLengthDecode', 'Crypt', 'AHx', 'A85', 'LZW', 'RL'];
const UNREAD = new RegExp(`/(?:${FILTERS.map(nameOf).join('|')})(?=[\\s\\0/\\]>%])`);

/** Searches bytes that come in pieces for the names of embedded files, and of filters. Linear. */
export class PdfNames {
  #mayEmbed = false;
  #mayBeUnread = false;
  #rest = '';
  readonly #outer: PdfNames | undefined;

  /** @param outer the search of which this is a part: it knows what this one finds */
  constructor(outer?: PdfNames) {
    this.#outer = outer;
  }

  get mayEmbed(): boolean {
    return this.#mayEmbed;
  }

  get mayBeUnread(): boolean {
    return this.#mayBeUnread;
  }

  search(bytes: Uint8Array): void {
    const { buffer, byteOffset, length } = bytes;
    const text = this.#rest + Buffer.from(buffer, byteOffset, length).toString('latin1');
    this.#rest = text.slice(-OVERLAP);
    this.#look(text);
  }

  /** Ends the bytes. */
  end(): void {
    this.#look(`${this.#rest} `);
  }

  #look(text: string): void {
    const found = this.#outer ?? this;
    found.#mayEmbed ||= EMBED.test(text);
    found.#mayBeUnread ||= UNREAD.test(text);
  }
}
