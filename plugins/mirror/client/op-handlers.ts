import type { ClientOpName, KindsOf, OP, OpWith } from '../op-table.ts';

/** Ops that few pages use: the first one loads the module of their handlers (rare-ops.ts). */
export type RareName = 'top' | 'states' | 'validity' | 'assign' | 'highlight' | 'transition' | 'refer';
/** All other ops except the long ones, which are applied in slices from their streams. */
export type CommonName = Exclude<ClientOpName, RareName | 'insert' | 'remove'>;

declare const INDEX: unique symbol;
/** A field that is the index of a text. It is not a number to a handler, which must read the text. */
export interface TextIndex {
  readonly [INDEX]: true;
}
/** Returns the text of a field, or undefined for none. @throws RangeError when the index is unknown. */
export type ReadText = (index: TextIndex) => string | undefined;

/** Ops that are applied to elements: the first field of each is an element's id. */
type ElementName = { [N in ClientOpName]: KindsOf<N>[0] extends 'element' ? N : never }[ClientOpName];

/** Handlers of ops by code; none may be missing. One that returns a promise resolves when the document may be changed further. */
export interface OpHandlers<N extends ClientOpName> {
  readonly elements: {
    readonly [K in N & ElementName as (typeof OP)[K]]: (
      element: Element,
      op: OpWith<TextIndex, K>,
      text: ReadText,
    ) => Promise<void> | undefined | void;
  };
  readonly others: {
    readonly [K in Exclude<N, ElementName> as (typeof OP)[K]]: (
      op: OpWith<TextIndex, K>,
      text: ReadText,
    ) => Promise<void> | undefined | void;
  };
}
