import { existsSync } from 'node:fs';
import path from 'node:path';

const EXTENSIONS = ['ts', 'tsx', 'js', 'mjs'];

/** The file `{name}.ts`, or with one of the other endings of sources, below a plugin's folder; undefined when there is none. */
export function sourceFile(folder: string, name: string): string | undefined {
  return EXTENSIONS.map((extension) => path.join(folder, `${name}.${extension}`)).find((file) => existsSync(file));
}
