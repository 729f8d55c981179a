import { expect, it } from 'vitest';
import { processorMs } from '../../../../core/testing/growth.ts';
import { OP, RECORD } from '../../ops.ts';
import type { Batch } from '../../ops.ts';
import { FrameStream } from '../frame-stream.ts';
import type { SheetText } from '../sheet-texts.ts';

const nothing: SheetText = { parts: [''] };

/** Sends a batch with one style sheet to a frame; the sheet is short enough to be sanitized at once. */
function take(sheet: string): Batch[] {
  const emitted: Batch[] = [];
  const stream = new FrameStream(
    {
      frame: 1,
      resource: () => 'token',
      sheet: () => Promise.resolve(nothing),
      svg: () => Promise.resolve(undefined),
      emit: (batch) => void emitted.push(batch),
      onTaken: () => undefined,
    },
    true,
  );
  const strings = ['https://site.test/', 'style', sheet];
  const style = [OP.insert, 1, 0, 2, RECORD.element, 0, 1, 0, 0, 0];
  stream.take({
    epoch: 1,
    seq: 1,
    more: false,
    strings,
    ops: [[OP.doc, 0, 0, 0, 0], style, [OP.sheet, 2, 1, 2, -1, 0]],
  });
  return emitted;
}

/** Length of text that is sanitized at once. */
const UNITS = 60_000;

function shortest(text: string): number {
  const run = (sheet: string): void => expect(take(sheet)).toHaveLength(1);
  return Math.min(...[1, 2, 3, 4, 5].map(() => processorMs(run, text)));
}

it.each(['attr(', '[v-was-x', 'attr(v-was-'])(
  'a comment of a page that repeats %s is not read again from each',
  (piece) => {
    const usual = shortest(`/*${'-'.repeat(UNITS)}*/${'a{}'.repeat(100)}`);
    expect(shortest(`/*v-was-x ${piece.repeat(UNITS / piece.length)}*/`)).toBeLessThan(5 + 10 * usual);
  },
);
