import type { Kernel } from '../../../core/page.ts';
import { HIGHLIGHT_KINDS, OP } from '../ops.ts';
import { boundary } from './boundary.ts';
import type { Tracker } from './tracker.ts';
import type { Writer } from './writer.ts';

/** Maximum number of highlights, and of ranges of one, that are sent. */
const MOST_HIGHLIGHTS = 50;
const MOST_RANGES = 2000;

/** Custom highlights of the page: no event reports them, so they are compared after each poll. */
export class Highlights implements Tracker {
  readonly #kernel: Kernel;
  readonly #writer: Writer;
  /** Last sent state, by name. */
  readonly #sent = new Map<string, string>();

  constructor(kernel: Kernel, writer: Writer) {
    this.#kernel = kernel;
    this.#writer = writer;
  }

  reset(): void {
    this.#sent.clear();
  }

  collect(full: boolean): void {
    if (!full || (CSS.highlights.size === 0 && this.#sent.size === 0)) return;
    const now = new Map([...CSS.highlights].slice(0, MOST_HIGHLIGHTS));
    for (const [name, highlight] of now) this.#look(name, highlight);
    for (const name of this.#sent.keys()) if (!now.has(name)) this.#write(name, [0, 0]);
  }

  #look(name: string, highlight: Highlight): void {
    const ranges = [...highlight].slice(0, MOST_RANGES).flatMap((range) => {
      const start = boundary(this.#kernel, range.startContainer, range.startOffset);
      const end = boundary(this.#kernel, range.endContainer, range.endOffset);
      return start[0] === 0 || end[0] === 0 ? [] : [...start, ...end];
    });
    const said = [highlight.priority, HIGHLIGHT_KINDS.indexOf(highlight.type), ...ranges] as const;
    if (this.#sent.get(name) !== said.join() && (ranges.length > 0 || this.#sent.has(name))) this.#write(name, said);
  }

  #write(name: string, said: readonly [priority: number, kind: number, ...ends: number[]]): void {
    if (said.length > 2) this.#sent.set(name, said.join());
    else this.#sent.delete(name);
    this.#writer.op([OP.highlight, name, ...said]);
  }
}
