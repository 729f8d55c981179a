import { DOCUMENT_ID, ELEMENT_FLAGS, NAMESPACE, RECORD, SHADOW_FLAGS } from '../ops.ts';
import { createElement, setAttribute } from './allowlist.ts';
import { asElement, boxOf, nameOf, parentOf, read, shadowOf, typeOf, visit } from './dom.ts';
import type { Realm } from './realm.ts';
import type { Sheets } from './sheets.ts';
import type { Slice } from './slice.ts';
import type { Stream } from './stream.ts';

/** A container whose children are being read. */
interface Open {
  readonly node: Node;
  left: number;
}

/** Key of a node's id. The page cannot name it, and it costs less than a weak map. A node is never in two trees. */
const ID = Symbol();
type Known = Node & { [ID]?: number };

/** Number of records built between two checks of the clock. */
const RECORDS_PER_LOOK = 128;
/** Initial and minimum, then maximum number of records inserted before a layout; adapted to {@link LAYOUT_MS}. */
const PORTION = 6144;
const MOST_PORTION = 16384;
/** Target duration of a layout, in ms. */
const LAYOUT_MS = 24;
/** Time after the last insertion when the browser has surely laid it out, in ms. */
const SETTLED_MS = 100;
/** Frames per portion, as a power of two: the cost of a frame is not part of its layout. */
const FRAMES_PER_PORTION = 4;

/** The nodes of one document by id. Ops on unknown ids have no effect (M-100). */
export class Tree {
  readonly #realm: Realm;
  readonly #sheets: Sheets;
  readonly #nodes = new Map<number, Node>();
  /** Records since the document was last laid out. */
  #fresh = 0;
  #portion = PORTION;
  /** When the last insert op ended. */
  #insertedAt = 0;

  constructor(realm: Realm, sheets: Sheets) {
    this.#realm = realm;
    this.#sheets = sheets;
    this.#register(DOCUMENT_ID, realm.document);
    this.clear();
  }

  /** Number of nodes. */
  get size(): number {
    return this.#nodes.size;
  }

  /** Returns the node of an id. */
  node(id: number): Node | undefined {
    return this.#nodes.get(id);
  }

  /** Returns the node of an id. @throws RangeError when it is unknown: the op has no effect, and is only logged to the console. */
  known(id: number): Node {
    const node = this.#nodes.get(id);
    if (!node) throw new RangeError('unknown node');
    return node;
  }

  /** Returns the element of an id. */
  element(id: number): Element | undefined {
    return asElement(this.#nodes.get(id));
  }

  /** Returns the id of a node, or undefined if it has none. */
  idOf(node: Node): number | undefined {
    return (node as Known)[ID];
  }

  /** Empties the document, except for its doctype. */
  clear(): void {
    const { document } = this.#realm;
    const root = read(Document, document, 'documentElement') as Element | null;
    if (root) Node.prototype.removeChild.call(document, root);
  }

  /**
   * Builds the nodes of an insert op outside the document and inserts them together; yields when the slice is over. Large inserts, whose
   * layout would block the browser, are split into portions.
   *
   * @throws RangeError when the op is malformed.
   */
  *insert(stream: Stream, slice: Slice): Generator<undefined> {
    const parent = this.known(stream.next());
    const before = this.#nodes.get(stream.next());
    let id = stream.next();
    const { document } = this.#realm;
    const top = Document.prototype.createDocumentFragment.call(document);
    const stack: Open[] = [{ node: top, left: Infinity }];
    let last = asElement(parent);
    if (performance.now() - this.#insertedAt > SETTLED_MS) this.#fresh = 0;
    while (!stream.isAtEnd) {
      const code = stream.next();
      if (code === RECORD.shadow) {
        const node = this.#shadow(last, stream.next());
        this.#register(id++, node);
        stack.push({ node, left: stream.next() });
        continue;
      }
      let open = stack.at(-1);
      for (; open?.left === 0; open = stack.at(-1)) stack.pop();
      if (!open) return; // the first one never closes
      open.left--;
      let node: Node;
      if (code === RECORD.text) node = Document.prototype.createTextNode.call(document, stream.text());
      else if (code === RECORD.element) {
        node = last = this.#element(stream);
        if (nameOf(last) === 'iframe') this.#fresh += this.#portion >> FRAMES_PER_PORTION;
        const children = stream.next();
        if (children > 0) stack.push({ node, left: children });
      } else throw new RangeError('unknown record');
      this.#register(id++, node);
      if (canHold(open.node, node)) Node.prototype.appendChild.call(open.node, node);
      if (this.#fresh++ > this.#portion) {
        this.#place(parent, top, before);
        this.#layOut();
      }
      if (this.#fresh % RECORDS_PER_LOOK === 0 && slice.isOver) yield;
    }
    this.#place(parent, top, before);
    this.#insertedAt = performance.now();
  }

  /** Removes subtrees and their ids; yields when the slice is over. */
  *remove(stream: Stream, slice: Slice): Generator<undefined> {
    while (!stream.isAtEnd) {
      if (slice.isOver) yield;
      const id = stream.next();
      const node = this.#nodes.get(id);
      if (!node || id === DOCUMENT_ID) continue;
      this.#forget(node);
      const parent = parentOf(node);
      if (parent) Node.prototype.removeChild.call(parent, node);
    }
  }

  /** Moves a node, with its state if the browser supports it. */
  move(id: number, parentId: number, beforeId: number): void {
    const node = this.known(id);
    const parent = this.known(parentId);
    if (id === DOCUMENT_ID || !canHold(parent, node)) return;
    const before = this.#nodes.get(beforeId);
    const next = before && parentOf(before) === parent ? before : null;
    try {
      const type = asElement(parent) ? Element : DocumentFragment;
      type.prototype.moveBefore.call(parent, node, next);
    } catch {
      this.#place(parent, node, before); // not supported by the browser, or not between these places
    }
    this.#sheets.moved();
  }

  #element(stream: Stream): Element {
    const namespace = stream.next();
    const name = stream.text();
    const flags = stream.next();
    const attributes: string[] = [];
    let is: string | undefined;
    for (let count = stream.next(); count > 0; count--) {
      const attribute = stream.text();
      const value = stream.text();
      if (attribute === 'is') is = value;
      attributes.push(attribute, value);
    }
    if (namespace === NAMESPACE.html && !(flags & ELEMENT_FLAGS.undefined)) {
      if (is !== undefined) this.#realm.define(is, name);
      else if (name.includes('-')) this.#realm.define(name, undefined, (flags & ELEMENT_FLAGS.control) !== 0);
    }
    const element = createElement(this.#realm, namespace, name, is);
    for (let at = 0; at < attributes.length; at += 2) setAttribute(element, attributes[at] ?? '', attributes[at + 1]);
    this.#sheets.note(element, nameOf(element));
    return element;
  }

  /** Closed roots are open here, for hit tests. For an element that cannot have a shadow root, the content is kept out of the document. */
  #shadow(host: Element | undefined, flags: number): Node {
    try {
      if (host)
        return (
          shadowOf(host) ??
          Element.prototype.attachShadow.call(host, {
            mode: 'open',
            delegatesFocus: (flags & SHADOW_FLAGS.delegatesFocus) !== 0,
            slotAssignment: flags & SHADOW_FLAGS.manualSlots ? 'manual' : 'named',
          })
        );
    } catch {
      // Not supported on this element.
    }
    return Document.prototype.createDocumentFragment.call(this.#realm.document);
  }

  #place(parent: Node, node: Node, before: Node | undefined): void {
    if (!canHold(parent, node)) return;
    if (parent === this.#realm.document) {
      const root = asElement(node) ?? asElement(read(Node, node, 'firstChild'));
      if (!root) return;
      const old = read(Document, this.#realm.document, 'documentElement') as Element | null;
      if (old && old !== root) Node.prototype.removeChild.call(parent, old); // its remove op may come later
      Node.prototype.appendChild.call(parent, root);
      // WebKit does not show a root that is put into a document before the next change to its tree.
      const comment = Document.prototype.createComment.call(this.#realm.document, '');
      Node.prototype.removeChild.call(parent, Node.prototype.appendChild.call(parent, comment));
    } else Node.prototype.insertBefore.call(parent, node, before && parentOf(before) === parent ? before : null);
  }

  /** Forces a layout, as a part of the slice. */
  #layOut(): void {
    this.#sheets.commit();
    const root = read(Document, this.#realm.document, 'documentElement') as Element | null;
    const start = performance.now();
    if (root) boxOf(root);
    const fitting = (this.#fresh * LAYOUT_MS) / (performance.now() - start);
    this.#portion = Math.max(PORTION, Math.min(MOST_PORTION, fitting));
    this.#fresh = 0;
  }

  #register(id: number, node: Node): void {
    this.#nodes.set(id, node);
    (node as Known)[ID] = id;
  }

  #forget(top: Node): void {
    visit(top, (node) => {
      const id = this.idOf(node);
      if (id !== undefined && this.#nodes.get(id) === node) this.#nodes.delete(id);
      const element = asElement(node);
      if (element) this.#sheets.disown(element);
      else if (typeOf(node) === 11) this.#sheets.dropRoot(node as ShadowRoot); // no other fragment is in a tree
    });
  }
}

/** Text of style elements arrives only in sheets, sanitized; and documents hold no text. */
function canHold(parent: Node, child: Node): boolean {
  const element = asElement(parent);
  return element ? nameOf(element) !== 'style' : typeOf(parent) !== 9 || typeOf(child) !== 3;
}
