import { LENGTH_ATTRIBUTE, MODES, MONOSPACE_ATTRIBUTE, NAMESPACE_URI, OP, RECORD, isBatch } from '../ops.ts';
import type { Batch } from '../ops.ts';

/** A node as the ops describe it. */
interface TreeNode {
  readonly id: number;
  readonly kind: 'document' | 'element' | 'text' | 'shadow';
  readonly name: string;
  readonly namespace: string;
  readonly flags: number;
  readonly attributes: Map<string, string>;
  text: string;
  parent: TreeNode | undefined;
  shadow: TreeNode | undefined;
  readonly children: TreeNode[];
}

/** Form in which a page's real tree and a mirrored one are compared. */
export interface Outline {
  readonly name?: string;
  readonly namespace?: string;
  readonly text?: string;
  readonly attributes?: readonly (readonly [string, string])[];
  readonly shadow?: Outline;
  readonly children?: readonly Outline[];
}

/** The simplest reader of the op grammar: every client must arrive at the same result. Throws where a batch breaks a rule. */
export class MirrorTree {
  epoch = 0;
  seq = 0;
  document: TreeNode | undefined;
  /** The last op of each code. */
  readonly ops = new Map<number, readonly number[]>();
  /** State ops by name and id, texts in place of indices where the op's layout says so. */
  readonly nodes = new Map<number, TreeNode>();
  readonly #used = new Set<number>();
  #strings: readonly string[] = [];

  apply(batch: unknown): void {
    if (!isBatch(batch)) throw new Error(`no batch: ${JSON.stringify(batch).slice(0, 200)}`);
    this.#order(batch);
    this.#strings = batch.strings;
    for (const op of batch.ops) {
      this.ops.set(op[0]!, op);
      this.#apply(op);
    }
  }

  text(index: number): string {
    const text = this.#strings[index];
    if (text === undefined) throw new Error(`no string ${index}`);
    return text;
  }

  outline(): Outline | undefined {
    return this.document && outline(this.document);
  }

  #order({ epoch, seq, ops }: Batch): void {
    const begins = ops[0]?.[0] === OP.doc;
    if (begins ? seq !== 1 || epoch === this.epoch : epoch !== this.epoch || seq !== this.seq + 1)
      throw new Error(`batch ${epoch}/${seq} after ${this.epoch}/${this.seq}`);
    this.epoch = epoch;
    this.seq = seq;
  }

  #apply(op: readonly number[]): void {
    const [code, id = 0, a = 0, b = 0] = op;
    switch (code) {
      case OP.doc:
        this.nodes.clear();
        this.#used.clear();
        this.document = this.#add(1, 'document', { name: MODES[id]! });
        break;
      case OP.insert:
        this.#insert(id, a, b, op.slice(4));
        break;
      case OP.remove:
        for (const gone of op.slice(1)) this.#remove(gone);
        break;
      case OP.move:
        this.#move(id, a, b);
        break;
      case OP.attribute:
        if (b < 0) this.node(id).attributes.delete(this.text(a));
        else this.node(id).attributes.set(this.text(a), this.text(b));
        break;
      case OP.text:
        this.node(id).text = this.text(a);
        break;
      default:
    }
  }

  node(id: number): TreeNode {
    const node = this.nodes.get(id);
    if (!node) throw new Error(`no node ${id}`);
    return node;
  }

  #add(id: number, kind: TreeNode['kind'], own: Partial<TreeNode>): TreeNode {
    if (this.#used.has(id)) throw new Error(`id ${id} is used again`);
    this.#used.add(id);
    const base = { name: '', namespace: '', flags: 0, text: '', parent: undefined, shadow: undefined };
    const node = { ...base, id, kind, attributes: new Map(), children: [], ...own };
    this.nodes.set(id, node);
    return node;
  }

  #insert(parentId: number, before: number, first: number, stream: readonly number[]): void {
    const parent = this.node(parentId);
    const nextSibling = before === 0 ? undefined : this.node(before);
    let at = 0;
    let id = first;
    const next = (): number => {
      const value = stream[at++];
      if (value === undefined) throw new Error('the stream ends early');
      return value;
    };
    const children = (node: TreeNode, count: number): void => {
      for (let i = 0; i < count; i++) node.children.push(record(node));
    };
    const record = (owner: TreeNode): TreeNode => {
      const code = next();
      if (code === RECORD.text) return this.#add(id++, 'text', { text: this.text(next()), parent: owner });
      if (code === RECORD.shadow) {
        const shadow = this.#add(id++, 'shadow', { flags: next(), parent: owner });
        children(shadow, next());
        return shadow;
      }
      if (code !== RECORD.element) throw new Error(`no record ${code}`);
      const namespace = NAMESPACE_URI[next() as 0];
      const node = this.#add(id++, 'element', { namespace, name: this.text(next()), flags: next(), parent: owner });
      for (let left = next(); left > 0; left--) node.attributes.set(this.text(next()), this.text(next()));
      const count = next();
      if (node.flags & 1) {
        if (stream[at] !== RECORD.shadow) throw new Error('no shadow record where one is due');
        node.shadow = record(node);
      }
      children(node, count);
      return node;
    };
    while (at < stream.length) {
      const node = record(parent);
      if (node.kind === 'shadow') {
        if (parent.shadow) throw new Error('a second shadow root');
        parent.shadow = node;
      } else this.#place(node, parent, nextSibling);
    }
  }

  #place(node: TreeNode, parent: TreeNode, before: TreeNode | undefined): void {
    for (let above: TreeNode | undefined = parent; above; above = above.parent)
      if (above === node) throw new Error('a node inside itself');
    if (before && before.parent !== parent) throw new Error(`${before.id} is no child of ${parent.id}`);
    node.parent = parent;
    parent.children.splice(before ? parent.children.indexOf(before) : parent.children.length, 0, node);
  }

  #move(id: number, parentId: number, before: number): void {
    const node = this.node(id);
    node.parent!.children.splice(node.parent!.children.indexOf(node), 1);
    this.#place(node, this.node(parentId), before === 0 ? undefined : this.node(before));
  }

  #remove(id: number): void {
    const node = this.node(id);
    node.parent!.children.splice(node.parent!.children.indexOf(node), 1);
    const forget = (gone: TreeNode): void => {
      this.nodes.delete(gone.id);
      gone.children.forEach(forget);
      if (gone.shadow) forget(gone.shadow);
    };
    forget(node);
  }
}

function outline(node: TreeNode): Outline {
  if (node.kind === 'text') return { text: node.text };
  const children = node.children.map(outline);
  if (node.kind !== 'element') return { children };
  // The page half adds attributes that the element does not have.
  const attributes = [...node.attributes]
    .filter(([name]) => name !== MONOSPACE_ATTRIBUTE && name !== LENGTH_ATTRIBUTE)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const own = { name: node.name, namespace: node.namespace, attributes, children };
  return node.shadow ? { ...own, shadow: outline(node.shadow) } : own;
}
