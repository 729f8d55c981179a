import { expect, it } from 'vitest';
import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import { checkRecorded, metricName } from '../recorded.ts';
import { declaredOptions, optionsForCells, optionsOf, optionUsage, optionValue } from '../options.ts';

const about = 'largest document';
const number = { kind: 'number', unit: 'MIB', min: 1, max: 9, fallback: 4, about } as const;

it.each([
  [{ options: { Big: number } }, /options\.Big/],
  [{ options: { big: { ...number, fallback: 10 } } }, /options\.big: the fallback is between min and max/],
  [{ options: { big: { ...number, unit: 'a file' } } }, /options\.big\.unit: a word in capitals/],
  [{ options: { big: { kind: 'file', about } } }, /options\.big\.kind/],
  [{ options: { big: { kind: 'switch', about, more: 1 } } }, /options\.big\.more: there is no such key/],
  [{ options: { big: { kind: 'text', value: 'URL', fallback: 'x'.repeat(1001), about } } }, /options\.big\.fallback/],
  [{ options: { big: { ...number, min: -1 } } }, /options\.big\.min/],
  [{ options: { big: { ...number, about: 'red \u001b[31m' } } }, /options\.big\.about: one line of text/],
  [
    { options: { big: { kind: 'text', value: 'URL', fallback: 'a\u0007', about } } },
    /options\.big\.fallback: one line of text/,
  ],
  [{ options: { big: { ...number, only: 'cell' } } }, /options\.big\.only/],
  [{ metrics: { documents: '' } }, /metrics\.documents/],
  [{ metrics: { documents: 'one\ntwo' } }, /metrics\.documents: one line/],
  [{ metrics: { '../up': about } }, /metrics/],
  [{ eventFiles: { '../up': about } }, /eventFiles/],
  [{ eventFiles: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`e${at}`, about])) }, /at most 20/],
])('refuses %j', (manifest, reason) => {
  expect(() => checkRecorded(manifest as never)).toThrow(
    expect.objectContaining({ code: 'bad-manifest', message: expect.stringMatching(reason) as string }),
  );
});

it('takes options, counters and event files', () => {
  checkRecorded({});
  checkRecorded({
    options: {
      big: number,
      loud: { kind: 'switch', about },
      server: { kind: 'text', value: 'URL', fallback: '', about },
      servers: { kind: 'texts', flag: 'server', value: 'URL', pattern: 'https:.*', about },
    },
    metrics: { 'big-documents': about },
    eventFiles: { documents: about },
  });
  expect(metricName('my-print', 'big-documents')).toBe('vitrine_plugin_my_print_big_documents_total');
});

it('takes an option once: versions of one plugin share it, two plugins do not', () => {
  const plugin = (id: string, options: NonNullable<AnyManifest['options']> = { max: number }) => ({ id, options });
  expect(declaredOptions([plugin('print'), plugin('print')], ['port']).map(({ flag }) => flag)).toEqual(['print-max']);
  for (const [manifests, taken] of [
    [[plugin('print'), plugin('print', { max: { ...number, max: 8 } })], []],
    [[plugin('print-a', { b: number }), plugin('print', { 'a-b': number })], []],
    [[plugin('log', { level: number })], ['log-level']],
  ] as const)
    expect(() => declaredOptions(manifests, taken)).toThrow(expect.objectContaining({ code: 'bad-plugin' }));
});

it('validates what is given for an option', () => {
  const option = (declaration: Parameters<typeof optionValue>[0]['declaration']) =>
    ({ plugin: 'print', name: 'max', flag: 'print-max', declaration }) as const;
  expect(optionValue(option(number), undefined)).toBe(4);
  expect(optionValue(option(number), '9')).toBe(9);
  for (const wrong of ['0', '10', '-1', '1e1', '4.5', 'x', ''])
    expect(() => optionValue(option(number), wrong)).toThrow(/--print-max: .* a whole number from 1 to 9 is needed/);
  const text = option({ kind: 'text', value: 'URL', fallback: 'none', about });
  expect([optionValue(text, undefined), optionValue(text, 'a')]).toEqual(['none', 'a']);
  expect(() => optionValue(text, 'x'.repeat(1001))).toThrow(/longer than 1000 characters/);
  const flag = option({ kind: 'switch', about });
  expect([undefined, true, 'yes', 'no', ''].map((given) => optionValue(flag, given))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
  expect(optionUsage(option(number))).toEqual({ value: 'MIB', text: 'largest document (4)' });
});

it('gives cells no option that is for the service half alone', () => {
  const declared = declaredOptions(
    [
      {
        id: 'scan',
        options: { key: { kind: 'text', value: 'KEY', fallback: '', only: 'service', about }, max: number },
      },
    ],
    [],
  );
  const all = { scan: { key: 'secret', max: 4 } };
  expect(optionsForCells(all, declared)).toEqual({ scan: { max: 4 } });
  expect(optionsOf(all, 'scan')).toEqual({ key: 'secret', max: 4 });
  expect(optionsOf(all, 'constructor')).toEqual({});
});
