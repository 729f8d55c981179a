import { expect, it } from 'vitest';
import { OP, RECORD } from '../../ops.ts';
import type { Batch } from '../../ops.ts';
import { FrameStream, MAX_SOURCE_UNITS } from '../frame-stream.ts';
import { SheetTexts } from '../sheet-texts.ts';
import { batch, doc } from './host-half.ts';

const RULES = Array.from({ length: 12_000 }, (_, at) => `.c${at}:hover{width:${at}px;background:url(${at}.png)}`);
const LONG = RULES.join('');
const element = [OP.insert, 1, 0, 2, RECORD.element, 0, 'style', 0, 0, 0];
const sheet = (text: string, source = 1): (number | string)[] => [OP.sheet, 2, source, text, '', 0];

/** Texts of a tab whose sheets load nothing but one import. */
function tabTexts(): SheetTexts {
  return new SheetTexts({ load, resource, keepsInline: () => true, kin: () => '' });
}
const resource = (kind: string, address: string): string => `/c/${kind}/${address.length}`;
const load = async (_: number, address: string): Promise<string | undefined> =>
  address.endsWith('/i.css') ? 'i{j:k}' : undefined;

/** A frame's stream. */
function setUp(sheets = tabTexts(), frame = 1) {
  const emitted: Batch[] = [];
  const stream = new FrameStream(
    {
      frame,
      resource,
      sheet: (job, signal) => sheets.text(frame, job, signal),
      svg: () => Promise.resolve(undefined),
      emit: (each) => void emitted.push(each),
      onTaken: () => undefined,
    },
    true,
  );
  /** All sheets that the client received, in order, as one text; `name` and `media` of constructed ones. */
  const receivedText = (): string =>
    emitted
      .flatMap(({ ops, strings }) =>
        ops.map(([code, , second = -1, third = -1]) => {
          if (code === OP.sheet) return strings[third] ?? '';
          return code === OP.append || code === OP.define ? (strings[second] ?? '') : '';
        }),
      )
      .join('');
  const settled = async (): Promise<void> => {
    while (stream.queued > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { stream, emitted, receivedText, settled };
}

/** Returns a clock of the processor time of this thread since the call, in µs. */
function processorTime(): () => number {
  const begun = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(begun);
    return user + system;
  };
}

/** The expected CSS, without the addresses of pictures. */
const plain = (css: string): string => css.replace(/url\([^)]*\)/g, 'url()').replaceAll('\n', '');

it('long sheets in the markup yield to other work, and delay the batches after them', async () => {
  const { stream, emitted, receivedText, settled } = setUp();
  const elapsed = processorTime();
  stream.take(batch(1, [doc, element, sheet(LONG.repeat(4))]));
  const taken = elapsed();
  stream.take(batch(2, [[OP.attribute, 2, 'title', 'later']]));
  stream.take(batch(3, [[OP.append, 2, 'z{y:x}']]));
  expect(emitted).toEqual([]);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await settled();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(elapsed()).toBeGreaterThan(taken * 2);
  expect(emitted.map(({ seq }) => seq).filter((seq, at, all) => seq !== all[at - 1])).toEqual([1, 2, 3]);
  expect(plain(receivedText())).toBe(plain(`${LONG.repeat(4)}z{y:x}`));
  expect(emitted.length).toBeGreaterThan(8); // in parts
});

it('later ops of a batch on a long sheet are sent after all of it', async () => {
  const { stream, receivedText, settled } = setUp();
  stream.take(batch(1, [doc, element, sheet(LONG), [OP.append, 2, 'z{y:x}'], [OP.define, 1, LONG, '', 0]]));
  await settled();
  expect(plain(receivedText())).toBe(plain(`${LONG}z{y:x}${LONG}`));
});

it('imports of long sheets are inlined, except in constructed sheets and appended rules, which import nothing', async () => {
  const { stream, receivedText, settled } = setUp();
  const imports = '@import "https://site.test/i.css";';
  stream.take(batch(1, [doc, element, sheet(imports + LONG)]));
  await settled();
  stream.take(batch(2, [[OP.define, 1, imports + LONG, '', 0]]));
  stream.take(batch(3, [[OP.append, 2, imports + LONG]]));
  await settled();
  expect(plain(receivedText())).toBe(plain(`i{j:k}${LONG}${LONG}${LONG}`));
});

it('many sheets of a batch that are long together also yield', async () => {
  const { stream, emitted, settled } = setUp();
  const some = RULES.slice(0, 500).join('');
  stream.take(batch(1, [doc, element, ...Array.from({ length: 60 }, () => sheet(some))]));
  expect(emitted).toEqual([]);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await settled();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  const { ops, strings } = emitted[0]!;
  const texts = ops.filter(([code]) => code === OP.sheet).map((op) => plain(strings[op[3] ?? -1] ?? ''));
  expect(texts).toEqual(Array.from({ length: 60 }, () => plain(some)));
});

it('the long sheets of a frame do not delay those of another', async () => {
  const texts = tabTexts();
  const [hostile, main] = [setUp(texts, 2), setUp(texts)];
  hostile.stream.take(batch(1, [doc, element, ...Array.from({ length: 8 }, () => sheet(LONG))]));
  main.stream.take(batch(1, [doc, element, sheet(RULES.slice(0, 2000).join(''))]));
  await main.settled();
  expect(hostile.emitted).toEqual([]);
  await hostile.settled();
  expect(plain(hostile.receivedText())).toBe(plain(LONG.repeat(8)));
});

it('the long sheets of a document that was left are not sanitized any more', async () => {
  const { stream, emitted, receivedText, settled } = setUp();
  const ofOne = processorTime();
  stream.take(batch(1, [doc, element, sheet(LONG)]));
  await settled();
  const one = ofOne();
  emitted.length = 0;
  const ofMany = processorTime();
  stream.take(batch(1, [doc, element, ...Array.from({ length: 12 }, () => sheet(LONG))], 6));
  stream.reset();
  stream.take(batch(1, [doc, element, sheet(LONG)], 7));
  await settled();
  expect(emitted.every(({ epoch }) => epoch === 7)).toBe(true);
  expect(plain(receivedText())).toBe(plain(LONG));
  expect(ofMany()).toBeLessThan(one * 6);
});

it('batches with more text of sheets than may wait are refused until the document starts again', async () => {
  const { stream, emitted, settled } = setUp();
  const [half, more] = ['/**/'.repeat(MAX_SOURCE_UNITS / 8), 'b{c:d}'.repeat(20_000)];
  stream.take(batch(1, [doc, element, sheet(half)]));
  stream.take(batch(2, [sheet(half)]));
  expect(() => stream.take(batch(3, [sheet(more)]))).toThrow(expect.objectContaining({ code: 'mirror-refused' }));
  stream.take(batch(4, [[OP.attribute, 2, 'title', 'unheard']]));
  stream.take(batch(1, [doc, element, sheet(more)], 6));
  await settled();
  expect(emitted.filter(({ epoch }) => epoch === 5)).toEqual([]);
  expect(emitted[0]).toMatchObject({ epoch: 6, seq: 1 });
});
