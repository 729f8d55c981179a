import { expect, it } from 'vitest';
import { readScreen } from './screen-options.ts';

const GIVEN = { ratio: '1', viewport: '1280x800', scrollbars: false, headed: false };

it('reads the screen of a fidelity run, and names an option that is no screen', () => {
  expect(readScreen({ ...GIVEN, ratio: '1.25', viewport: '390x844' })).toEqual({
    ...GIVEN,
    ratio: 1.25,
    viewport: { width: 390, height: 844 },
  });
  for (const ratio of ['0', '0.2', '5.1', '-1', '1e1', 'two', '', 'Infinity'])
    expect(() => readScreen({ ...GIVEN, ratio }), ratio).toThrow(/^--ratio wants a number from 0.25 to 5/);
  for (const viewport of ['10', '0x5', '5x0', '8193x5', '5x', '1.5x2', '1x2x3', ''])
    expect(() => readScreen({ ...GIVEN, viewport }), viewport).toThrow(/^--viewport wants WIDTHxHEIGHT/);
});
