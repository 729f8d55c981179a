import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const documents = globSync(['*.md', '.github/*.md', '{core,host,plugins,tests}/**/*.md'], {
  cwd: root,
  exclude: ['**/node_modules/**', 'tests/security/collections/**', 'host/cli/template/**'],
});

describe('the documents of this repository', () => {
  it.each(documents)('%s links to existing files', (file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/```.*?```/gs, '');
    const links = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
    const gone = links
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
      .map((target) => path.join(path.dirname(file), target.replace(/#.*$/, '')))
      .filter((target) => !existsSync(path.join(root, target)));
    expect(gone).toEqual([]);
  });

  it.each(documents)('%s names existing files', (file) => {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/```.*?```/gs, '');
    const named = [...text.matchAll(/`((?:core|host|plugins|tests)\/[\w-]+\/[\w./-]+\.(?:tsx?|mjs|json|html))`/g)];
    const isThere = (name: string): boolean =>
      [root, path.join(root, path.dirname(file))].some((folder) => existsSync(path.join(folder, name)));
    expect(named.map(([, name = '']) => name).filter((name) => !isThere(name))).toEqual([]);
  });

  it.each(documents)('%s names existing commands', (file) => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
    const text = readFileSync(path.join(root, file), 'utf8');
    const run = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
  });
});
