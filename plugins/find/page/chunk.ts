import { dom } from '../../../core/page.ts';
import { foldAscii, foldOf } from './fold.ts';
import type { Sensitivity } from './fold.ts';

/** Text of one node, or the value of one control. */
export interface Piece {
  readonly source: Text | Element;
  /** Whether white space is shown as it stands. */
  readonly isPreserved: boolean;
}

/** A place in the page: an offset in the text of a node, or in the value of a control. */
export interface Place {
  readonly source: Text | Element;
  readonly offset: number;
}

/** Between texts that no match spans: blocks, lines, pictures. No character is folded to it. */
const BREAK = '\n';

/** Text that a search has to go through, as the page's blocks follow one another, with the way back from each character to the page. */
export class Chunk {
  /** Pieces in order; undefined is a break. */
  readonly pieces: readonly (Piece | undefined)[];
  readonly sensitivity: Sensitivity;
  /** Folded. */
  readonly text: string;
  /** Places of the text in ascending order, each valid up to the next one. */
  readonly #at: number[] = [];
  readonly #piece: number[] = [];
  readonly #offset: number[] = [];
  /** Places within what one character was folded to, ascending. */
  readonly #inner: number[] = [];
  #length = 0;
  #isSpace = true;

  constructor(pieces: readonly (Piece | undefined)[], sensitivity: Sensitivity) {
    this.pieces = pieces;
    this.sensitivity = sensitivity;
    const parts: string[] = [];
    pieces.forEach((piece, index) => parts.push(piece ? this.#read(piece, index) : this.#break()));
    this.text = parts.join('');
  }

  /** The place of a character of the text. */
  placeAt(at: number): Place | undefined {
    const index = lastUpTo(this.#at, at);
    const piece = this.pieces[this.#piece[index] ?? -1];
    return piece && { source: piece.source, offset: (this.#offset[index] ?? 0) + at - (this.#at[index] ?? 0) };
  }

  /** The first place of the text that is a character of the source at or after the offset; undefined when there is none. */
  find({ source, offset }: Place): number | undefined {
    for (let index = 0; index < this.#at.length; index += 1) {
      if (this.pieces[this.#piece[index] ?? -1]?.source !== source) continue;
      const next = this.#piece[index + 1] === this.#piece[index] ? (this.#offset[index + 1] ?? Infinity) : Infinity;
      const from = this.#offset[index] ?? 0;
      if (offset < next) return (this.#at[index] ?? 0) + Math.max(0, offset - from);
    }
    return undefined;
  }

  /** Whether a place is between two characters of the page. */
  isBetween(at: number): boolean {
    return this.#inner.length === 0 || this.#inner[lastUpTo(this.#inner, at)] !== at;
  }

  #break(): string {
    this.#isSpace = true;
    this.#length += 1;
    return BREAK;
  }

  #read({ source, isPreserved }: Piece, piece: number): string {
    const data = textOf(source);
    const fold = foldOf(this.sensitivity);
    let folded = '';
    let from = 0;
    /** Takes over what lies before `end` as it is, and goes on at `next`. */
    const take = (end: number, next: number): void => {
      if (end > from) {
        this.#run(piece, from);
        folded += foldAscii(data.slice(from, end), this.sensitivity);
        this.#length += end - from;
      }
      from = next;
    };
    const put = (text: string, offset: number): void => {
      if (text === '') return;
      this.#run(piece, offset);
      for (let inner = 1; inner < text.length; inner += 1) {
        if (isPair(text, inner) && isPair(data, offset + 1)) continue;
        this.#inner.push(this.#length + inner);
        this.#at.push(this.#length + inner);
        this.#piece.push(piece);
        this.#offset.push(offset);
      }
      folded += text;
      this.#length += text.length;
    };
    for (let at = 0; at < data.length; at += 1) {
      const code = data.charCodeAt(at);
      if (code > 0x20 && code < 0x80) this.#isSpace = false;
      else if (code === 0x20 || (code >= 9 && code <= 13)) {
        if (code === 0x20 && (isPreserved || !this.#isSpace)) {
          this.#isSpace = true;
          continue;
        }
        take(at, at + 1);
        if (isPreserved) put(code === 10 ? BREAK : ' ', at);
        else if (!this.#isSpace) put(' ', at);
        this.#isSpace = true;
      } else if (code >= 0x80) {
        const char = String.fromCodePoint(data.codePointAt(at) ?? 0); // within the text
        take(at, at + char.length);
        put(fold(char), at);
        this.#isSpace = false;
        at += char.length - 1;
      }
    }
    take(data.length, data.length);
    return folded;
  }

  /** The next character is that of a piece at an offset: remembered where it does not follow from what is remembered already. */
  #run(piece: number, offset: number): void {
    const last = this.#at.length - 1;
    const expected = (this.#offset[last] ?? 0) + this.#length - (this.#at[last] ?? 0);
    if (last >= 0 && this.#piece[last] === piece && expected === offset) return;
    this.#at.push(this.#length);
    this.#piece.push(piece);
    this.#offset.push(offset);
  }
}

/** The text of a piece's source: what a control shows, for one. */
export function textOf(source: Text | Element): string {
  return dom.isElement(source) ? controlText(source) : dom.data(source);
}

const valueOf = (prototype: object): ((this: Element) => unknown) =>
  Object.getOwnPropertyDescriptor(prototype, 'value')?.get ?? ((): unknown => ''); // every browser has it
const inputValue = valueOf(HTMLInputElement.prototype);
const areaValue = valueOf(HTMLTextAreaElement.prototype);
const selectValue = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'selectedOptions')?.get;
/** Inputs that show their value, or their label, as text. */
const SHOWN = /^(?:text|search|url|tel|email|number|button|submit|reset)$/;

/** Whether an element shows text of its own, which is in none of its nodes. */
export function isControl(element: Element): boolean {
  if (dom.isHtml(element, 'input')) return SHOWN.test(String(inputType.call(element)));
  return dom.isHtml(element, 'textarea') || dom.isHtml(element, 'select');
}

const inputType = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'type')?.get ?? ((): string => '');

function controlText(element: Element): string {
  if (dom.isHtml(element, 'select')) {
    const [option] = (selectValue?.call(element) as HTMLCollection | undefined) ?? [];
    return option ? dom.textContent(option).trim() : '';
  }
  const value = String((dom.isHtml(element, 'input') ? inputValue : areaValue).call(element));
  return value === '' ? (dom.attribute(element, 'placeholder') ?? '') : value;
}

const isPair = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** The index of the last number that is not above the limit, or -1. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
