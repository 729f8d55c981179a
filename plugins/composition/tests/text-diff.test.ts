import { describe, expect, it } from 'vitest';
import { growth } from '../../../core/testing/growth.ts';
import { makePatches } from '../client/make-patches.ts';
import { locate } from '../page/locate.ts';
import { MOST_PATCHES } from '../protocol.ts';
import { textDiff } from '../shared/text-diff.ts';

/** Applies the differences of two texts to a third one, as the page half and the host do together. */
function apply(before: string, after: string, page: string): string {
  let text = page;
  let shift = 0;
  for (const patch of makePatches(before, after)) {
    const start = locate(text, patch, shift);
    if (start === undefined) {
      shift += patch.old.length - patch.text.length;
      continue;
    }
    shift = start - patch.before.length - patch.at;
    text = text.slice(0, start) + patch.text + text.slice(start + patch.old.length);
  }
  return text;
}

/** Lines that are all different, of about this length together. */
function prose(units: number): string {
  const lines: string[] = [];
  for (let left = units, line = 0; left > 0; line += 1) {
    const text = `Line ${line} of ${line * 7919} says that ${line % 13} of them are here.\n`;
    lines.push(text);
    left -= text.length;
  }
  return lines.join('');
}

describe('a difference', () => {
  it('[S-161] is made and found with a timeout of 1 s, an edit cost of 4, a threshold of 0.5 and a distance of 1000', () => {
    const { Diff_Timeout, Diff_EditCost, Match_Threshold, Match_Distance } = textDiff;
    expect([Diff_Timeout, Diff_EditCost, Match_Threshold, Match_Distance]).toEqual([1, 4, 0.5, 1000]);
  });

  it('[S-161] is found up to 500 units from where it was, as far as threshold and distance go', () => {
    const [before, after] = ['I saw teh cat', 'I saw the cat'];
    for (const [units, isFound] of [
      [0, true],
      [400, true],
      [600, false],
    ] as const) {
      const front = 'x'.repeat(units);
      expect(apply(before, after, front + before)).toBe(front + (isFound ? after : before));
    }
  });

  it('is of whole words and whole characters', () => {
    expect(makePatches('I saw teh cat', 'I saw the cat')).toEqual([
      { at: 3, before: 'aw ', old: 'teh', text: 'the', after: ' cat' },
    ]);
    // 😀 and 😁 differ in their second half.
    expect(makePatches('so 😀.', 'so 😁.')).toMatchObject([{ before: 'so ', old: '😀', text: '😁', after: '.' }]);
    expect(makePatches('naive', 'naïve')).toMatchObject([{ old: 'naive', text: 'naïve' }]);
  });

  it('is found where the text around it has changed, and not where what it replaces has', () => {
    const [before, after] = ['say teh word now', 'say the word now'];
    expect(apply(before, after, 'I say: (teh) words, now')).toBe('I say: (the) words, now');
    expect(apply(before, after, 'say TEH word now')).toBe('say TEH word now');
    expect(apply(before, after, 'something else')).toBe('something else');
    expect(apply(before, after, '')).toBe('');
  });

  it('brings every change of several, and leaves out those that are not there', () => {
    const before = 'One recieve in the first line.\nAnother line.\nAnd a seperate one.';
    const after = 'One receive in the first line.\nAnother line.\nAnd a separate one.';
    expect(apply(before, after, before)).toBe(after);
    expect(apply(before, after, `New: ${before.replace('recieve', 'gone')}`)).toBe(
      `New: ${after.replace('receive', 'gone')}`,
    );
  });

  it('of long texts is as many patches as the host takes', () => {
    const before = prose(20_000);
    const after = before.replaceAll('says', 'tells').replaceAll('here', 'there');
    expect(makePatches(before, after).length).toBeLessThanOrEqual(MOST_PATCHES);
    expect(apply(before, after, before)).toBe(after);
  });

  it('is made and found in time that grows with the texts, and not faster', () => {
    const input = (units: number) => {
      const text = prose(units);
      const middle = text.indexOf('says', units / 2);
      return { text, after: `${text.slice(0, middle)}says so${text.slice(middle + 4)}` };
    };
    const make = ({ text, after }: ReturnType<typeof input>): unknown => makePatches(text, after);
    const find = ({ text, after }: ReturnType<typeof input>): unknown => {
      const found = makePatches(text, after).map((patch) => locate(`${text} `, patch, 300));
      return [found, locate(text, { at: 0, before: 'x', old: 'none of it is there', text: '', after: 'y' }, 0)];
    };
    expect(growth({ input, run: make }, 8)).toBeLessThan(8);
    expect(growth({ input, run: find }, 8)).toBeLessThan(8);
  });
});
