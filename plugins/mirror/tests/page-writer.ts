import { DOCUMENT_ID, ELEMENT_FLAGS, NAMESPACE, NO_STRING, OP, RECORD } from '../ops.ts';
import type { Batch } from '../ops.ts';

/** A node as tests write it. */
export type Node = string | ElementNode;

interface ElementNode {
  readonly namespace: number;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
  readonly flags: number;
  readonly shadow?: { readonly flags: number; readonly children: readonly Node[] };
}

/** Parts of an element besides attributes and children. */
interface Extras {
  readonly namespace?: number;
  readonly flags?: number;
  readonly shadow?: { readonly flags?: number; readonly children: readonly Node[] };
}

/** An element; {@link PageWriter.id} finds it by its `id` attribute. */
export function h(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly Node[] = [],
  { namespace = NAMESPACE.html, flags = 0, shadow }: Extras = {},
): ElementNode {
  const plain = { namespace, name, attributes, children, flags };
  if (!shadow) return plain;
  return {
    ...plain,
    flags: flags | ELEMENT_FLAGS.shadow,
    shadow: { flags: shadow.flags ?? 0, children: shadow.children },
  };
}

/** A whole HTML document with the given children of its body. */
export function html(body: readonly Node[], head: readonly Node[] = []): ElementNode {
  return h('html', {}, [h('head', {}, head), h('body', { id: 'body' }, body)]);
}

/** Writes the batches of one epoch of a frame. */
export class PageWriter {
  readonly epoch: number;
  readonly #ids = new Map<string, number>();
  #seq = 0;
  #nextId = DOCUMENT_ID + 1;
  #strings: string[] = [];
  #ops: number[][] = [];

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  /** Returns the node id of an element by its `id` attribute; `#id` is its shadow root. */
  id(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`no element ${name}`);
    return id;
  }

  /** Returns the index of a string in the batch that is being written. */
  text(text: string | undefined): number {
    return text === undefined ? NO_STRING : this.#strings.push(text) - 1;
  }

  op(code: number, ...rest: number[]): this {
    this.#ops.push([code, ...rest]);
    return this;
  }

  doc(mode = 0, kind = 0): this {
    return this.op(OP.doc, mode, kind, this.text('https://site.test/'), this.text('https://site.test/'));
  }

  insert(parent: number, before: number, ...nodes: Node[]): this {
    const op = [OP.insert, parent, before, this.#nextId];
    for (const node of nodes) this.#write(op, node);
    this.#ops.push(op);
    return this;
  }

  sheet(owner: string, text: string, media = '', disabled = false): this {
    return this.op(OP.sheet, this.id(owner), 1, this.text(text), this.text(media), Number(disabled));
  }

  attribute(owner: string, name: string, value: string | undefined): this {
    return this.op(OP.attribute, this.id(owner), this.text(name), this.text(value));
  }

  batch(more = false): Batch {
    const batch = { epoch: this.epoch, seq: ++this.#seq, more, strings: this.#strings, ops: this.#ops };
    this.#strings = [];
    this.#ops = [];
    return batch;
  }

  #write(op: number[], node: Node): void {
    const id = this.#nextId++;
    if (typeof node === 'string') {
      op.push(RECORD.text, this.text(node));
      return;
    }
    const { attributes, children, shadow } = node;
    if (attributes.id !== undefined) this.#ids.set(attributes.id, id);
    const entries = Object.entries(attributes);
    op.push(RECORD.element, node.namespace, this.text(node.name), node.flags, entries.length);
    for (const [name, value] of entries) op.push(this.text(name), this.text(value));
    op.push(children.length);
    if (shadow) {
      const root = this.#nextId++;
      if (attributes.id !== undefined) this.#ids.set(`#${attributes.id}`, root);
      op.push(RECORD.shadow, shadow.flags, shadow.children.length);
      for (const child of shadow.children) this.#write(op, child);
    }
    for (const child of children) this.#write(op, child);
  }
}
