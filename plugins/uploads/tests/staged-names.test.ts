import { expect, it } from 'vitest';
import { pathOf } from '../host/staged-path.ts';

it('[M-091] a file of a folder keeps its way, of at most nineteen folders with names of at most 200 bytes', () => {
  const of = (path: string, name = 'a.txt'): string => pathOf({ path, name, safe: 'safe' }, true, new Map()).join('/');
  expect(of('f/in/other.txt')).toBe('f/in/a.txt');
  expect(of('other.txt')).toBe('a.txt');
  expect(of(`${'f/'.repeat(19)}x`).split('/')).toHaveLength(20);
  expect(() => of(`${'f/'.repeat(20)}x`)).toThrow(expect.objectContaining({ code: 'bad-file-path' }));
  expect(of(`${'n'.repeat(200)}/x`)).toBe(`${'n'.repeat(200)}/a.txt`);
  expect(of(`${'n'.repeat(201)}/x`)).toBe(`${'n'.repeat(200)}/a.txt`);
  expect(of(`${'ü'.repeat(100)}/x`)).toBe(`${'ü'.repeat(100)}/a.txt`);
  expect(() => of(`${'ü'.repeat(101)}/x`)).toThrow(expect.objectContaining({ code: 'bad-file-path' }));
  expect(of('a\ud800\u0007\\b/x')).toBe('a\ufffd__b/a.txt');
  for (const path of ['.../x', './x', '/x'])
    expect(() => of(path)).toThrow(expect.objectContaining({ code: 'bad-file-path' }));
  expect(of('.a/x')).toBe('.a/a.txt');
});

it('files of one name get numbers before their endings, in each folder by itself', () => {
  const taken = new Map<string, number>();
  const of = (name: string, path = ''): string => pathOf({ path, name, safe: 'safe' }, true, taken).join('/');
  expect(['.env', '.env', 'a.tar.gz', 'a.tar.gz', 'x', 'x'].map((name) => of(name))).toEqual([
    '.env',
    '.env (1)',
    'a.tar.gz',
    'a.tar (1).gz',
    'x',
    'x (1)',
  ]);
  expect(['b (1).txt', 'b.txt', 'b.txt', 'b (1).txt'].map((name) => of(name))).toEqual([
    'b (1).txt',
    'b.txt',
    'b (2).txt',
    'b (1) (1).txt',
  ]);
  expect(of('b (2).txt')).toBe('b (2) (1).txt');
  expect([of('x', 'f/x'), of('x', 'f/x'), of('x', 'g/x')]).toEqual(['f/x', 'f/x (1)', 'g/x']);
});

it('a page sees the names of files as they are on the device, and others only where no file system has them', () => {
  const of = (name: string): string => pathOf({ path: '', name, safe: 'safe.txt' }, true, new Map()).join('/');
  const kept = [
    'two  spaces.txt',
    'a:b?.txt',
    'con.txt',
    'cafe\u0301.txt',
    'end.',
    ' a\u3000b',
    `${'n'.repeat(251)}.txt`,
  ];
  expect(kept.map(of)).toEqual(kept);
  for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', 'a\ud800', 'n'.repeat(256)])
    expect(of(name), name).toBe('safe.txt');
});

it('files whose paths no page sees keep a name that others have, too', () => {
  const taken = new Map<string, number>();
  const of = (name: string): readonly string[] => pathOf({ path: 'f/x', name, safe: 'safe' }, false, taken);
  const paths = ['a.txt', 'a.txt', 'A.txt', '1'].map(of);
  expect(paths.map(([, name]) => name)).toEqual(['a.txt', 'a.txt', 'A.txt', '1']);
  expect(new Set(paths.map(([folder]) => folder)).size).toBe(4);
});
