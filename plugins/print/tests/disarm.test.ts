import { expect, it } from 'vitest';
import { disarm } from '../host/disarm.ts';

const disarmed = async (text: string): Promise<string> => {
  const bytes = Buffer.from(text, 'latin1');
  await disarm(bytes);
  return bytes.toString('latin1');
};

it.each([
  ['/Annots [1 0 R]', '/_nnots [1 0 R]'],
  ['<</S/URI/URI(javascript:1)>>', '<</S/_RI/_RI(javascript:1)>>'],
  ['/OpenAction<</S/JavaScript/JS(x)>>', '/_penAction<</S/_avaScript/_S(x)>>'],
  ['/#41nnots', '/_41nnots'],
  ['/J#53 (x)', '/_#53 (x)'],
  ['/#4a#73', '/#4a#73'], // names are case-sensitive
  ['/AA/AA', '/_A/_A'],
  ['stream\n/ObjStm\nendstream', 'stream\n/_bjStm\nendstream'],
  ['/URI', '/_RI'],
  ['<</Type/XRef/XRefStm 9>>', '<</Type/_Ref/_RefStm 9>>'],
  ['/XFA 3 0 R', '/_FA 3 0 R'],
  ['<</N 3/First 14/Filter/FlateDecode>>', '<</N 3/_irst 14/Filter/FlateDecode>>'], // an object stream to readers that do not ask for its type
])('a PDF can do nothing by the name in %s', async (given, safe) => {
  expect(await disarmed(given)).toBe(safe);
  expect(given).toHaveLength(safe.length);
});

it.each([
  '/Font /F4',
  '/Type /Page',
  '/AAPL',
  '/NamesOf',
  '/EmbeddedFilesOf',
  '/JSON',
  '/FirstChar 0',
  '/StructTreeRoot 3 0 R',
  'Annots',
  '/',
  '/#',
  '/A#',
])('what it shows stays as it is: %s', async (given) => {
  expect(await disarmed(given)).toBe(given);
});

it('reads a small document in one turn', async () => {
  const other = new Promise((resolve) => setImmediate(() => resolve('another turn')));
  const done = disarm(Buffer.from('/Font /Page /Type /Size')).then(() => 'disarmed');
  expect(await Promise.race([done, other])).toBe('disarmed');
});

it('lets the event loop turn while it reads a large document', async () => {
  const pdf = Buffer.alloc(400_000, '/');
  const other = (async () => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return 'done';
  })();
  const done = disarm(pdf).then(() => 'disarmed');
  expect(await Promise.race([done, other])).toBe('done');
  await done;
});
