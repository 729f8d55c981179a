import { asElement, parentOf, read } from './dom.ts';
import type { Tree } from './tree.ts';

/**
 * Nodes that the browser itself puts into rich text while an input method composes where there is no text yet, and those of the page that
 * it takes out for them.
 */
export class StrangeNodes {
  readonly #tree: Tree;
  readonly #observer: MutationObserver;
  readonly #records: MutationRecord[] = [];

  constructor(root: Element, tree: Tree) {
    this.#tree = tree;
    this.#observer = new MutationObserver((records) => void this.#records.push(...records));
    this.#observer.observe(root, { childList: true, subtree: true });
  }

  /** Takes them out again, and puts back the page's. */
  undo(): void {
    const records = [...this.#records, ...this.#observer.takeRecords()];
    this.#observer.disconnect();
    for (const { target, addedNodes, removedNodes, nextSibling } of records.reverse()) {
      for (const node of addedNodes) if (!this.#isKnown(node)) asElement(parentOf(node))?.removeChild(node);
      for (const node of removedNodes)
        if (this.#isKnown(node) && !read(Node, node, 'isConnected'))
          target.insertBefore(node, nextSibling && parentOf(nextSibling) === target ? nextSibling : null);
    }
  }

  #isKnown(node: Node): boolean {
    const id = this.#tree.idOf(node);
    return id !== undefined && this.#tree.node(id) === node;
  }
}
