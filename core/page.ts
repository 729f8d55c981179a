/** Entry for page halves: the page kernel and what halves get of it. */
import type { Commands, Log } from './contracts/scope.ts';

export { message, nothing, validate } from './protocol/message.ts';
export type { Message, ParamsOf, ResultOf } from './protocol/message.ts';
export { AppError } from './protocol/errors.ts';

/** Anything that holds a tree of its own. */
export type Root = Document | ShadowRoot;

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
  /** Asks for a flush in the next microtask. */
  schedule(): void;
  /** Runs in every flush after the tree has been written; for state that no observer reports. Answers with its undo. */
  onFlush(collect: () => void): () => void;
  /** Runs at most 10 times a second while the page is visible; for polled state. Answers with its undo. */
  onPoll(poll: () => void): () => void;
  /** The epoch and number of the last batch handed to the host. */
  position(): { readonly epoch: number; readonly seq: number };
}

/** What a page half gets. Messages go to the host half of the same plugin. All of it is undone on disposal. */
export interface PageScope {
  readonly plugin: { readonly id: string };
  readonly commands: Commands;
  readonly kernel: Kernel;
  readonly log: Log;
  readonly signal: AbortSignal;
  onDispose(undo: () => void): void;
}

/** A page half exports `activate`. */
export type ActivatePage = (scope: PageScope) => void;
