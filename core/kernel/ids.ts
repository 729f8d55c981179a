/** Shared by all entries without children. Never modified. */
const NO_CHILDREN: Entry[] = [];

/** The host's knowledge of a node. The tree of entries is always the tree that has been sent. */
export class Entry {
  /** 0 once the node is no longer part of the page. */
  id: number;
  readonly node: Node;
  /** The parent element or root; for a shadow root, its host; null for the document and for nodes that have left their place. */
  parent: Entry | null;
  children: Entry[] = NO_CHILDREN;
  shadow: Entry | null = null;
  /** Temporary value of the comparison of child lists. */
  order = -1;

  constructor(id: number, node: Node, parent: Entry | null) {
    this.id = id;
    this.node = node;
    this.parent = parent;
  }
}

/** Node ids of one epoch: increasing integers from 1 (the document), in the order in which nodes are sent; never reused. */
export class Ids {
  #next = 1;
  readonly #byNode = new WeakMap<Node, Entry>();
  readonly #byId = new Map<number, Entry>();

  /** The id that the next node will get. */
  get next(): number {
    return this.#next;
  }

  add(node: Node, parent: Entry | null): Entry {
    const entry = new Entry(this.#next++, node, parent);
    this.#byNode.set(node, entry);
    this.#byId.set(entry.id, entry);
    return entry;
  }

  of(node: Node): Entry | undefined {
    return this.#byNode.get(node);
  }

  get(id: number): Entry | undefined {
    return this.#byId.get(id);
  }

  /** Removes the ids of a subtree, except of nodes that have been moved out of it. */
  release(root: Entry, onShadow: (root: ShadowRoot) => void): void {
    const stack = [root];
    for (let entry = stack.pop(); entry; entry = stack.pop()) {
      for (const child of entry.children) if (child.parent === entry) stack.push(child);
      if (entry.shadow) {
        stack.push(entry.shadow);
        onShadow(entry.shadow.node as ShadowRoot); // the node of a shadow entry is a shadow root
      }
      this.#byNode.delete(entry.node);
      this.#byId.delete(entry.id);
      entry.id = 0;
      entry.parent = null;
      entry.children = NO_CHILDREN;
      entry.shadow = null;
    }
  }
}
