/** Codes of the ops. */
export const OP = {
  doc: 1,
  insert: 2,
  remove: 3,
  move: 4,
  attribute: 5,
  text: 6,
  sheet: 7,
  define: 8,
  adopt: 9,
  value: 10,
  checked: 11,
  selected: 12,
  scroll: 13,
  focus: 14,
  top: 15,
  states: 16,
  defined: 17,
  picture: 18,
  canvas: 19,
  selection: 20,
  validity: 21,
  frame: 22,
  base: 23,
  animate: 24,
  caret: 25,
  append: 26,
  assign: 27,
  highlight: 28,
  target: 29,
  splice: 30,
  transition: 31,
  refer: 32,
} as const;

/**
 * Table of mirror operations: the one definition of the fields of each op. The grammar check, the string table, sanitizing, the ops
 * that the host writes and dispatch in the client are derived from its types or its words; an op that one of them lacks does not
 * compile.
 *
 * Each op lists its fields in order, one word each: the kind of the field. `$` marks an index into the strings of the batch, or -1 for
 * none; `*` stands for any number of fields, and is the last. Node ids are positive integers, unique within (frame, epoch), never
 * reused; the document itself is id 1.
 *
 * Kinds of numbers: `id` of a node or sheet; `element`: the same, but the client applies the op to elements only; `maybe`: an id, or 0
 * for none. The ranges of all kinds are in host/sanitize/grammar.ts, the treatment of texts in host/sanitize/op-sanitizers.ts.
 */
export const OPS = {
  /** Mode, kind, address, base, still: first op of every epoch (also of a resync): removes all nodes of the frame; 1: runs no scripts. */
  doc: 'mode kind $page $base flag*',
  /** Parent, before, first: the nodes of the stream (ops.ts), numbered from `first` in preorder; before 0: at the end. */
  insert: 'id maybe id stream*',
  /** Removes subtrees, with all their ids. */
  remove: 'id*',
  /** Node, parent, before. */
  move: 'id id maybe',
  /** A value of -1 removes; names are qualified (`xlink:href`). */
  attribute: 'element $name $value',
  text: 'id $text',
  /** The style sheet of a style, link or processing instruction element; 1: disabled. */
  sheet: 'element source $sheet $media flag',
  /** Content of a constructed sheet; sheets have ids of their own. */
  define: 'id $css $media flag',
  /** All adopted sheets of a document (1) or shadow root, in order. */
  adopt: 'id id*',
  /** Current value of a form control, where it differs from its attributes. */
  value: 'element $text',
  /** 1 checked, 2 indeterminate. */
  checked: 'element bits',
  /** Selected options of a select, by index. */
  selected: 'element index*',
  /** X and y in CSS px times 64; id 1 is the document's own scroll. */
  scroll: 'id any any',
  /** 0: nothing has the focus; 1: `:focus-visible` matches. */
  focus: 'maybe flag',
  /** Enters the top layer (1 modal dialog, 2 popover, 3 fullscreen), 0 leaves it. */
  top: 'element bits',
  /** Custom states (`:state()`). */
  states: 'element $ident*',
  /** Whether a custom element is defined: 1, and 2 when it is a form control, too. */
  defined: 'element bits',
  /** Resolved address of the picture that an image, canvas, video, object or embed shows now. */
  picture: 'element $picture',
  /** Width and height of a canvas. */
  canvas: 'element size size',
  /** Anchor and focus of the document's selection, each with its offset; anchor 0: none. */
  selection: 'maybe offset maybe offset',
  /** Custom validity message of a control, also of a custom element; empty: valid. */
  validity: 'element $text',
  /** The nested frame that an element shows. */
  frame: 'element id',
  /** The document's base address has changed. */
  base: '$base',
  /** Animations of an element (animations.ts describes the text); for id 1: all others have ended. */
  animate: 'id $animations',
  /** Selection within the focused text control, in UTF-16 units. */
  caret: 'element offset offset',
  /** Rules appended to the sheet of an element: added by script, or a part of a long sheet. */
  append: 'element $rules',
  /** Nodes that script has assigned to a slot of a shadow root with manual slot assignment. */
  assign: 'element id*',
  /** Name, priority, kind, (anchor offset focus offset)*: a custom highlight (`::highlight()`); without ranges it is removed. */
  highlight: '$ident any kind offset*',
  /** The element that `:target` matches; 0: none. */
  target: 'maybe',
  /** Start, deleted, length, text: replaces a part of the last value from the surrogate, which was `length` UTF-16 units long. */
  splice: 'element units units units $text',
  /** Phase and types of a view transition: 1 before the change, 2 after the change, 0 finished. */
  transition: 'kind $ident*',
  /** Elements that script has set for an ARIA relation (relations.ts); without any, the attribute applies. */
  refer: 'element relation id*',
} as const satisfies Readonly<Record<keyof typeof OP, string>>;

/** Name of an op. */
export type OpName = keyof typeof OPS;

/** Ops that only one side writes. Page halves write all others; the host passes them on and may add its own. */
export const ONLY_WRITER = { frame: 'host', base: 'page' } as const satisfies Partial<Record<OpName, 'host' | 'page'>>;
type WrittenOnlyBy<W> = {
  [N in keyof typeof ONLY_WRITER]: (typeof ONLY_WRITER)[N] extends W ? N : never;
}[keyof typeof ONLY_WRITER];

/** Ops that page halves may send. */
export type PageOpName = Exclude<OpName, WrittenOnlyBy<'host'>>;
/** Ops that the client may receive. */
export type ClientOpName = Exclude<OpName, WrittenOnlyBy<'page'>>;

type Split<T extends string> = T extends `${infer First} ${infer Rest}`
  ? readonly [First, ...Split<Rest>]
  : readonly [T];
/** The kinds of an op's fields in order; the last may end in `*`. */
export type KindsOf<N extends OpName> = Split<(typeof OPS)[N]>;
/** Any kind of field of an op. */
type KindOf<N extends OpName> = KindsOf<N>[number] extends infer K ? (K extends `${infer Many}*` ? Many : K) : never;
/** Kinds of fields that are texts. */
export type TextKind<N extends OpName = OpName> = Extract<KindOf<N>, `$${string}`>;
/** Kinds of fields that are numbers. */
export type NumberKind = Exclude<KindOf<OpName>, TextKind>;

/** Fields of an op, with T for texts. */
type Fields<W, T> = W extends readonly [infer K, ...infer Rest]
  ? K extends `${infer Many}*`
    ? readonly Field<Many, T>[]
    : readonly [Field<K, T>, ...Fields<Rest, T>]
  : readonly [];
type Field<K, T> = K extends `$${string}` ? T : number;

/** An op with T for texts. */
export type OpWith<T, N extends OpName = OpName> = {
  [K in N]: readonly [code: (typeof OP)[K], ...Fields<KindsOf<K>, T>];
}[N];
/** An op as it is written, with its texts in place: null for none. */
export type SentOp = OpWith<string | null>;

/** Returns an op as numbers; `index` adds a text to the strings of the batch. */
export function encodeOp(op: SentOp, index: (text: string | null) => number): number[] {
  return (op as readonly (number | string | null)[]).map((field) => (typeof field === 'number' ? field : index(field))); // the only field types
}
