import { OPERATIONS } from './operations.ts';
import type { PageOpName, TextKind } from '../../op-table.ts';
import type { Op } from '../../ops.ts';

/** Kinds of texts that mean the same wherever they stand: they have a rule each. */
type RuledKind = '$text' | '$ident' | '$media' | '$css' | '$rules' | '$picture' | '$animations';

/** The rules: the index of the safe form of a text, in an op. */
export type TextRules<T> = Readonly<Record<RuledKind, (sanitizer: T, index: number, op: Op) => number>>;

/** Ops with texts of other kinds, whose meaning depends on their other fields. */
type OwnName = { [N in PageOpName]: TextKind<N> extends RuledKind ? never : N }[PageOpName];

/** Writes the safe form of an op that has passed the check, if it has one. */
type OpSanitizer<T> = (sanitizer: T, op: Op) => void;

/** What is done with each op that page halves may send; those whose texts all have rules can go by them. */
export type OpSanitizers<T> = {
  readonly [N in PageOpName]: N extends OwnName ? OpSanitizer<T> : OpSanitizer<T> | 'by-fields';
};

/** The sanitizers by the codes of their ops; `write` is for those that go by their fields. */
export function byCode<T>(
  sanitizers: OpSanitizers<T>,
  rules: TextRules<T>,
  write: (sanitizer: T, op: number[]) => void,
): readonly (OpSanitizer<T> | undefined)[] {
  const list: (OpSanitizer<T> | undefined)[] = [];
  for (const [code, { name, kinds, isHosts }] of OPERATIONS) {
    if (isHosts) continue;
    const sanitizer = sanitizers[name];
    list[code] = sanitizer === 'by-fields' ? byFields(kinds, rules, write) : sanitizer;
  }
  return list;
}

/** Takes numbers as they are, and texts by their rules. */
function byFields<T>(
  kinds: readonly string[],
  rules: TextRules<T>,
  write: (sanitizer: T, op: number[]) => void,
): OpSanitizer<T> {
  // By the types of the table, an op that goes by its fields has texts of these kinds alone.
  const texts = ['', ...kinds].map((kind) =>
    kind.startsWith('$') ? rules[kind.replace('*', '') as RuledKind] : undefined,
  );
  const last = texts.length - 1;
  if (!texts.some(Boolean)) return (sanitizer, op) => write(sanitizer, [...op]);
  return (sanitizer, op) => {
    const out: number[] = [];
    for (let at = 0; at < op.length; at++) {
      const rule = texts[at < last ? at : last];
      const field = op[at] as number; // below the op's length
      out.push(rule ? rule(sanitizer, field, op) : field);
    }
    write(sanitizer, out);
  };
}
