import { expect, it } from 'vitest';
import { OP, RECORD } from '../../ops.ts';
import type { Batch } from '../../ops.ts';
import { FrameStream } from '../frame-stream.ts';
import { SheetTexts } from '../sheet-texts.ts';
import { batch, doc } from './host-half.ts';

const RULES = Array.from({ length: 12_000 }, (_, at) => `.c${at}:hover{width:${at}px;background:url(${at}.png)}`);
const LONG = RULES.join('');
const element = [OP.insert, 1, 0, 2, RECORD.element, 0, 'style', 0, 0, 0];
const sheet = (text: string, source = 1): (number | string)[] => [OP.sheet, 2, source, text, '', 0];

/** A frame's stream whose sheets load nothing but one import. */
function setUp() {
  const resource = (kind: string, address: string): string => `/c/${kind}/${address.length}`;
  const load = async (_: number, address: string): Promise<string | undefined> =>
    address.endsWith('/i.css') ? 'i{j:k}' : undefined;
  const sheets = new SheetTexts({ load, resource, keepsInline: () => true, kin: () => '' });
  const emitted: Batch[] = [];
  const stream = new FrameStream(
    {
      frame: 1,
      resource,
      sheet: (job) => sheets.text(1, job),
      svg: () => Promise.resolve(undefined),
      emit: (each) => void emitted.push(each),
      onTaken: () => undefined,
    },
    true,
  );
  /** All that the client is told of sheets, in order, as one text; `name` and `media` of constructed ones. */
  const told = (): string =>
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
  return { stream, emitted, told, settled };
}

/** The CSS as it is expected, but for the addresses of pictures. */
const plain = (css: string): string => css.replace(/url\([^)]*\)/g, 'url()').replaceAll('\n', '');

it('long sheets in the markup let others have their turns, and hold up what comes after them', async () => {
  const { stream, emitted, told, settled } = setUp();
  const cpu = process.cpuUsage();
  stream.take(batch(1, [doc, element, sheet(LONG.repeat(4))]));
  const taken = process.cpuUsage(cpu).user;
  stream.take(batch(2, [[OP.attribute, 2, 'title', 'later']]));
  stream.take(batch(3, [[OP.append, 2, 'z{y:x}']]));
  expect(emitted).toEqual([]);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await settled();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect(process.cpuUsage(cpu).user).toBeGreaterThan(taken * 2);
  expect(emitted.map(({ seq }) => seq).filter((seq, at, all) => seq !== all[at - 1])).toEqual([1, 2, 3]);
  expect(plain(told())).toBe(plain(`${LONG.repeat(4)}z{y:x}`));
  expect(emitted.length).toBeGreaterThan(8); // it comes in parts
});

it('what a batch says of a long sheet after it still comes after all of it', async () => {
  const { stream, told, settled } = setUp();
  stream.take(batch(1, [doc, element, sheet(LONG), [OP.append, 2, 'z{y:x}'], [OP.define, 1, LONG, '', 0]]));
  await settled();
  expect(plain(told())).toBe(plain(`${LONG}z{y:x}${LONG}`));
});

it('what long sheets import is filled in, but for constructed ones and rules that are added, which import nothing', async () => {
  const { stream, told, settled } = setUp();
  const imports = '@import "https://site.test/i.css";';
  stream.take(batch(1, [doc, element, sheet(imports + LONG)]));
  await settled();
  stream.take(batch(2, [[OP.define, 1, imports + LONG, '', 0]]));
  stream.take(batch(3, [[OP.append, 2, imports + LONG]]));
  await settled();
  expect(plain(told())).toBe(plain(`i{j:k}${LONG}${LONG}${LONG}`));
});

it('many sheets of a batch that are long together have their turns as well', async () => {
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
