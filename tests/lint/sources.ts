import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Sources by path from the root, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

/** Reads all sources of a checkout, tests and examples included. */
export function readSources(root: string): Sources {
  const files = globSync(['{core,host,plugins,tests}/**/*.{ts,tsx,mjs}', '*.{ts,js}'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', 'tests/**/corpus/**', 'tests/**/pages/**'],
  });
  return new Map(
    files.sort().map((file) => [file.split(path.sep).join('/'), readFileSync(path.join(root, file), 'utf8')]),
  );
}
