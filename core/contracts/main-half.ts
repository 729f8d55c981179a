/**
 * A connection between the two worlds of one document: that of the page halves and the page's own, where main halves replace functions of
 * the page. It uses an element that is in no tree and that the page cannot reach. Data from the page's world is as untrusted as the page.
 */
export interface Line {
  /** Sends to the other world, synchronously; `bytes` are copied. Returns false when there is no listener there. */
  send(name: string, text: string, bytes?: Uint8Array): boolean;
  /** Listens for messages from the other world. Returns a function that removes the listener. */
  on(name: string, listener: LineListener): () => void;
}

/** Hears a message, with its bytes where it has some. */
export type LineListener = (text: string, bytes?: Uint8Array) => void;

/** A main half exports `activate`. It lives as long as the document. Where the line has no listener, it does not change calls. */
export type ActivateMain = (line: Line) => void;

/** A call made by the page. `native` performs the original call. */
export interface PageCall {
  readonly self: unknown;
  readonly args: readonly unknown[];
  /** With other arguments, if given. */
  native(args?: readonly unknown[]): unknown;
}
