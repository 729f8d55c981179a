import { expect, it } from 'vitest';
import { pathOf } from '../host/staged-path.ts';

it('[M-091] a file of a folder keeps its way, of at most nineteen folders with names of at most 200 bytes', () => {
  const of = (path: string, name = 'a.txt'): string => pathOf(path, name, new Map()).join('/');
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
  const of = (name: string, path = ''): string => pathOf(path, name, taken).join('/');
  expect(['.env', '.env', 'a.tar.gz', 'a.tar.gz', 'x', 'X'].map((name) => of(name))).toEqual([
    '.env',
    '.env (1)',
    'a.tar.gz',
    'a.tar (1).gz',
    'x',
    'X (1)',
  ]);
  expect(['b (1).txt', 'b.txt', 'b.txt', 'b (1).txt'].map((name) => of(name))).toEqual([
    'b (1).txt',
    'b.txt',
    'b (2).txt',
    'b (1) (1).txt',
  ]);
  expect(of('b (2).txt')).toBe('b (2) (1).txt');
  expect([of('x', 'f/x'), of('x', 'F/x'), of('x', 'g/x')]).toEqual(['f/x', 'F/x (1)', 'g/x']);
});
