import type { Recorder } from '../contracts/kernel.ts';
import { isContent, isOpaque } from './content.ts';
import { dom } from './dom.ts';
import type { Entry, Ids } from './ids.ts';
import { likelyShadowOf } from './shadow.ts';

/** One open parent of the walk. */
interface Level {
  readonly entry: Entry;
  /** Receives the entries of children. */
  readonly into: Entry[];
  next: Node | null;
  /** The sibling to stop at. */
  readonly end: Node | null;
  /** The id before which the children of a base are written; 0: at the end. */
  readonly before: number;
  /** Its children are separate runs, not part of its record: it was sent earlier, or the recorder was full. */
  base: boolean;
}

/** Callbacks of a walk, in addition to records. */
interface WalkOptions {
  readonly ids: Ids;
  readonly recorder: Recorder;
  /** A shadow root is about to be written. */
  readonly onShadow: (root: ShadowRoot) => void;
  /** An element that may get a shadow root later has been written. */
  readonly onHost: (entry: Entry) => void;
  /** A node that was sent at another position is among this parent's children; it has not been written. */
  readonly onMoved: (parent: Entry) => void;
}

/** Assigns ids to new nodes in preorder and records them. Iterative, because a page may nest deeper than any stack. */
export class Walk {
  readonly #options: WalkOptions;
  readonly #levels: Level[] = [];
  #open = false;

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  /** Writes the siblings from `first` up to `end`, none of them sent yet, before the node `before`; their entries go into `into`. */
  run(parent: Entry, first: Node, end: Node | null, before: number, into: Entry[]): void {
    this.#levels.push({ entry: parent, into, next: first, end, before, base: true });
    this.#drain();
  }

  /** Writes a shadow root that an element got after it was sent. */
  attach(host: Entry, root: ShadowRoot): void {
    this.#begin(host, 0);
    this.#enterShadow(host, root);
    this.#drain();
    this.#end();
  }

  #begin(parent: Entry, before: number): void {
    this.#options.recorder.open(parent.id, before, this.#options.ids.next);
    this.#open = true;
  }

  #end(): void {
    if (this.#open) this.#options.recorder.close();
    this.#open = false;
  }

  #drain(): void {
    const { recorder } = this.#options;
    for (let level = this.#levels.at(-1); level; level = this.#levels.at(-1)) {
      const node = level.next;
      if (node === null || node === level.end) {
        this.#levels.pop();
        if (level.base) this.#end();
        else recorder.leave(level.into.length);
        continue;
      }
      level.next = dom.nextSibling(node);
      if (!isContent(node)) continue;
      if (this.#options.ids.of(node)) {
        this.#options.onMoved(level.entry);
        continue;
      }
      if (!this.#open) this.#begin(level.entry, level.before);
      this.#enter(node, level);
      if (recorder.full()) this.#cut();
    }
  }

  #enter(node: Node, level: Level): void {
    const { ids, recorder, onHost } = this.#options;
    const entry = ids.add(node, level.entry);
    level.into.push(entry);
    if (!dom.isElement(node)) {
      recorder.text(node as CharacterData, entry.id); // content, but not an element
      return;
    }
    const child = isOpaque(node) ? null : dom.firstChild(node);
    const shadow = likelyShadowOf(node, child === null);
    recorder.element(node, entry.id, shadow !== null);
    if (child) entry.children = [];
    if (child || shadow) this.#descend(entry, child);
    else recorder.leave(0);
    if (shadow) this.#enterShadow(entry, shadow);
    else onHost(entry);
  }

  #enterShadow(host: Entry, root: ShadowRoot): void {
    const { ids, recorder, onShadow } = this.#options;
    onShadow(root);
    const entry = ids.add(root, host);
    host.shadow = entry;
    recorder.shadow(root, entry.id);
    entry.children = [];
    this.#descend(entry, dom.firstChild(root));
  }

  #descend(entry: Entry, child: Node | null): void {
    this.#levels.push({ entry, into: entry.children, next: child, end: null, before: 0, base: false });
  }

  /** Ends the run here. The remaining children of each open parent become a separate run. */
  #cut(): void {
    for (let i = this.#levels.length - 1; i >= 0; i--) {
      const level = this.#levels[i];
      if (!level || level.base) break;
      this.#options.recorder.leave(level.into.length);
      level.base = true;
    }
    this.#end();
  }
}
