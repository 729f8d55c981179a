import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../../../core/protocol/errors.ts';
import { OP, RECORD, SHEET_SOURCE } from '../../../ops.ts';
import type { SafeBatch } from '../batch-sanitizer.ts';
import { MAX_DEPTH } from '../grammar.ts';
import { built, fresh, Page, token } from './page-writer.ts';

describe('ops', () => {
  const after = (write: (page: Page) => void): SafeBatch => {
    const page = new Page().doc();
    page.insert(['style', {}]);
    write(page);
    const safe = fresh().sanitize(page.batch());
    return { ...safe, ops: safe.ops.slice(2) };
  };

  it('sanitizes sheets that have their text, and leaves those with addresses for later', () => {
    const sheet = (source: number, text: string, media = ''): SafeBatch =>
      after((page) => page.ops.push([OP.sheet, 2, source, page.str(text), page.str(media), 0]));
    const inline = sheet(SHEET_SOURCE.inline, 'a{b:url(c)}', '(scripting)');
    expect(inline.strings[inline.ops[0]?.[3] ?? -1]).toBe(`a{b:url("${token('https://site.test/dir/c')}")}`);
    expect(inline.strings[inline.ops[0]?.[4] ?? -1]).toBe('(min-width:0px)');
    const linked = sheet(SHEET_SOURCE.address, '/css/a.css');
    expect(linked.ops).toEqual([[OP.sheet, 2, SHEET_SOURCE.inline, -1, -1, 0]]);
    expect(linked.sheets).toEqual([{ op: 2, address: 'https://site.test/css/a.css', still: false, asked: new Set() }]);
    expect(linked.strings).not.toContain('/css/a.css');
    expect(sheet(SHEET_SOURCE.inline, '@import "x.css"; b{}').sheets).toHaveLength(1);
    expect(sheet(SHEET_SOURCE.address, 'file:///etc/passwd').sheets).toEqual([]);
    const relative = after((page) =>
      page.ops.push([OP.sheet, 2, 2, page.str('/css/a.css'), -1, 0], [OP.sheet, 2, 3, page.str('a{b:url(c)}'), -1, 0]),
    );
    expect(relative.strings).toContain(`a{b:url("${token('https://site.test/css/c')}")}`);
  });

  it('turns the picture of an image into a token, with its density', () => {
    const safe = after((page) => page.ops.push([OP.picture, 2, page.str('https://x.test/i 2x')], [OP.picture, 2, -1]));
    expect(safe.ops.map((op) => safe.strings[op[2] ?? -1])).toEqual([`${token('https://x.test/i')} 2x`, '']);
  });

  it('sends an unreadable picture for an image that shows none: otherwise Firefox keeps the last one', () => {
    const safe = after((page) => page.ops.push([OP.picture, 2, page.str('about:invalid')]));
    expect(safe.ops.map((op) => safe.strings[op[2] ?? -1])).toEqual(['data:image/png,']);
    const again = after((page) => page.ops.push([OP.picture, 2, page.str('data:image/png,')]));
    expect(again.ops.map((op) => again.strings[op[2] ?? -1])).toEqual(['data:image/png,']);
  });

  it('resolves addresses against a base that changes, and does not send the base', () => {
    const safe = after((page) => {
      page.ops.push([OP.base, page.str('https://base.test/q/')]);
      page.insert(['img', { src: 'x' }]);
    });
    expect(built(safe)).toEqual([['img', { src: token('https://base.test/q/x'), 'v-was-src': '' }]]);
    expect(safe.ops.map(([code]) => code)).not.toContain(OP.base);
    expect(safe.strings.join()).not.toContain('base.test');
  });

  it('passes the fields of an animation that the policy allows, with every text sanitized', () => {
    const plain = { key: 1, kind: 'script', name: '', pseudo: '', state: 'running', time: 5, rate: 1 };
    const frames = [{ background: 'url(//evil.test)', MozBinding: 'x', behavior: 'x', 'x<y': 1, offset: 0.5 }];
    const said = (json: string): unknown => {
      const safe = after((page) => page.ops.push([OP.animate, 2, page.str(json)]));
      return JSON.parse(safe.strings[safe.ops[0]?.[2] ?? -1] ?? '');
    };
    expect(said(JSON.stringify({ list: [{ ...plain, frames, more: 'x' }], extra: 'x' }))).toEqual({
      list: [{ ...plain, frames: [{ background: `url("${token('https://evil.test/')}")`, offset: 0.5 }] }],
    });
    const wrong = [{ pseudo: '::x{}' }, { kind: 'other' }, { time: '0' }, { frames: [{ color: {} }] }, { scroll: {} }];
    for (const bad of [...wrong, { timing: { delay: 'url(//evil.test)' } }])
      expect(said(JSON.stringify({ list: [{ ...plain, ...bad }] }))).toEqual({ list: [] });
    expect(said('nonsense')).toEqual({ list: [] });
  });

  it('attaches a late shadow root', () => {
    const page = new Page().doc();
    const host = page.insert(['div', {}]);
    page.ops.push([OP.insert, host, 0, 10, RECORD.shadow, 0, 1, RECORD.text, page.str('in')], [OP.adopt, 10]);
    expect(fresh().sanitize(page.batch()).ops[2]?.slice(0, 7)).toEqual([OP.insert, host, 0, 10, RECORD.shadow, 0, 1]);
  });

  it.each<[string, (page: Page) => number[][]]>([
    ['an op that only the host sends', () => [[OP.frame, 1, 2]]],
    ['an unknown op', () => [[99]]],
    ['an op that is too short', () => [[OP.move, 2]]],
    ['an op that is too long', () => [[OP.text, 2, 0, 0]]],
    ['a string that is not there', () => [[OP.text, 2, 999]]],
    ['an id out of range', () => [[OP.remove, 0]]],
    ['an id used twice', (page) => [[OP.insert, 1, 0, 2, RECORD.text, page.str('')]]],
    ['a parent that is not there', (page) => [[OP.insert, 77, 0, 50, RECORD.text, page.str('')]]],
    ['a stream that ends too early', (page) => [[OP.insert, 1, 0, 50, RECORD.element, 0, page.str('p'), 0, 0, 1]]],
    [
      'a stream with a wrong attribute count',
      (page) => [[OP.insert, 1, 0, 50, RECORD.element, 0, page.str('p'), 0, 9, 0]],
    ],
    ['a negative count', (page) => [[OP.insert, 1, 0, 50, RECORD.element, 0, page.str('p'), 0, 0, -1]]],
    ['an unknown namespace', (page) => [[OP.insert, 1, 0, 50, RECORD.element, 4, page.str('p'), 0, 0, 0]]],
    [
      'a shadow record that was not announced',
      (page) => [[OP.insert, 1, 0, 50, RECORD.text, page.str(''), RECORD.shadow, 0, 0]],
    ],
    [
      'an announced shadow record that is not there',
      (page) => [[OP.insert, 1, 0, 50, RECORD.element, 0, page.str('p'), 1, 0, 0]],
    ],
    [
      'nodes after a late shadow root',
      (page) => [[OP.insert, 2, 0, 50, RECORD.shadow, 0, 0, RECORD.text, page.str('')]],
    ],
    ['a move of the document', () => [[OP.move, 1, 2, 0]]],
    ['a document that begins within', (page) => [[OP.remove], [OP.doc, 0, 0, page.str(''), page.str('')]]],
  ])('refuses a batch with %s, and all until the next document', (_, ops) => {
    const sanitizer = fresh();
    const page = new Page().doc();
    page.insert(['style', {}]);
    sanitizer.sanitize(page.batch());
    const next = new Page();
    next.ops.push(...ops(next));
    const refused = expect.objectContaining({ code: 'mirror-refused' }) as AppError;
    expect(() => sanitizer.sanitize(next.batch(2))).toThrow(refused);
    expect(() => sanitizer.sanitize({ ...next.batch(3), ops: [] })).toThrow(refused);
    expect(() => sanitizer.sanitize(new Page().doc().batch(4))).not.toThrow();
  });

  it('accepts the deepest trees that browsers show, and refuses deeper ones', () => {
    const nested = (depth: number): Page => {
      const page = new Page().doc();
      const p = page.str('p');
      const records = Array.from({ length: depth }, () => [RECORD.element, 0, p, 0, 0, 1]);
      page.ops.push([OP.insert, 1, 0, 2, ...records.flat(), RECORD.text, p]);
      return page;
    };
    expect(fresh().sanitize(nested(10_000).batch()).ops).toHaveLength(2);
    expect(() => fresh().sanitize(nested(MAX_DEPTH + 1).batch())).toThrow('too deep');
  });
});
