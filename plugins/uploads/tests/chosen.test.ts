import { expect, it } from 'vitest';
import type { HostScope, SizeLimit } from '../../../host/plugin.ts';
import { refusalOf, wishesOf } from '../host/chosen.ts';
import type { manifest } from '../manifest.ts';
import type { ChosenFile } from '../protocol.ts';

type Scope = HostScope<typeof manifest>;

/** Wishes of an element that describes itself so. */
function wishes(node: unknown): ReturnType<typeof wishesOf> {
  const cdp = { send: async () => Promise.resolve({ node }) };
  return wishesOf({ cdp } as unknown as Scope, { frame: 1, backendNodeId: 9 }); // all that is used of it
}

it('[M-041] the wishes of an element are its own attributes, by their names', async () => {
  expect(await wishes({ attributes: ['accept', '.txt', 'webkitdirectory', ''] })).toEqual({
    accept: '.txt',
    folder: true,
  });
  // A value may have the name of an attribute.
  expect(await wishes({ attributes: ['name', 'accept', 'value', 'webkitdirectory'] })).toEqual({
    accept: '',
    folder: false,
  });
  expect(await wishes({ attributes: ['id', 'x', 'accept'] })).toEqual({ accept: '', folder: false });
  expect(await wishes({})).toEqual({ accept: '', folder: false });
});

it('a wish for a camera names one of two', async () => {
  const camera = async (value: string) => (await wishes({ attributes: ['capture', value] })).capture;
  expect(await camera('user')).toBe('user');
  expect(await camera('USER')).toBe('user');
  expect(await camera('environment')).toBe('environment');
  expect(await camera('')).toBe('environment');
  expect(await camera('no such camera')).toBe('environment');
});

it('a wish of a hostile page is cut, and one of ten thousand attributes is none', async () => {
  expect((await wishes({ attributes: ['accept', `${'a'.repeat(999)}bc`] })).accept).toBe(`${'a'.repeat(999)}b`);
  expect((await wishes({ attributes: ['accept', 'x\ud800'] })).accept).toBe('x\ufffd');
  const many = (length: number) => ({ attributes: Array.from({ length }, () => 'a') });
  expect(await wishes(many(10_000))).toEqual({ accept: '', folder: false });
  await expect(wishes(many(10_001))).rejects.toThrow();
  await expect(wishes(undefined)).rejects.toThrow();
});

const MIB = 1024 * 1024;
const file = (name: string, size: number): ChosenFile => ({ name, size, type: 'n/a', lastModified: 0, path: '' });

/** Judges files by limits of 3 files of 2 MiB, and by rules for sizes by the endings of names. */
function judge(
  files: readonly ChosenFile[],
  isMultiple = true,
  rules: Readonly<Record<string, SizeLimit>> = {},
  limits = {},
) {
  const asked: unknown[] = [];
  const tab = {
    policy: (addresses: unknown) => {
      asked.push(addresses);
      return { transfers: { max_files: 3, max_upload_megabytes: 2, ...limits } };
    },
  };
  const desk = { limitOf: ({ name }: { readonly name: string }) => rules[name.split('.').at(-1) ?? ''] };
  const scope = { tab } as unknown as Scope; // all that is used of it
  const refusal = refusalOf(scope, desk, { files, isMultiple, addresses: ['https://a.test/', 'https://b.test/'] });
  expect(asked).toEqual([['https://a.test/', 'https://b.test/']]);
  return refusal;
}

it('[M-097] as many files as the policy allows may be chosen, each as large as it says, and one where the chooser takes one', () => {
  const whole = file('a.txt', 2 * MIB);
  expect(judge([whole, whole, whole])).toBeUndefined();
  expect(judge([whole], false)).toBeUndefined();
  expect(judge([])).toBeUndefined();
  expect(judge([whole, whole, whole, whole])).toMatchObject({ files: [{ file: 3, reason: 'too-many' }], most: 3 });
  expect(judge([whole, whole], false)).toMatchObject({ files: [{ file: 1, reason: 'too-many' }], most: 1 });
  const large = judge([whole, file('b.txt', 2 * MIB + 1), file('c.txt', 3 * MIB)]);
  expect(large).toEqual({
    files: [
      { file: 1, reason: 'too-large' },
      { file: 2, reason: 'too-large' },
    ],
    most: 2,
    lines: [{ name: 'b.txt', size: 5 * MIB + 1, files: 2 }],
  });
});

it('a rule for sizes names the files that are past it, with its text, and has a line of its own', () => {
  const rules = { exe: { bytes: 10, rule: 'r[0]', message: 'Ask us' }, zip: { bytes: 20, rule: 'r[1]' } };
  expect(judge([file('a.exe', 10), file('b.zip', 20)], true, rules)).toBeUndefined();
  expect(judge([file('a.exe', 11), file('b.zip', 21), file('c.txt', 99)], true, rules)).toEqual({
    files: [
      { file: 0, reason: 'rule', message: 'Ask us' },
      { file: 1, reason: 'rule' },
    ],
    lines: [
      { name: 'a.exe', size: 11, rule: 'r[0]' },
      { name: 'b.zip', size: 21, rule: 'r[1]' },
    ],
  });
});

it('of many files that are refused the client hears the first hundred, and all are in the line', () => {
  const all = Array.from({ length: 150 }, (_, at) => file(`${at}.txt`, 3 * MIB));
  const refusal = judge(all, true, {}, { max_files: 200 });
  expect(refusal?.files).toHaveLength(100);
  expect(refusal?.files.at(-1)).toEqual({ file: 99, reason: 'too-large' });
  expect(refusal?.lines).toEqual([{ name: '0.txt', size: 450 * MIB, files: 150 }]);
});
