/**
 * A line between the two worlds of one document: that of the page halves, and the page's own, where main halves stand in for what the
 * page calls. It runs over an element that is in no tree and that the page never gets hold of. Whatever comes from the page's world is
 * as untrusted as the page.
 */
export interface Line {
  /** Tells the other world, at once; false when nobody there listens. */
  send(name: string, text: string): boolean;
  /** Listens to the other world. Answers with its undo. */
  on(name: string, listener: (text: string) => void): () => void;
}

/** A main half exports `activate`. It stays for as long as the document: where nobody listens on the line it leaves calls alone. */
export type ActivateMain = (line: Line) => void;

/** A call of the page: `native` makes it as it would have been made. */
export interface PageCall {
  readonly self: unknown;
  readonly args: readonly unknown[];
  /** With other arguments, where they are given. */
  native(args?: readonly unknown[]): unknown;
}
