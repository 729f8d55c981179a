import type { AddressContext } from './addresses.ts';
import { sanitizeFragment } from './css.ts';

const MAX_DEPTH = 12;
const KEY = /^[\w-]{1,100}$/;

/**
 * The safe form of an `animate` op's JSON: whatever it says, every string in it is sanitized as a CSS value and every key is a name.
 * Text that is no JSON, or too deep, becomes `null`.
 */
export function safeAnimations(json: string, context: AddressContext): string {
  try {
    return JSON.stringify(safe(JSON.parse(json), context, 0));
  } catch {
    return 'null';
  }
}

function safe(value: unknown, context: AddressContext, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('too deep');
  if (typeof value === 'string') return sanitizeFragment(value, context);
  if (Array.isArray(value)) return value.map((item) => safe(item, context, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => KEY.test(key) && key !== '__proto__')
      .map(([key, item]) => [key, safe(item, context, depth + 1)]),
  );
}
