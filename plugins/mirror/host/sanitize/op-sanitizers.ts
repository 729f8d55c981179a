import { OPERATIONS } from '../operations.ts';
import type { PageOpName, TextKind } from '../../op-table.ts';
import type { Op } from '../../ops.ts';
import { refused } from './grammar.ts';

/** Kinds of texts that mean the same wherever they stand: they have a rule each. */
export type RuledKind = '$text' | '$ident' | '$media' | '$css' | '$rules' | '$picture' | '$animations';

/** The rules: the index of the safe form of a text, in an op. */
export type TextRules<T> = Readonly<Record<RuledKind, (sanitizer: T, index: number, op: Op) => number>>;

/** Ops with texts of other kinds, whose meaning depends on their other fields. */
type OwnName = { [N in PageOpName]: TextKind<N> extends RuledKind ? never : N }[PageOpName];

type Own<T> = (sanitizer: T, op: Op) => void;

/** What is done with each op that page halves may send; those whose texts all have rules can go by them. */
export type OpSanitizers<T> = { readonly [N in PageOpName]: N extends OwnName ? Own<T> : Own<T> | 'by-fields' };

/** Where an op has texts: places and kinds, and what all fields from the last on are, if they are texts. */
interface Texts {
  readonly places: readonly (readonly [at: number, kind: RuledKind])[];
  readonly from: number;
  readonly many: RuledKind | undefined;
}

const TEXTS: ReadonlyMap<number, Texts> = new Map(
  [...OPERATIONS].map(([code, { kinds }]) => {
    const texts = kinds.flatMap((kind, at) => (kind.startsWith('$') ? [[at + 1, kind as RuledKind] as const] : [])); // of ops that go by their fields, all are
    const many = kinds.at(-1)?.endsWith('*') ? texts.find(([at]) => at === kinds.length) : undefined;
    const places = texts.filter((each) => each !== many);
    return [code, { places, from: kinds.length, many: many?.[1].slice(0, -1) as RuledKind | undefined }];
  }),
);

/** The safe form of an op that goes by its fields: numbers as they are, texts by their rules. */
export function byFields<T>(sanitizer: T, op: Op, rules: TextRules<T>): number[] {
  const out = [...op];
  const texts = TEXTS.get(op[0] ?? 0);
  if (!texts) throw refused('an op is unknown');
  const { places, from, many } = texts;
  for (const [at, kind] of places) out[at] = rules[kind](sanitizer, op[at] as number, op); // as checked
  if (many) for (let at = from; at < op.length; at++) out[at] = rules[many](sanitizer, op[at] as number, op);
  return out;
}
