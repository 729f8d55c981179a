import { ONLY_WRITER, OP, OPS } from '../../op-table.ts';
import type { OpName, PageOpName } from '../../op-table.ts';

/** An op: its name, the kinds of its fields, and whether only the host writes it. */
type Operation = { readonly kinds: readonly string[] } & (
  | { readonly name: PageOpName; readonly isHosts: false }
  | { readonly name: Exclude<OpName, PageOpName>; readonly isHosts: true }
);

/** All ops by code. */
export const OPERATIONS: ReadonlyMap<number, Operation> = new Map(
  Object.entries(OPS).map(([name, kinds]) => {
    const isHosts = (ONLY_WRITER as Readonly<Record<string, string>>)[name] === 'host'; // few have one
    return [OP[name as OpName], { name, kinds: kinds.split(' '), isHosts } as Operation]; // as in the table
  }),
);
