import { OPERATIONS } from './operations.ts';
import type { PageOpName, TextKind } from '../../op-table.ts';
import type { Op } from '../../ops.ts';

/** Kinds of texts whose meaning does not depend on other fields: each has a rule. */
type RuledKind = '$text' | '$ident' | '$media' | '$css' | '$rules' | '$picture' | '$animations';

/** The rules: each returns the index of the sanitized text. */
export type TextRules<T> = Readonly<Record<RuledKind, (sanitizer: T, index: number, op: Op) => number>>;

/** Ops with texts of other kinds, whose meaning depends on their other fields. */
type OwnName = { [N in PageOpName]: TextKind<N> extends RuledKind ? never : N }[PageOpName];

/** Writes the sanitized form of an op that has passed the check, if it has one. */
type OpSanitizer<T> = (sanitizer: T, op: Op) => void;

/** Sanitizers of all ops that page halves may send; ops whose texts all have rules may be sanitized by their fields. */
export type OpSanitizers<T> = {
  readonly [N in PageOpName]: N extends OwnName ? OpSanitizer<T> : OpSanitizer<T> | 'by-fields';
};

/** Returns the sanitizers by op code; `write` receives the ops that are sanitized by their fields. */
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

/** Copies numbers, and sanitizes texts by their rules. */
function byFields<T>(
  kinds: readonly string[],
  rules: TextRules<T>,
  write: (sanitizer: T, op: number[]) => void,
): OpSanitizer<T> {
  // By the types of the table, an op that is sanitized by its fields has only texts of these kinds.
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
