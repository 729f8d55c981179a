import { expect, it } from 'vitest';
import { growth } from '../../../core/testing/growth.ts';
import { quotable } from '../quotable.ts';

it('leaves one line, without controls and halves of characters', () => {
  expect(quotable(' a\u202eb\nc\u2066d\u0000\u200fe ', 100)).toBe('a b c d e');
  expect(quotable('x\ud83d\ude00', 2)).toBe('x\ufffd');
  expect(quotable('x'.repeat(100), 5)).toBe('xxxxx');
});

it('takes time in proportion to a hostile text', () => {
  const measured = {
    input: (units: number) => '\u202e \n'.repeat(units),
    run: (text: string) => quotable(text, Infinity),
  };
  expect(growth(measured, 12)).toBeLessThan(12); // 16 where it is quadratic
});
