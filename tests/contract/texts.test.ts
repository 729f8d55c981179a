import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folders = globSync('{core,plugins}/**/messages/en.ts', { cwd: root }).map((file) => path.dirname(file));

async function textsOf(folder: string, language: string): Promise<Readonly<Record<string, string>>> {
  const { href } = pathToFileURL(path.join(root, folder, `${language}.ts`));
  return ((await import(href)) as { texts: Readonly<Record<string, string>> }).texts; // as all of them export it
}

/** Parameters of each text, by its id. */
const paramsOf = (texts: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, text.match(/\{\w+\}/g)?.sort() ?? []]));

it('finds catalogues', () => expect(folders.length).toBeGreaterThan(15));

it.each(folders.flatMap((folder) => ['de', 'ar'].map((language) => [folder, language] as const)))(
  '[M-010] all texts of %s are there in %s, with the same parameters',
  async (folder, language) => {
    expect(paramsOf(await textsOf(folder, language))).toEqual(paramsOf(await textsOf(folder, 'en')));
  },
);
