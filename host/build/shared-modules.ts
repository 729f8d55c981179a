import { createRequire } from 'node:module';
import type { Plugin } from 'rollup';

/** Packages that our client and third-party client halves share through the shell's import map: one file of them. */
export interface SharedModule {
  /** Base name of the built file, which contains all its packages. */
  readonly file: string;
  readonly specifiers: readonly string[];
  /** CommonJS packages have their exports listed at build time. */
  readonly commonjs: boolean;
}

/** React's four packages need each other and always load together: one file saves requests and 2 KB. */
export const SHARED: readonly SharedModule[] = [
  { file: 'react', specifiers: ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'], commonjs: true },
  {
    file: 'signals-react',
    specifiers: ['@preact/signals-react', '@preact/signals-react/runtime'],
    commonjs: false,
  },
];

export const SHARED_SPECIFIERS: readonly string[] = SHARED.flatMap(({ specifiers }) => specifiers);

const require = createRequire(import.meta.url);

function source({ specifiers, commonjs }: SharedModule): string {
  if (!commonjs) return specifiers.map((specifier) => `export * from ${JSON.stringify(specifier)};`).join('\n');
  const owners = new Map<string, number>();
  specifiers.forEach((specifier, i) => {
    for (const name of Object.keys(require(specifier) as object)) if (!owners.has(name)) owners.set(name, i);
  });
  return [
    ...specifiers.map((specifier, i) => `import m${i} from ${JSON.stringify(specifier)};`),
    `export default { ${specifiers.map((_, i) => `...m${i}`).join(', ')} };`,
    ...[...owners].map(([name, i]) => `export const ${name} = m${i}.${name};`),
  ].join('\n');
}

/** Builds one file of shared packages as an ES module; those of other files stay bare imports. */
export function sharedModule(module: SharedModule): Plugin {
  const virtual = `\0shared:${module.file}`;
  return {
    name: 'shared-module',
    resolveId(id) {
      if (id === `shared:${module.file}`) return virtual;
      if (module.specifiers.includes(id) || !SHARED_SPECIFIERS.includes(id)) return null;
      return { id, external: true };
    },
    load: (id) => (id === virtual ? source(module) : null),
  };
}
