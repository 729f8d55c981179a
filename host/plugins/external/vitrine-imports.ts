import { realpathSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** In the scope of our own package.json, whose `exports` say what plugins may import. */
const OWN = pathToFileURL(path.resolve(import.meta.dirname, '../../../package.json')).href;
const require = createRequire(OWN);

/** `vitrine` and what is below it. */
export const VITRINE_SPECIFIER = /^vitrine(\/|$)/;

/** The file of this checkout that a specifier such as `vitrine/page` stands for. @throws Error when there is none. */
export function vitrineFile(specifier: string): string {
  return require.resolve(specifier);
}

const folders = new Set<string>();

/**
 * From now on modules in these folders that import `vitrine/...` get this checkout's, whatever lies in a `node_modules` of theirs: halves
 * and host must share one copy, of the error class above all. Calls add up; there is no undo.
 */
export function letImportVitrine(added: readonly string[]): void {
  const isFirst = folders.size === 0 && added.length > 0;
  for (const folder of added) folders.add(pathToFileURL(realpathSync(folder) + path.sep).href);
  if (!isFirst) return;
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context;
      const isTheirs =
        parentURL !== undefined &&
        VITRINE_SPECIFIER.test(specifier) &&
        [...folders].some((folder) => parentURL.startsWith(folder));
      return next(specifier, isTheirs ? { ...context, parentURL: OWN } : context);
    },
  });
}
