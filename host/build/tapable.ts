import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'rollup';

const lib = path.dirname(createRequire(import.meta.url).resolve('tapable'));

const HOOKS = [
  'SyncHook',
  'SyncBailHook',
  'SyncWaterfallHook',
  'AsyncParallelHook',
  'AsyncSeriesHook',
  'AsyncSeriesBailHook',
  'AsyncSeriesWaterfallHook',
];

const UTIL = path.join(lib, 'util-browser.js');

// core/hooks gives every hook its own `compile`; tapable's would need `new Function`, which the shell's CSP forbids.
const REPLACED: Readonly<Record<string, string>> = {
  [path.join(lib, 'HookCodeFactory.js')]: 'module.exports = class {};',
  [UTIL]: 'exports.deprecate = (fn) => fn;',
};

/** Removes tapable's code generator, and the hook classes that are not imported. */
export function tapableWithoutCompiler(): Plugin {
  return {
    name: 'tapable-without-compiler',
    resolveId(id, importer) {
      if (id === 'tapable') return { id: '\0tapable', moduleSideEffects: false };
      return id === 'util' && importer?.startsWith(lib) ? UTIL : null;
    },
    load(id) {
      if (id !== '\0tapable') return REPLACED[id] ?? null;
      return HOOKS.map((h) => `export { default as ${h} } from ${JSON.stringify(path.join(lib, `${h}.js`))};`).join(
        '\n',
      );
    },
  };
}
