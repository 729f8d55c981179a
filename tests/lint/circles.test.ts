import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileGraph, folderGraph, knots, knotted, roomGraph, without } from './circles.ts';
import { FOLDER_CIRCLES } from './exceptions.ts';
import { readSources } from './sources.ts';

const sources = readSources(path.resolve(import.meta.dirname, '../..'));
const listed = Object.keys(FOLDER_CIRCLES);

describe('imports', () => {
  it('make no circle of files, except for types', () => {
    expect(knots(fileGraph(sources, false))).toEqual([]);
  });

  it('make no circle of folders, types included, except those that exceptions.ts lists', () => {
    const circles = knotted(without(folderGraph(sources), listed));
    expect(circles, 'move what both need to a folder below: see tests/lint/circles.ts').toEqual([]);
  });

  it('make no circle of rooms either', () => {
    expect(knotted(roomGraph(folderGraph(sources)))).toEqual([]);
  });

  it('are listed as closing a circle only where they do', () => {
    const folders = folderGraph(sources);
    const needless = listed.filter((each) => {
      const others = listed.filter((other) => other !== each);
      return knots(without(folders, others)).length === 0;
    });
    expect(needless).toEqual([]);
  });
});

describe('the search for circles', () => {
  const files = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts));

  it('finds files that load each other, over others or late', () => {
    const texts = {
      'core/x/a.ts': "import { b } from './b.ts';",
      'core/x/b.ts': "export { c } from './c.ts';",
      'core/x/c.ts': "const a = await import('./a.ts');",
      'core/x/d.ts': "import { a } from './a.ts';",
    };
    expect(knots(fileGraph(files(texts), false))).toEqual([['core/x/a.ts', 'core/x/b.ts', 'core/x/c.ts']]);
  });

  it('allows type imports in both directions between files, but not between folders', () => {
    const texts = files({
      'core/x/a.ts': "import { b } from '../y/b.ts';",
      'core/y/b.ts': "import type { A } from '../x/a.ts';",
    });
    expect(knots(fileGraph(texts, false))).toEqual([]);
    expect(knots(folderGraph(texts))).toEqual([['core/x', 'core/y']]);
  });

  it('finds rooms that reach each other, without any circle of their folders', () => {
    const texts = files({
      'host/x/inner/a.ts': "import { b } from '../../y/b.ts';",
      'host/y/other/c.ts': "import { d } from '../../x/d.ts';",
      'host/y/b.ts': '',
      'host/x/d.ts': '',
    });
    expect(knots(folderGraph(texts))).toEqual([]);
    expect(knots(roomGraph(folderGraph(texts)))).toEqual([['host/x', 'host/y']]);
  });

  it('treats the entry of host halves separately, and ignores tests', () => {
    const texts = files({
      'host/plugin.ts': "export { b } from './y/b.ts';",
      'host/y/b.ts': "import type { Z } from '../z.ts';",
      'host/z.ts': "import * as entry from './plugin.ts';",
      'host/y/tests/b.test.ts': "import { a } from '../../plugin.ts';",
    });
    expect(knots(folderGraph(texts))).toEqual([['host', 'host/plugin.ts', 'host/y']]);
    texts.delete('host/z.ts');
    expect(knots(folderGraph(texts))).toEqual([]);
  });
});
