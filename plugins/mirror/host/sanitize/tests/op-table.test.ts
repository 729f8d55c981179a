import { describe, expect, it } from 'vitest';
import { encodeOp, OP, OPS } from '../../../op-table.ts';
import type { OpName, SentOp } from '../../../op-table.ts';
import type { Batch } from '../../../ops.ts';
import { OPERATIONS } from '../operations.ts';
import { FrameSanitizer } from '../frame-sanitizer.ts';
import { checkOp } from '../grammar.ts';
import { fresh, Page } from './page-writer.ts';

/** Number of strings. */
const STRINGS = 3;
const names = Object.keys(OPS) as OpName[];
const sent = names.filter((name) => name !== 'frame');

/** Returns an op with the smallest value of each field. */
function least(name: OpName): number[] {
  const kinds = OPERATIONS.get(OP[name])?.kinds ?? [];
  return [OP[name], ...kinds.map((kind) => (/^(?:id|element)/.test(kind) ? 1 : 0))];
}

describe('the table of ops', () => {
  it('gives each op a unique code', () => {
    expect(new Set(Object.values(OP)).size).toBe(names.length);
    expect(Object.keys(OP)).toEqual(names);
  });

  it.each(sent)('has the host check each field of %s', (name) => {
    const op = least(name);
    const hasMany = OPS[name].endsWith('*');
    expect(() => checkOp(op, STRINGS)).not.toThrow();
    const check = (made: number[]) => () => checkOp(made, STRINGS);
    for (let at = 1; at < op.length; at++) {
      if (name === 'insert' && at === op.length - 1) continue; // its stream has its own reader
      for (const wrong of [-0x80000001, 2 ** 31])
        expect(check(op.with(at, wrong)), `field ${at}`).toThrow(`has field ${at} out of range`);
    }
    if (name !== 'remove') expect(check(op.slice(0, hasMany ? -2 : -1))).toThrow('wrong length');
    if (hasMany) expect(check([...op, op.at(-1) ?? 0])).not.toThrow();
    else expect(check([...op, 1])).toThrow('wrong length');
  });

  it('accepts existing texts, or none', () => {
    for (const name of sent) {
      const op = least(name);
      OPERATIONS.get(OP[name])?.kinds.forEach((kind, at) => {
        if (!kind.startsWith('$')) return;
        for (const index of [-1, STRINGS - 1]) expect(() => checkOp(op.with(at + 1, index), STRINGS)).not.toThrow();
        for (const index of [-2, STRINGS])
          expect(() => checkOp(op.with(at + 1, index), STRINGS)).toThrow('out of range');
      });
    }
  });

  it.each([0, -1, OP.frame, names.length + 1, 2 ** 31, 0.5])(
    'refuses an op of code %d, which it does not know or only the host writes',
    (code) => {
      expect(() => checkOp([code, 1, 1], STRINGS)).toThrow('is unknown');
      const page = new Page().doc();
      page.ops.push([code, 1, 1]);
      expect(() => fresh().sanitize(page.batch())).toThrow('is unknown');
    },
  );

  it('has a sanitized form for every op', () => {
    // Ops that send nothing to the client, or need a node that does not exist here.
    const silent: readonly OpName[] = ['base', 'text', 'attribute', 'insert', 'doc'];
    for (const name of sent.filter((each) => !silent.includes(each))) {
      const page = new Page().doc();
      const id = page.insert(['p', {}]);
      const [code = 0, , ...rest] = least(name);
      const first = OPS[name].startsWith('id') || OPS[name].startsWith('element') ? id : 0;
      const { ops } = fresh().sanitize(written(page, [code, first, ...rest]));
      expect(ops.at(-1)?.[0], name).toBe(code);
    }
  });

  it('sanitizes texts by their kinds', () => {
    const ops: SentOp[] = [
      [OP.value, 2, 'typed'],
      [OP.splice, 2, 0, 1, 5, 'T'],
      [OP.validity, 2, 'wrong'],
      [OP.states, 2, 'on', 'off'],
      [OP.highlight, 'found', 1, 0, 2, 0, 2, 1],
      [OP.transition, 1, 'slide', 'fade'],
    ];
    const page = new Page().doc();
    page.insert(['input', {}]);
    for (const text of ['unused', 'texts']) page.str(text);
    for (const op of ops) page.ops.push(encodeOp(op, (text) => (text === null ? -1 : page.str(text))));
    const safe = new FrameSanitizer(() => 'token').sanitize(page.batch());
    const strings: string[] = [];
    const again = ops.map((op) => encodeOp(op, (text) => strings.push(text ?? '') - 1));
    const textsOf = (list: readonly string[], made: readonly number[][]) =>
      made.map((op, n) =>
        (ops[n] as readonly unknown[]).map((field, at) => (typeof field === 'string' ? list[op[at] ?? -1] : op[at])),
      );
    expect(textsOf(safe.strings, safe.ops.slice(-ops.length))).toEqual(textsOf(strings, again));
    expect(safe.strings).not.toContain('unused');
  });
});

function written(page: Page, op: number[]): Batch {
  page.ops.push(op);
  return page.batch();
}
