import * as v from 'valibot';
import { HELPER_METHODS } from '../../contracts/cross-origin-frame.ts';

/** Interval of register messages from the helper until it gets an answer, in ms (S-137). */
export const REGISTER_MS = 200;

const id = v.pipe(v.number(), v.safeInteger());

/** Messages from the helper to the shell. */
const fromHelper = v.union([
  v.object({ kind: v.literal('register') }),
  v.object({ kind: v.literal('progress'), id, share: v.number() }),
  v.object({ kind: v.literal('load'), id, result: v.optional(v.unknown()) }),
  v.object({ kind: v.literal('error'), id, why: v.string() }),
]);
export type FromHelper = v.InferOutput<typeof fromHelper>;

/** Messages from the shell to the helper. The method is checked separately: an unknown one has its own report (S-143). */
const toHelper = v.union([
  v.object({ kind: v.literal('registered') }),
  v.object({ kind: v.literal('call'), id, method: v.string(), params: v.record(v.string(), v.unknown()) }),
]);
export type ToHelper = v.InferOutput<typeof toHelper>;

/** Parses a message: JSON text of a known kind, with its attached file; undefined for anything else (S-095). */
function parse<T>(schema: v.GenericSchema<unknown, T>, data: unknown): readonly [T, Blob | undefined] | undefined {
  const [text, file] = Array.isArray(data) ? (data as unknown[]) : [data];
  if (typeof text !== 'string') return undefined;
  try {
    return [v.parse(schema, JSON.parse(text)), file instanceof Blob ? file : undefined];
  } catch {
    return undefined;
  }
}

/** Parses a message of the helper; undefined for anything that is not JSON of a known kind (S-095). */
export const parseFromHelper = (data: unknown): FromHelper | undefined => parse(fromHelper, data)?.[0];
/** Parses a message of the shell with its attached file; undefined as above. */
export const parseToHelper = (data: unknown): readonly [ToHelper, Blob | undefined] | undefined =>
  parse(toHelper, data);

/** Whether the helper has this method. */
export function isHelperMethod(method: string): boolean {
  return (HELPER_METHODS as readonly string[]).includes(method);
}
