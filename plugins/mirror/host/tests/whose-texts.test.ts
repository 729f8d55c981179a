import { beforeEach, expect, it } from 'vitest';
import { SheetTexts } from '../sheet-texts.ts';
import type { SafeTextOptions } from '../sheet-texts.ts';
import type { AddressContext } from '../sanitize/addresses.ts';
import type { SheetJob } from '../sanitize/batch-sanitizer.ts';
import { SvgFiles } from '../svg-files.ts';

const PICTURE = 'data:image/png;base64,AAAA';
const SHEET = `p { background: url(${PICTURE}) } q { background: url(q.png) } ${'b { color: red }'.repeat(20_000)}`;
const FILE = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${PICTURE}"/><image href="q.png"/></svg>`;

/** Origin of the tab's page, and the strictness of its policy. */
let [origin, isStrict] = ['a', false];
let asked: string[];
let answer: (text: string) => Promise<string> = (text) => Promise.resolve(text);
const kin = (): string => `${origin} ${isStrict}`;
const options: SafeTextOptions = {
  load: (_, address) => answer(address.endsWith('.svg') ? FILE : SHEET),
  resource: (kind, address, frame) => {
    asked.push(`${frame} ${address}`);
    return address.startsWith('data:image/svg') ? `svg:${decodeURIComponent(address)}` : `/c/${kind}/${origin}`;
  },
  keepsInline: () => !isStrict,
  kin,
};
let [sheets, files] = [new SheetTexts(options), new SvgFiles(options)];
beforeEach(() => {
  [origin, isStrict, asked] = ['a', false, []];
  [sheets, files] = [new SheetTexts(options), new SvgFiles(options)];
  answer = (text) => Promise.resolve(text);
});

const sheet = async (frame = 1): Promise<string> => {
  const job = { op: 0, address: 'https://site.test/a.css', still: false };
  const { parts } = await sheets.text(frame, job, new AbortController().signal);
  return parts.join('').slice(0, 120);
};
const file = async (frame = 1): Promise<string> => String(await files.path(frame, 'https://site.test/a.svg'));

it.each([
  ['sheets', sheet],
  ['SVG files', file],
])('%s that were sanitized before the policy became strict are sanitized again', async (_, text) => {
  expect(await text()).toContain(PICTURE);
  isStrict = true;
  expect(await text()).not.toContain(PICTURE);
  isStrict = false;
  expect(await text()).toContain(PICTURE);
});

it.each([
  ['sheets', sheet],
  ['SVG files', file],
])('%s that were sanitized for another site are sanitized again', async (_, text) => {
  expect(await text()).toContain('/c/i/a');
  origin = 'b';
  expect(await text()).toContain('/c/i/b');
});

it('resources of cached sheets are fetched for the frame that shows them', async () => {
  await sheet(1);
  asked = [];
  expect(await sheet(2)).toContain('/c/i/a');
  expect(asked).toEqual(['2 https://site.test/q.png']);
});

it('sheets that were sanitized while the policy became strict are not cached', async () => {
  const started = sheet();
  await new Promise((resolve) => setImmediate(resolve));
  isStrict = true;
  await started;
  isStrict = false;
  asked = [];
  await sheet();
  expect(asked).toContain('1 https://site.test/q.png');
  expect(await sheet()).toContain(PICTURE);
});

it('sheets that are sanitized while the frame navigates to another site get no tokens of that site', async () => {
  const { resource, keepsInline } = options;
  const context: AddressContext = {
    base: 'https://site.test/',
    page: 'https://site.test/',
    still: false,
    resource: (kind, address) => resource(kind, address, 1),
    keepsInline,
    fonts: undefined,
  };
  const rules = 'b { color: red }'.repeat(60_000);
  const job = (text: string): SheetJob => ({
    op: 0,
    address: 'https://site.test/',
    still: false,
    importsNothing: true,
    source: { text, context },
  });
  const { signal } = new AbortController();
  const started = [
    sheets.text(1, job(`${rules} q { background: url(//bank.test/logout) }`), signal),
    sheets.text(1, job('q { background: url(//bank.test/logout) }'), signal),
  ];
  origin = 'b';
  expect((await Promise.all(started)).map(({ parts }) => parts.join(''))).toEqual(['', '']);
  expect(asked.filter((each) => each.includes('bank'))).toEqual([]);
});

it('files that arrive after the frame has navigated to another site get no tokens of that site', async () => {
  let come = (_text: string): void => undefined;
  answer = () => new Promise((resolve) => (come = resolve));
  const started = sheet();
  origin = 'b';
  come(SHEET);
  expect(await started).toBe('');
  expect(asked.filter((each) => each.includes('q.png'))).toEqual([]);
});

it('SVG files belong to the document: another one in the frame may get others', async () => {
  const first = await file();
  answer = () => Promise.resolve('<svg xmlns="http://www.w3.org/2000/svg"><text>other</text></svg>');
  expect(await file()).toBe(first);
  files.forget(1);
  expect(await file()).toContain('other');
  let come = (_text: string): void => undefined;
  answer = () => new Promise((resolve) => (come = resolve));
  files.forget(1);
  const late = file();
  files.forget(1);
  come(FILE);
  expect(await late).toBe('undefined');
});
