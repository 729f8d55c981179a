import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readSources } from './sources.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Beginnings of comments that make the reader wait for the noun. */
const BEGINNING =
  /^[ \t]*(?:\/\/|\/\*\*?(?:\s*\*)?)[ \t]+(?:What|Whom|So long|So many|How long|How many|How often)\b.*/gm;

function oddComments(file: string, text: string): string[] {
  return [...text.matchAll(BEGINNING)].map(([comment]) => `${file}: ${comment.trim()}`);
}

it('no comment begins with a question word: it begins with what a thing is or does', () => {
  const found = [...readSources(root)].flatMap(([file, text]) => oddComments(file, text));
  expect(found).toEqual([]);
});

/** Words and phrases that readers in a second language stumble over. */
const ODD_WORDS = /\b(?:[Tt]old|seldom|(?:a|an) \w+ that is none)\b/g;

it('no comment, error or log of the product uses a word that is hard to understand in a second language', () => {
  const product = [...readSources(root)].filter(
    ([file]) => /^(?:core|host|plugins)\//.test(file) && !/\/tests\//.test(file),
  );
  const found = product.flatMap(([file, text]) => [...text.matchAll(ODD_WORDS)].map(([word]) => `${file}: ${word}`));
  expect(found, 'say: notified, reported, sent').toEqual([]);
});

it('no document uses one either', () => {
  const documents = globSync('{*.md,{.github,core,host,plugins,tests}/**/*.md}', {
    cwd: root,
    exclude: ['**/node_modules/**', 'tests/REQUIREMENTS.md'], // whose words are the specification's
  });
  expect(documents.length).toBeGreaterThan(30);
  const found = documents.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(ODD_WORDS)].map(([word]) => `${file}: ${word}`),
  );
  expect(found, 'say: notified, reported, sent').toEqual([]);
});

it.each([
  '// What it is',
  '/** So long after it, in ms. */',
  '/**\n * How many there are\n */',
  '  /* Whom it serves */',
])('finds %j', (text) => expect(oddComments('a.ts', text)).toHaveLength(1));

it.each(['// Time until what comes', '/** Whether it is so. */', "const a = '// What'; // What follows is code"])(
  'lets %j pass',
  (text) => expect(oddComments('a.ts', text)).toEqual([]),
);
