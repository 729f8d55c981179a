import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { pluginRegistry } from '../../host/build/plugin-registry.ts';

/** The copy of the checkout that holds the mutants, or the checkout itself. */
const root = path.resolve(import.meta.dirname, '../..');
const registry = pluginRegistry(root);

export default defineConfig({
  root,
  plugins: [{ name: registry.name, resolveId: registry.resolveId as never, load: registry.load as never }],
  test: {
    environment: 'node',
    setupFiles: ['tests/property-seed.ts'],
    include: (process.env.VITRINE_MUTATION_TESTS ?? '').split(';'),
  },
});
