import { expect, it } from 'vitest';
import { disarm } from '../host/disarm.ts';

const disarmed = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1');
  disarm(bytes);
  return bytes.toString('latin1');
};

it.each([
  ['/Annots [1 0 R]', '/Xnnots [1 0 R]'],
  ['<</S/URI/URI(javascript:1)>>', '<</S/XRI/XRI(javascript:1)>>'],
  ['/OpenAction<</S/JavaScript/JS(x)>>', '/XpenAction<</S/XavaScript/XS(x)>>'],
  ['/#41nnots', '/X41nnots'],
  ['/J#53 (x)', '/X#53 (x)'],
  ['/#4a#73', '/#4a#73'], // names are case-sensitive
  ['/AA/AA', '/XA/XA'],
  ['stream\n/ObjStm\nendstream', 'stream\n/XbjStm\nendstream'],
  ['/URI', '/XRI'],
])('a PDF can do nothing by the name in %s', (given, safe) => {
  expect(disarmed(given)).toBe(safe);
  expect(given).toHaveLength(safe.length);
});

it.each([
  '/Font /F4',
  '/Type /Page',
  '/AAPL',
  '/NamesOf',
  '/JSON',
  '/StructTreeRoot 3 0 R',
  'Annots',
  '/',
  '/#',
  '/A#',
])('what it shows stays as it is: %s', (given) => {
  expect(disarmed(given)).toBe(given);
});
