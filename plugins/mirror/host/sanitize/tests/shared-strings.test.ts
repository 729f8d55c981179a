import { expect, it } from 'vitest';
import { processorMs } from '../../../../../core/testing/growth.ts';
import { OP, RECORD } from '../../../ops.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';
import { fresh, Page } from './page-writer.ts';

it('one long text in many ops is refused before it takes long', () => {
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
  ).toThrow('too much text from shared strings');
  expect(judged).toBeLessThan(40 * 1024 * 1024);
});

const DECLARATIONS = 'background:url(a);'.repeat(3000);
const ANIMATION = { key: 1, kind: 'script', name: '', pseudo: '', state: 'running', time: 0, rate: 1 };
const ANIMATIONS = JSON.stringify({ list: [{ ...ANIMATION, frames: [{ background: DECLARATIONS }] }] });

it.each<[string, string, (page: Page, text: number) => number[]]>([
  ['style attributes', DECLARATIONS, (page, text) => [OP.attribute, 2, page.str('style'), text]],
  [
    'new elements',
    DECLARATIONS,
    (page, text) => [
      OP.insert,
      1,
      0,
      page.ops.length + 10,
      RECORD.element,
      0,
      page.str('p'),
      0,
      1,
      page.str('style'),
      text,
      0,
    ],
  ],
  ['media of sheets', DECLARATIONS, (page, text) => [OP.define, 2, page.str('a{}'), text, 0]],
  ['animations', ANIMATIONS, (_, text) => [OP.animate, 2, text]],
  ['pictures', `https://site.test/${'../'.repeat(20_000)}`, (_, text) => [OP.picture, 2, text]],
])('one text in many ops is sanitized once: %s', (_, text, op) => {
  const time = (ops: number): number => {
    const page = new Page().doc();
    page.insert(['p', {}]);
    const index = page.str(text);
    for (let n = 0; n < ops; n++) page.ops.push(op(page, index));
    const batch = page.batch();
    return Math.min(...[1, 2, 3].map(() => processorMs((made) => fresh().sanitize(made), batch)));
  };
  // The ratio was 400.
  expect(time(400)).toBeLessThan(10 + 20 * time(1));
});

it('the meaning of a text changes with the base address, within a batch too', () => {
  const page = new Page().doc();
  const element = page.insert(['a', {}]);
  page.attribute(element, 'href', 'x');
  page.ops.push([OP.base, page.str('https://other.test/')]);
  page.attribute(element, 'href', 'x');
  const { strings } = fresh().sanitize(page.batch());
  expect(strings).toEqual(expect.arrayContaining(['/https://site.test/dir/x', '/https://other.test/x']));
});

it('node ids that are far apart are refused: each range of them takes memory', () => {
  const insert = (id: number) => [OP.insert, 1, 0, id, RECORD.text, -1];
  const sanitize = (...ids: number[]) => {
    const page = new Page().doc();
    page.ops.push(...ids.map(insert));
    return fresh().sanitize(page.batch());
  };
  expect(() => sanitize(2, 3, 50, 300)).not.toThrow();
  expect(() => sanitize(2, 4098)).toThrow('too far apart');
});
