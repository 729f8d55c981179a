/** Anything that holds a tree of its own. */
export type Root = Document | ShadowRoot;

/**
 * Writes down what the kernel sees, in the order in which it is called. There is one per frame at most. Between `begin` and `end`
 * no script of the page runs. `open`, records and `leave`, `close` make one run of new siblings in preorder, ids counting up from
 * `first`; every element and every shadow root is left once, after its children, with the number of children written.
 */
export interface Recorder {
  /** Number of the last batch handed over in this epoch. */
  readonly seq: number;
  /** A new epoch: forget everything. */
  begin(epoch: number): void;
  /** Asked when the document's own children have changed: true when it is another kind of document now, and so a new epoch. */
  outdated(): boolean;
  /** New siblings follow, to stand before the node `before` (0: at the end) of `parent`. */
  open(parent: number, before: number, first: number): void;
  /** `hosts`: a shadow root follows. */
  element(element: Element, id: number, hosts: boolean): void;
  text(text: CharacterData, id: number): void;
  shadow(root: ShadowRoot, id: number): void;
  leave(children: number): void;
  close(): void;
  /** Asked when nodes have changed: true to have that written before the page does anything else. */
  isUrgent(): boolean;
  /** Asked after each record: true to have the run closed here and go on in another. */
  full(): boolean;
  move(id: number, parent: number, before: number): void;
  /** These subtrees are gone, and their ids with them. */
  remove(ids: readonly number[]): void;
  /** An attribute has changed, or is gone. */
  attribute(element: Element, id: number, name: string, namespace: string | null): void;
  /** The text of a text node has changed. */
  data(text: CharacterData, id: number): void;
  /** The content of an element whose content is not part of the tree (a style, a script) has changed. */
  content(element: Element, id: number): void;
  /** Everything that this flush has to say has been said. */
  end(): void;
}

/** What a recorder steers its kernel with. */
export interface Recording {
  /** While held, changes are remembered and nothing is written. */
  hold(held: boolean): void;
  /** Begins a new epoch with the next flush. */
  restart(): void;
}

/**
 * The one traversal of a surrogate document that all page halves of a frame share: node ids, roots, change observation, flushes.
 */
export interface Kernel {
  /** The life of this document in its frame: a random integer; changes on a resync. */
  readonly epoch: number;
  /** The id of a node that has been sent, or 0: ids are never given out by asking. */
  idOf(node: Node): number;
  /** The node of an id, while it is part of the page. */
  nodeOf(id: number): Node | undefined;
  /** An element's shadow root, open or closed. */
  shadowOf(element: Element): ShadowRoot | null;
  /** The document and every shadow root that has been sent, in order of appearance. */
  roots(): Iterable<Root>;
  /** Asks for a flush in a task of its own, soon: what the page changes until then is part of it. */
  schedule(): void;
  /** Writes what has changed, at once. */
  flush(): void;
  /** @throws AppError `already-recorded`. */
  record(recorder: Recorder): Recording;
  /**
   * Listens, capturing, in the document and in every shadow root, so that events that do not leave their root are heard too; those
   * that do are heard more than once. The page cannot notice or stop it. Answers with its undo.
   */
  listen(type: string, listener: (event: Event) => void): () => void;
  /** Runs in every flush after the tree has been written; for state that no observer reports. Answers with its undo. */
  onFlush(collect: () => void): () => void;
  /** Runs at most 10 times a second while the page is visible; for polled state. Answers with its undo. */
  onPoll(poll: () => void): () => void;
  /** The epoch and number of the last batch handed to the host. */
  position(): { readonly epoch: number; readonly seq: number };
}
