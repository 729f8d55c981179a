import { textDiff } from '../shared/text-diff.ts';
import type { Patch } from '../protocol.ts';

/**
 * Finds in a text what a patch replaces: offset in UTF-16 units, undefined where it is not there. The text around may have changed, as far as
 * S-161 has it; what is replaced may not. Linear in the text.
 */
export function locate(text: string, { at, before, old, after }: Patch, shift: number): number | undefined {
  const head = (before + old + after).slice(0, textDiff.Match_MaxBits);
  if (head === '') return undefined;
  const found = textDiff.match_main(text, head, at + shift);
  if (found === -1) return undefined;
  const there = text.slice(found, found + head.length);
  const place = there === head ? before.length : textDiff.diff_xIndex(textDiff.diff_main(head, there), before.length);
  return text.startsWith(old, found + place) ? found + place : undefined;
}
