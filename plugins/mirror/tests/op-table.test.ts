import { expect, it } from 'vitest';
import { OP, OPS } from '../op-table.ts';

it('[M-086] every operation of the page has a code of its own: DOM, CSS, animations, dialogs and popovers', () => {
  expect(Object.keys(OP)).toEqual(Object.keys(OPS));
  const codes = Object.values(OP);
  expect(codes).toEqual(codes.map((_code, at) => at + 1)); // none twice, none missing
  expect(OP).toMatchObject({
    ...{ insert: 2, remove: 3, move: 4, attribute: 5, text: 6, sheet: 7, define: 8, adopt: 9, append: 26 },
    ...{ animate: 24, transition: 31, top: 15 },
  });
});
