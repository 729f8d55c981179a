/** A root of a node tree. */
export type Root = Document | ShadowRoot;

/**
 * Records what the kernel observes, in call order. There is at most one per frame. No script of the page runs between `begin` and `end`.
 * `open`, records and `leave`, `close` form one run of new siblings in preorder, with ids counting up from `first`. Each element and each
 * shadow root is left once, after its children, with the number of children written.
 */
export interface Recorder {
  /** Number of the last batch sent in this epoch. */
  readonly seq: number;
  /** Starts a new epoch: discard all state. */
  begin(epoch: number): void;
  /**
   * Called when the document's own children have changed. Returns true when it is a different kind of document now and needs a new epoch.
   */
  outdated(): boolean;
  /** New siblings follow. They are inserted before the node `before` of `parent` (0: at the end). */
  open(parent: number, before: number, first: number): void;
  /** `hosts`: a shadow root follows. */
  element(element: Element, id: number, hosts: boolean): void;
  text(text: CharacterData, id: number): void;
  shadow(root: ShadowRoot, id: number): void;
  leave(children: number): void;
  close(): void;
  /** Called when nodes have changed. Returns true to have the changes written before the page continues. */
  isUrgent(records: readonly MutationRecord[]): boolean;
  /** Called after each record. Returns true to close the run here and continue in another. */
  full(): boolean;
  move(id: number, parent: number, before: number): void;
  /** These subtrees were removed; their ids are no longer valid. */
  remove(ids: readonly number[]): void;
  /** An attribute was changed or removed. */
  attribute(element: Element, id: number, name: string, namespace: string | null): void;
  /** The text of a text node has changed. */
  data(text: CharacterData, id: number): void;
  /** The content of an element whose content is not part of the tree (a style, a script) has changed. */
  content(element: Element, id: number): void;
  /** Called at the end of a flush. */
  end(): void;
}

/** Control of the kernel by its recorder. */
export interface Recording {
  /** While held, changes are remembered and nothing is written. */
  hold(held: boolean): void;
  /** Starts a new epoch with the next flush. */
  restart(): void;
}

/**
 * The one traversal of a surrogate document that all page halves of a frame share: node ids, roots, change observation, flushes.
 */
export interface Kernel {
  /** Identifies this document's lifetime in its frame: a random integer that changes on a resync. */
  readonly epoch: number;
  /** The id of a node that has been sent, or 0. A query never assigns an id. */
  idOf(node: Node): number;
  /** The node of an id, while it is part of the page. */
  nodeOf(id: number): Node | undefined;
  /** An element's shadow root, open or closed. */
  shadowOf(element: Element): ShadowRoot | null;
  /** The document and every shadow root that has been sent, in order of appearance. */
  roots(): Iterable<Root>;
  /** Requests a flush in a separate task, soon. Changes that the page makes before then are included. */
  schedule(): void;
  /** Writes all changes immediately. */
  flush(): void;
  /** @throws AppError `already-recorded`. */
  record(recorder: Recorder): Recording;
  /**
   * Adds a capturing listener to the document and to every shadow root. Events that do not leave their root are received too; events that
   * do are received more than once. The page cannot detect or stop it. Returns a function that removes the listener.
   */
  listen(type: string, listener: (event: Event) => void): () => void;
  /**
   * Registers a callback for shortcuts of the browser, such as `mod+f`, `mod+shift+g` or `f3` (`mod`: Ctrl, or Command). The page comes
   * first: it is called when the page has received the key and has not prevented its default. Returns its undo function.
   */
  onShortcut(shortcuts: readonly string[], press: (shortcut: string, isRepeat: boolean) => void): () => void;
  /**
   * Registers a callback that runs in every flush after the tree has been written, for state that no observer reports. Returns its undo
   * function.
   */
  onFlush(collect: () => void): () => void;
  /** Registers a callback that runs at most 10 times a second while the page is visible, for polled state. Returns its undo function. */
  onPoll(poll: () => void): () => void;
  /** The epoch and number of the last batch sent to the host. */
  position(): { readonly epoch: number; readonly seq: number };
}
