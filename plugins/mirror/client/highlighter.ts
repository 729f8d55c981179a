import type { Highlighter, Highlights, MarkedBox } from '../../../core/index.ts';
import { typeOf } from './dom.ts';
import { boxesOf, originOf } from './geometry.ts';
import { highlight } from './highlights.ts';
import type { MirrorDocument } from './mirror-document.ts';
import type { View } from './view.ts';

/** Above the page's own highlights. */
const PRIORITY = 0x7ffffffe;
const NUMBERS = 4;
/** Most boxes that are drawn over the view. */
const MOST_BOXES = 200;

/** Stretches that the view does not show by itself. */
interface Drawn {
  readonly document: MirrorDocument;
  readonly ends: readonly number[];
  readonly active: readonly number[];
}

/** Marks text in the view by custom highlights, whose names no page knows; what they cannot mark is left to be drawn. */
export class MirrorHighlighter implements Highlighter {
  readonly #view: View;
  readonly #name = `v${crypto.randomUUID()}`;
  readonly #styled = new WeakSet<MirrorDocument>();
  readonly #marked = new Map<number, MirrorDocument>();
  readonly #drawn = new Map<number, Drawn>();

  constructor(view: View) {
    this.#view = view;
  }

  set({ frame, epoch, ends, active }: Highlights): void {
    const document = this.#view.documentsOf(frame).find((mirror) => mirror.epoch === epoch);
    const before = this.#marked.get(frame);
    if (before && before !== document) this.#mark(before, [], []);
    this.#drawn.delete(frame);
    if (!document) {
      this.#marked.delete(frame);
      return;
    }
    this.#style(document);
    const others = split(document, ends);
    const one = split(document, active);
    this.#marked.set(frame, document);
    this.#mark(document, others.text, one.text);
    if (others.drawn.length + one.drawn.length > 0)
      this.#drawn.set(frame, { document, ends: others.drawn, active: one.drawn });
  }

  clear(): void {
    for (const document of this.#marked.values()) this.#mark(document, [], []);
    this.#marked.clear();
    this.#drawn.clear();
  }

  boxes(): readonly MarkedBox[] {
    const boxes: MarkedBox[] = [];
    for (const { document, ends, active } of this.#drawn.values()) {
      boxes.push(...boxesIn(document, active, true), ...boxesIn(document, ends, false));
      if (boxes.length > MOST_BOXES) break;
    }
    return boxes.slice(0, MOST_BOXES);
  }

  #mark({ realm, tree }: MirrorDocument, ends: readonly number[], active: readonly number[]): void {
    const nodeOf = (id: number): Node | undefined => tree.node(id);
    highlight(realm, this.#name, PRIORITY, 0, ends, nodeOf);
    highlight(realm, `${this.#name}a`, PRIORITY + 1, 0, active, nodeOf);
  }

  /** The same in both colour schemes, as the text gets a colour as well; in forced colours, the person's own. */
  #style(document: MirrorDocument): void {
    if (this.#styled.has(document) || !hasHighlights(document)) return;
    this.#styled.add(document);
    const name = `::highlight(${this.#name})`;
    const active = `::highlight(${this.#name}a)`;
    document.sheets.rule(`${name}{color:#000;background-color:#ffe04a}`);
    document.sheets.rule(`${active}{color:#000;background-color:#ff9632}`);
    document.sheets.rule(`@media(forced-colors:active){${name}{color:MarkText;background-color:Mark}}`);
    document.sheets.rule(`@media(forced-colors:active){${active}{color:HighlightText;background-color:Highlight}}`);
  }
}

const hasHighlights = ({ realm }: MirrorDocument): boolean => 'highlights' in realm.window.CSS;

/** Stretches of text, and those that have to be drawn. */
function split(
  document: MirrorDocument,
  ends: readonly number[],
): { text: readonly number[]; drawn: readonly number[] } {
  if (!hasHighlights(document)) return { text: [], drawn: ends };
  const [text, drawn]: [number[], number[]] = [[], []];
  for (let at = 0; at + NUMBERS <= ends.length; at += NUMBERS) {
    const node = document.tree.node(ends[at] ?? 0);
    (node && typeOf(node) === 3 ? text : drawn).push(...ends.slice(at, at + NUMBERS));
  }
  return { text, drawn };
}

function* boxesIn(document: MirrorDocument, ends: readonly number[], isActive: boolean): Generator<MarkedBox> {
  for (let at = 0; at + NUMBERS <= ends.length; at += NUMBERS) {
    const [start = 0, from = 0, end = 0, to = 0] = ends.slice(at, at + NUMBERS);
    const [first, last] = [document.tree.node(start), document.tree.node(end)];
    if (!first || !last) continue;
    if (typeOf(first) !== 3) yield* boxesOf(first).map((box) => ({ ...box, isActive }));
    else yield* rangeBoxes(document, [first, from, last, to]).map((box) => ({ ...box, isActive }));
  }
}

function rangeBoxes({ realm }: MirrorDocument, [first, from, last, to]: [Node, number, Node, number]): MarkedBox[] {
  const range = Document.prototype.createRange.call(realm.document);
  try {
    range.setStart(first, from);
    range.setEnd(last, to);
  } catch {
    return []; // the text is shorter by now
  }
  const origin = originOf(realm.document);
  return [...range.getClientRects()].map(({ x, y, width, height }) => ({
    x: x + origin.x,
    y: y + origin.y,
    width,
    height,
    isActive: false,
  }));
}
