import { expect, it } from 'vitest';
import { OP, RECORD } from '../../../ops.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';

it('one long text under many ops is refused before it has been judged for long', () => {
  let judged = 0;
  const sanitizer = new FrameSanitizer(
    () => 'token',
    ({ length }) => (judged += length) > 0,
  );
  const strings = ['https://site.test/', 'img', 'src', `data:image/png;base64,${'A'.repeat(900_000)}`];
  const image = [OP.insert, 1, 0, 2, RECORD.element, 0, 1, 0, 0, 0];
  const change = [OP.attribute, 2, 2, 3];
  const batch = (seq: number, ops: number[][]) => sanitizer.sanitize({ epoch: 1, seq, more: false, strings, ops });
  batch(1, [[OP.doc, 0, 0, 0, 0, 0], image, change, change]);
  expect(judged).toBeGreaterThan(900_000);
  expect(() =>
    batch(
      2,
      Array.from({ length: 100_000 }, () => change),
    ),
  ).toThrow('too much under the same strings');
  expect(judged).toBeLessThan(40 * 1024 * 1024);
});
