import { textDiff } from '../shared/text-diff.ts';
import { MOST_PATCHES } from '../protocol.ts';
import type { Patch } from '../protocol.ts';

type Made = ReturnType<typeof textDiff.patch_make>[number];
type Instance = InstanceType<Made>;

const [DELETED, KEPT, INSERTED] = [-1, 0, 1];
/** Characters of words and emoji, and what belongs to them: they are replaced together. */
const OF_WORD = /[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}'’\u200d\ufe0f]/u;

/**
 * The differences between two texts of at most `MOST_TEXT` UTF-16 units: at least one where they differ, and whole words. Takes a second at most
 * where much is different, otherwise as long as the texts.
 */
export function makePatches(before: string, after: string): readonly Patch[] {
  const patches = patchesOf(textDiff.patch_make(before, after));
  return patches.length <= MOST_PATCHES
    ? patches
    : patchesOf(textDiff.patch_make(before, oneDifference(before, after)));
}

/** Everything between the first and the last difference as one. */
function oneDifference(before: string, after: string): [number, string][] {
  const start = textDiff.diff_commonPrefix(before, after);
  const end = textDiff.diff_commonSuffix(before.slice(start), after.slice(start));
  const differences: [number, string][] = [
    [KEPT, before.slice(0, start)],
    [DELETED, before.slice(start, before.length - end)],
    [INSERTED, after.slice(start, after.length - end)],
    [KEPT, before.slice(before.length - end)],
  ];
  return differences.filter(([, text]) => text !== '');
}

function patchesOf(made: readonly Made[]): readonly Patch[] {
  // The declarations say that they are classes; they are objects of those.
  return (made as unknown as readonly Instance[]).map(({ diffs, start2 }) => {
    const isKept = (at: number): boolean => diffs.at(at)?.[0] === KEPT;
    const before = isKept(0) ? (diffs.at(0)?.[1] ?? '') : '';
    const after = isKept(-1) ? (diffs.at(-1)?.[1] ?? '') : '';
    const inner = diffs.slice(isKept(0) ? 1 : 0, isKept(-1) ? -1 : undefined);
    const without = (kind: number): string => inner.map(([of, text]) => (of === kind ? '' : text)).join('');
    return wholeWords({ at: start2 ?? 0, before, old: without(INSERTED), text: without(DELETED), after });
  });
}

/** Pages hear of words, and half a character is none. */
function wholeWords({ at, before, old, text, after }: Patch): Patch {
  const left = wordAtEnd(before);
  const right = wordAtStart(after);
  const [from, to] = [before.slice(before.length - left), after.slice(0, right)];
  return {
    at,
    before: before.slice(0, before.length - left),
    old: from + old + to,
    text: from + text + to,
    after: after.slice(right),
  };
}

/** UTF-16 units of the word, or of the half character, at the end of a text. */
function wordAtEnd(text: string): number {
  const characters = Array.from(text).reverse();
  let units = 0;
  for (const [index, each] of characters.entries()) {
    if (!OF_WORD.test(each) && !(index === 0 && /^[\ud800-\udbff]$/.test(each))) break;
    units += each.length;
  }
  return units;
}

function wordAtStart(text: string): number {
  let units = 0;
  for (const each of text) {
    if (!OF_WORD.test(each) && !(units === 0 && /^[\udc00-\udfff]$/.test(each))) break;
    units += each.length;
  }
  return units;
}
