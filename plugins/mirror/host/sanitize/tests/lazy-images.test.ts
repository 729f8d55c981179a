import { expect, it } from 'vitest';
import { OP, RECORD } from '../../../ops.ts';
import type { Batch } from '../../../ops.ts';
import { NO_PICTURE_YET } from '../attributes.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';

/** Returns a sanitizer of ops with inline strings, which returns its output strings. */
function passer(): (ops: readonly (readonly (number | string)[])[]) => string[] {
  const sanitizer = new FrameSanitizer((kind, address) => `/c/${kind}/${address.replace(/\W/g, '')}`);
  let seq = 0;
  return (ops) => {
    const strings: string[] = [];
    const index = (field: number | string): number => (typeof field === 'string' ? strings.push(field) - 1 : field);
    const batch: Batch = { epoch: 1, seq: ++seq, more: false, ops: ops.map((op) => op.map(index)), strings };
    return sanitizer.sanitize(batch).strings;
  };
}

const doc = [OP.doc, 0, 0, 'https://site.test/', 'https://site.test/'];
const image = (id: number, ...attributes: string[]): (number | string)[] => [
  ...[OP.insert, 1, 0, id, RECORD.element, 0, 'img', 0, attributes.length / 2],
  ...attributes,
  0,
];

it('the picture of a lazy image is not sent before the surrogate shows it', () => {
  const pass = passer();
  const first = pass([doc, image(2, 'src', 'a.png', 'loading', 'Lazy'), image(3, 'src', 'b.png', 'loading', 'eager')]);
  expect(first).toContain(NO_PICTURE_YET);
  expect(first).toContain('/c/i/httpssitetestbpng');
  expect(first.join()).not.toContain('apng');
  expect(pass([[OP.attribute, 2, 'src', 'c.png']])).toContain(NO_PICTURE_YET);
  expect(pass([[OP.picture, 2, 'https://site.test/a.png']])).toContain('/c/i/httpssitetestapng');
});

it('an image that has become lazy stays lazy', () => {
  const pass = passer();
  expect(pass([doc, image(2)])).not.toContain(NO_PICTURE_YET);
  const later = [
    [OP.attribute, 2, 'loading', 'lazy'],
    [OP.attribute, 2, 'src', 'a.png'],
    [OP.attribute, 2, 'loading', -1],
  ];
  expect(pass(later)).toContain(NO_PICTURE_YET);
  expect(pass([[OP.attribute, 2, 'src', 'a.png']])).toContain(NO_PICTURE_YET);
  expect(pass([[OP.attribute, 2, 'src', -1]])).not.toContain(NO_PICTURE_YET);
});
