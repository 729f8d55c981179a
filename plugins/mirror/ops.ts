/**
 * The mirror's op grammar, shared by the page half (writes), the host half (checks, rewrites) and the client half (applies).
 *
 * A batch is `{epoch, seq, more, strings, ops}`. Every op is an array of integers: its code, then the fields that op-table.ts lists. A
 * string is given by its index in `strings`, or -1 for none.
 *
 * The stream of `insert`, in preorder:
 * ```
 * element   1 namespace name:str flags attributes (name:str value:str)*attributes children   then its shadow root, then its children
 * text      2 text:str
 * shadow    3 flags children                     only right after an element whose flags say so; not counted as its child
 * ```
 * Every record takes a number, shadow records too. An insert whose stream is one shadow record with its subtree attaches a shadow
 * root to an element that was sent without one (`parent`; `before` is 0). The content of script, style, noscript and iframe elements
 * is never part of the stream: the text of a style travels in its sheet op.
 */
export { OP } from './op-table.ts';

/** Record codes of the stream of an insert op. */
export const RECORD = { element: 1, text: 2, shadow: 3 } as const;

/** Namespaces of elements. */
export const NAMESPACE = { html: 0, svg: 1, mathml: 2, other: 3 } as const;
/** Namespace addresses by their number. */
export const NAMESPACE_URI = [
  'http://www.w3.org/1999/xhtml',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
  '',
] as const;

/** Joins the local name of an element of another namespace with the address of the namespace, which may be empty, for the stream. */
export function joinName(name: string, uri: string): string {
  return uri === '' ? name : `${name} ${uri}`;
}

/** Splits the result of {@link joinName}. */
export function splitName(joined: string): [name: string, uri: string] {
  const at = joined.indexOf(' ');
  return at < 0 ? [joined, ''] : [joined.slice(0, at), joined.slice(at + 1)];
}

/** Bits of an element record. */
export const ELEMENT_FLAGS = {
  /** A shadow record follows. */
  shadow: 1,
  /** A custom element (autonomous or built-in) that is not defined (yet): `:defined` does not match. */
  undefined: 2,
  /** A custom element that is defined as a form control: `:enabled`, `:valid` and the like match. */
  control: 4,
} as const;

/** Bits of a shadow record. */
export const SHADOW_FLAGS = { closed: 1, delegatesFocus: 2, manualSlots: 4 } as const;

/** Compatibility modes of a document, by number. */
export const MODES = ['standards', 'limited-quirks', 'quirks'] as const;
export type Mode = (typeof MODES)[number];
/** Kinds of document, by number. */
export const DOCUMENT_KINDS = ['html', 'xhtml', 'svg'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Where the text of a sheet op comes from: nothing, the element's text, the address in `text`, or rules that script has changed. */
export const SHEET_SOURCE = { none: 0, inline: 1, address: 2, rules: 3 } as const;

/** Kinds of the top op. */
export const TOP_LAYER = { none: 0, modal: 1, popover: 2, fullscreen: 3 } as const;

/** Phases of a view transition. */
export const TRANSITION = { over: 0, started: 1, changed: 2 } as const;

/** Kinds of highlights, by number. */
export const HIGHLIGHT_KINDS = ['highlight', 'spelling-error', 'grammar-error'] as const;

/** Scroll offsets travel as integers: CSS px times this. */
export const SCROLL_SCALE = 64;
/** Id of the document node in every frame. */
export const DOCUMENT_ID = 1;
/** Attribute that holds three times the font size of text whose family is `monospace` alone, as a CSS length. */
export const MONOSPACE_ATTRIBUTE = 'v-monospace';
/** Attribute of number inputs that holds the width as a CSS length, where the page leaves it to the browser. */
export const LENGTH_ATTRIBUTE = 'v-length';
/** Id of the host's own constructed sheet, which a document adopts first. */
export const HOST_SHEET = 0;
/** Index that stands for no string. */
export const NO_STRING = -1;
/** Target size of one batch, in UTF-16 units of its JSON: the page half starts a new batch past it. */
export const BATCH_UNITS = 256 * 1024;
/** Length of an append in UTF-16 units past which it becomes a sheet of its own: its rules need not be parsed one by one. */
export const OWN_SHEET_UNITS = 64 * 1024;
/** Largest node id. */
export const MAX_NODE_ID = 0x7fffffff;

/** One op: its code, then its integers. */
export type Op = readonly number[];

/** Changes of one flush of a frame, or a part of them. */
export interface Batch {
  /** Identifies the life of one document in its frame: a random integer. */
  readonly epoch: number;
  /** 1, 2, 3, ... within the epoch. Ops that the host adds (`frame`, late sheets) repeat the number of the last batch. */
  readonly seq: number;
  /** True when the same flush goes on in the next batch. */
  readonly more: boolean;
  readonly strings: readonly string[];
  readonly ops: readonly Op[];
}

/** Structural check of a batch: integers and strings in their places. The receiver checks the meaning of the ops. */
export function isBatch(value: unknown): value is Batch {
  if (typeof value !== 'object' || value === null) return false;
  const batch = value as Partial<Record<keyof Batch, unknown>>; // every field is checked below
  return (
    Number.isSafeInteger(batch.epoch) &&
    Number.isSafeInteger(batch.seq) &&
    (batch.seq as number) > 0 &&
    typeof batch.more === 'boolean' &&
    Array.isArray(batch.strings) &&
    batch.strings.every((text) => typeof text === 'string') &&
    Array.isArray(batch.ops) &&
    batch.ops.every((op) => Array.isArray(op) && op.length > 0 && op.every((n) => Number.isSafeInteger(n)))
  );
}
