import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pieceOf } from './pieces.ts';

const run = promisify(execFile);

/** One font of this machine, as fontconfig lists it. Weight and stretch use the values of `@font-face`. */
export interface InstalledFont {
  readonly file: string;
  /** Index of the font in its collection. */
  readonly index: number;
  readonly families: readonly string[];
  /** Name by which `local()` finds the font; empty when it has none. */
  readonly name: string;
  readonly version: string;
  readonly weight: string;
  readonly stretch: string;
  readonly italic: boolean;
  /** Names of the pieces in which the font has characters. */
  readonly pieces: ReadonlySet<string>;
}

const FIELDS = [
  'file',
  'index',
  'variable',
  'family',
  'postscriptname',
  'fullname[0]',
  'fontversion',
  'weight',
  'width',
  'slant',
  'charset',
];
/** Surrogates have a home folder of their own, so fonts of this user are not used. */
const OPTIONS = { timeout: 20_000, maxBuffer: 256 * 1024 * 1024, env: { ...process.env, HOME: '/nonexistent' } };

/** Pause before each query, in ms, so that pages with ever new names cost little. */
const PAUSE_MS = 25;

/** Font files that can be cut. */
const FILES = /\.(?:ttf|otf|ttc|otc)$/i;

/** Weights of fontconfig and of CSS. */
const WEIGHTS: readonly (readonly [number, number])[] = [
  [0, 100],
  [40, 200],
  [50, 300],
  [55, 350],
  [75, 380],
  [80, 400],
  [100, 500],
  [180, 600],
  [200, 700],
  [205, 800],
  [210, 900],
  [215, 1000],
];

/** Lists all outline fonts that fontconfig knows. Rejects when there is no fontconfig, or no font. */
export async function installedFonts(): Promise<InstalledFont[]> {
  const format = `${FIELDS.map((field) => `%{${field}}`).join('\\t')}\\n`;
  const pattern = ':scalable=true';
  const { stdout } = await run('fc-list', ['-f', format, pattern], OPTIONS);
  const lines = stdout.split('\n').map((line) => line.split('\t'));
  const whole = new Set(
    lines.filter(([, , isVariable]) => isVariable === 'True').map(([file, index]) => `${file} ${index}`),
  );
  const fonts: InstalledFont[] = [];
  for (const [
    file = '',
    index = '',
    isVariable,
    family = '',
    postscript = '',
    full = '',
    version = '',
    ...style
  ] of lines) {
    const [weight = '', width = '', slant = '', charset = ''] = style;
    // The high bits of the index number an instance of a variable font; the font is served whole.
    const number = Number(index) & 0xffff;
    if (!FILES.test(file) || (isVariable !== 'True' && whole.has(`${file} ${number}`))) continue;
    fonts.push({
      file,
      index: number,
      families: family.split(','),
      name: postscript || full,
      version,
      weight: rangeOf(weight, cssWeight),
      stretch: rangeOf(width, (width) => `${width}%`),
      italic: Number(slant) > 0,
      pieces: piecesOf(charset),
    });
  }
  if (fonts.length === 0) throw new Error('fontconfig lists no fonts');
  return fonts;
}

/**
 * Returns fontconfig's match for a family: the name after its substitutions, and the families of the font that it
 * finds.
 */
export async function matchedFamily(family: string): Promise<{ asked: string; found: string[] }> {
  await delay(PAUSE_MS);
  const pattern = `${family.replace(/[\\\-:,=]/g, '\\$&')}:scalable=true`;
  const [asked, found] = await Promise.all([
    run('fc-pattern', ['-c', '-f', '%{family[0]}', pattern], OPTIONS),
    run('fc-match', ['-f', '%{family}', pattern], OPTIONS),
  ]);
  return { asked: asked.stdout, found: found.stdout.split(',') };
}

function rangeOf(text: string, css: (value: number) => string): string {
  const [first = '80', last] = text.match(/[\d.]+/g) ?? [];
  const [from, to] = [css(Number(first)), last === undefined ? undefined : css(Number(last))];
  return to === undefined || to === from ? from : `${from} ${to}`;
}

function cssWeight(weight: number): string {
  const above = WEIGHTS.findIndex(([value]) => value >= weight);
  const [high, most] = WEIGHTS[above] ?? [215, 1000];
  const [low, least] = WEIGHTS[above - 1] ?? [high, most];
  return String(high === low ? most : Math.round(least + ((weight - low) * (most - least)) / (high - low)));
}

function piecesOf(charset: string): Set<string> {
  const pieces = new Set<string>();
  for (const [, first = '', last = first] of charset.matchAll(/([0-9a-f]+)(?:-([0-9a-f]+))?/g)) {
    const end = Number.parseInt(last, 16);
    for (let code = Number.parseInt(first, 16); code <= end;) {
      const { name, end: next } = pieceOf(code);
      pieces.add(name);
      code = next + 1;
    }
  }
  return pieces;
}
