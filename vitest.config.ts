import { defineConfig } from 'vitest/config';
import { pluginRegistry } from './host/build/plugin-registry.ts';

const registry = pluginRegistry(import.meta.dirname);

export default defineConfig({
  // Vite takes Rollup's plugins; only these two of its hooks are used.
  plugins: [{ name: registry.name, resolveId: registry.resolveId as never, load: registry.load as never }],
  test: {
    include: [
      '{core,plugins,host}/**/tests/**/*.test.{ts,tsx}',
      'tests/{contract,security,lint,bundle,faults}/**/*.test.{ts,tsx}',
    ],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    allowOnly: false,
  },
});
