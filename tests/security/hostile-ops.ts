import fc from 'fast-check';
import { OP, OPS } from '../../plugins/mirror/op-table.ts';
import type { OpName } from '../../plugins/mirror/op-table.ts';
import { DOCUMENT_ID, NO_STRING, RECORD } from '../../plugins/mirror/ops.ts';
import type { Batch, Op } from '../../plugins/mirror/ops.ts';
import { payload } from '../e2e/support/hostile-pages.ts';

/** Element names by namespace: HTML, SVG, MathML, other. */
const NAMES: readonly (readonly string[])[] = [
  'div a img form input iframe object embed script style link meta base video audio source track picture area map svg button details dialog select option textarea template canvas table tr td body head html frame frameset applet noscript portal x-a font-face SCRIPT x:script slot marquee title'.split(
    ' ',
  ),
  'svg a animate set use image feImage foreignObject script style rect g text handler mpath iframe SCRIPT discard title filter'.split(
    ' ',
  ),
  'math mi mtext maction annotation-xml mglyph script semantics style'.split(' '),
  'script iframe style a base x'.split(' '),
];
const KEYS =
  'href xlink:href src srcset srcdoc style action formaction data poster background onclick onload onerror ONMOUSEOVER xlink:onclick http-equiv content rel as target name id class type is sandbox allow ping attributeName to from values begin fill filter cursor mask popover open usemap code codebase xml:base nonce media shadowrootmode v-type autofocus value data-vitrine-frame data-vitrine-picture download width tabindex contenteditable slot loading language srclang list'.split(
    ' ',
  );

/**
 * Texts that could do harm somewhere: code, addresses that must not be requested, names that hide members, markup,
 * style.
 */
export function hostileTexts(canary: string): string[] {
  const code = payload('op');
  return [
    `javascript:${code}`,
    ` jAvA\tscript:${code}`,
    code,
    `vbscript:${code}`,
    `data:text/html,<script>${code}</script>`,
    `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='${code}'><image href='${canary}/in-svg'/></svg>`,
    `${canary}/address`,
    `${canary.slice('http:'.length)}/schemeless`,
    `${canary}/one 1x, ${canary}/two 2x`,
    `<script>${code}</script><img src=${canary}/markup onerror=${code}>`,
    `url(${canary}/url)`,
    `background:url(${canary}/style);cursor:url('${canary}/cursor'),auto`,
    `@import "${canary}/import";p{background:url(${canary}/sheet)}@font-face{font-family:x;src:url(${canary}/font)}*{font-family:x}`,
    `body{background:image-set("${canary}/set" 1x)}</style><script>${code}</script>`,
    `86400;url=${canary}/refresh`,
    `[{"property":"background-image","values":["url(${canary}/animation)"]}]`,
    '/c/i/tab.token',
    '/c/i/../../r/unpair',
    '/r/unpair',
    '#op',
    '_top',
    'href',
    'xlink:href',
    'onclick',
    'body',
    'documentElement',
    'adoptedStyleSheets',
    'constructor',
    '__proto__',
    'refresh',
    'stylesheet preload icon',
    'allow-scripts',
    'image',
    'email',
    'x-a',
    'manual',
    '0s',
    '',
    '\0\u2028\ud800',
  ];
}

/** A node to insert. */
type Grown =
  | { readonly text: number }
  | {
      readonly namespace: number;
      readonly name: number;
      readonly flags: number;
      readonly attributes: readonly (readonly [key: number, value: number])[];
      readonly shadow: readonly Grown[] | undefined;
      readonly children: readonly Grown[];
    };

type Step =
  | { readonly insert: readonly Grown[]; readonly at: number; readonly before: number }
  | { readonly op: number; readonly picks: readonly number[] }
  | { readonly key: number; readonly value: number; readonly on: number }
  | { readonly raw: Op };

/** Ops with their fields, except those that the writer below makes itself and the host's own. */
const FIELDS = Object.entries(OPS)
  .filter(([name]) => !['doc', 'insert', 'frame'].includes(name))
  .map(([name, kinds]) => [OP[name as OpName], kinds.split(' ')] as const); // the table's own names

/** Number of meaningful values of numeric fields, by kinds; offsets and units are small here. */
const SMALL: Readonly<Record<string, number>> = { flag: 2, kind: 3, mode: 3, relation: 8 };

const number = fc.nat({ max: 1000 });

const { node } = fc.letrec<{ node: Grown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ text: number }),
    fc.record({
      namespace: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat({ max: 3 })),
      name: number,
      flags: fc.nat({ max: 2 }).map((flag) => flag & 2),
      attributes: fc.array(fc.tuple(number, number), { maxLength: 4 }),
      shadow: fc.option(fc.array(tie('node'), { maxLength: 2 }), { nil: undefined, freq: 8 }),
      children: fc.array(tie('node'), { maxLength: 4 }),
    }),
  ),
}));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ insert: fc.array(node, { minLength: 1, maxLength: 3 }), at: number, before: number }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.nat({ max: FIELDS.length - 1 }),
      picks: fc.array(number, { minLength: 5, maxLength: 8 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ key: number, value: number, on: number }) },
);
const raw: fc.Arbitrary<Step> = fc
  .tuple(
    fc.nat({ max: Math.max(...Object.values(OP)) + 1 }),
    fc.array(fc.oneof(fc.integer({ min: -2, max: 40 }), fc.maxSafeInteger()), { maxLength: 20 }),
  )
  .map(([code, rest]) => ({ raw: [code, ...rest] }));

/**
 * Documents as a page half could send them, each as the batches of one epoch: hostile names, addresses and texts, in
 * every place of the grammar.
 *
 * @param malformed whether some ops do not fit the grammar; the host refuses the whole batch of one
 */
export function hostileDocument(texts: readonly string[], malformed: boolean): fc.Arbitrary<readonly Batch[]> {
  const steps = malformed ? fc.oneof({ weight: 12, arbitrary: step }, { weight: 1, arbitrary: raw }) : step;
  return fc
    .record({
      // Most are of one kind: a frame accepts those without loading an empty document first.
      mode: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat({ max: 2 })),
      kind: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat({ max: 2 })),
      root: fc.array(node, { maxLength: 4 }),
      later: fc.array(fc.array(steps, { maxLength: 8 }), { maxLength: 3 }),
      words: fc.array(fc.string({ maxLength: 12 }), { maxLength: 3 }),
    })
    .map(({ mode, kind, root, later, words }) => {
      const writer = new Writer([...texts, ...words]);
      writer.begin(mode, kind, root);
      for (const batch of later) writer.go(batch);
      return writer.batches;
    });
}

class Writer {
  readonly batches: Batch[] = [];
  readonly #texts: readonly string[];
  readonly #elements: number[] = [];
  #nextId = DOCUMENT_ID + 1;
  #strings: string[] = [];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  begin(mode: number, kind: number, root: readonly Grown[]): void {
    const address = this.#string('https://site.test/');
    const insert = [OP.insert, DOCUMENT_ID, 0, this.#nextId];
    if (kind === 2) insert.push(...this.#open(1, 'svg', root.length));
    else {
      insert.push(...this.#open(0, 'html', 2), ...this.#open(0, 'head', 0), ...this.#open(0, 'body', root.length));
    }
    for (const grown of root) this.#grow(insert, grown);
    this.#end([[OP.doc, mode, kind, address, address], insert]);
  }

  go(steps: readonly Step[]): void {
    this.#end(steps.map((each) => this.#op(each)));
  }

  #end(ops: readonly Op[]): void {
    this.batches.push({ epoch: 1, seq: this.batches.length + 1, more: false, strings: this.#strings, ops });
    this.#strings = [];
  }

  #op(given: Step): Op {
    if ('raw' in given) return given.raw;
    if ('insert' in given) {
      const op = [
        OP.insert,
        this.#element(given.at),
        given.before % 3 === 0 ? this.#element(given.before) : 0,
        this.#nextId,
      ];
      for (const grown of given.insert) this.#grow(op, grown);
      return op;
    }
    if ('key' in given)
      return [OP.attribute, this.#element(given.on), this.#string(pick(KEYS, given.key)), this.#text(given.value)];
    const [code, kinds] = pick(FIELDS, given.op);
    const last = kinds.at(-1) ?? '';
    const op: number[] = [code];
    given.picks.forEach((drawn, at) => {
      const kind = kinds[at] ?? (last.endsWith('*') ? last : undefined);
      if (kind !== undefined) op.push(this.#field(kind.replace('*', ''), drawn));
    });
    return op;
  }

  #field(kind: string, drawn: number): number {
    if (kind.startsWith('$')) return drawn % 9 === 0 ? NO_STRING : this.#text(drawn);
    switch (kind) {
      case 'id':
      case 'element':
        return drawn % 5 === 0 ? 1 + (drawn % this.#nextId) : this.#element(drawn);
      case 'maybe':
        return drawn % 4 === 0 ? 0 : this.#element(drawn);
      case 'any':
        return drawn * 97 - 4000;
      default:
        return drawn % (SMALL[kind] ?? 4);
    }
  }

  #grow(op: number[], grown: Grown): void {
    if ('text' in grown) {
      this.#nextId++;
      op.push(RECORD.text, this.#text(grown.text));
      return;
    }
    const { namespace, attributes, shadow, children } = grown;
    const name = pick(NAMES[namespace] ?? [], grown.name);
    op.push(...this.#open(namespace, name, children.length, (shadow ? 1 : 0) | grown.flags, attributes));
    if (shadow) {
      this.#nextId++;
      op.push(RECORD.shadow, grown.name % 8, shadow.length);
      for (const child of shadow) this.#grow(op, child);
    }
    for (const child of children) this.#grow(op, child);
  }

  #open(
    namespace: number,
    name: string,
    children: number,
    flags = 0,
    attributes: readonly (readonly [number, number])[] = [],
  ): number[] {
    const id = this.#nextId++;
    this.#elements.push(id);
    const pairs = attributes.flatMap(([key, value]) => [this.#string(pick(KEYS, key)), this.#text(value)]);
    return [RECORD.element, namespace, this.#string(name), flags, attributes.length, ...pairs, children];
  }

  #element(drawn: number): number {
    return drawn % 11 === 0 ? DOCUMENT_ID : pick(this.#elements, drawn);
  }

  #text(drawn: number): number {
    return this.#string(pick(this.#texts, drawn));
  }

  #string(text: string): number {
    const known = this.#strings.indexOf(text);
    return known >= 0 ? known : this.#strings.push(text) - 1;
  }
}

function pick<T>(from: readonly T[], drawn: number): T {
  return from[drawn % from.length] as T; // callers pass a list that is not empty
}
