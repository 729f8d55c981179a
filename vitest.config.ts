import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { PATIENCE_MS, TEST_LIMIT_MS } from './core/testing/patience.ts';
import { pluginRegistry } from './host/build/plugin-registry.ts';
import { SLOW_FILES } from './tests/slow-files.ts';

const registry = pluginRegistry(import.meta.dirname);

const INCLUDE = [
  '{core,plugins,host}/**/tests/**/*.test.{ts,tsx}',
  'tests/{contract,security,lint,bundle,faults,fidelity,walked}/**/*.test.{ts,tsx}',
];
/** Files of the long tier (`npm run test:long`) alone. */
const LONG = process.env.VITRINE_LONG ? [] : ['tests/faults/soak.test.ts'];
/** Files that measure memory or processor time of their process: each has a process of its own. */
const MEASURING = [
  'core/protocol/bodies/tests/bounds.test.ts',
  'host/link/tests/{stopped,wire}.test.ts',
  'host/policy/tests/{policy,policy-reader}.test.ts',
  'plugins/files/tests/judge-scanners.test.ts',
  'plugins/mirror/host/sanitize/tests/linear-time.test.ts',
  'plugins/mirror/host/tests/long-sheets.test.ts',
];

const SLOW = new Set(SLOW_FILES.map((file) => path.join(import.meta.dirname, file)));

/** Begins the slow files of a project before its others. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * projects.indexOf(project) + (SLOW.has(moduleId) ? 0 : 1);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  // Vite takes Rollup's plugins; only these two of its hooks are used.
  plugins: [{ name: registry.name, resolveId: registry.resolveId as never, load: registry.load as never }],
  test: {
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['tests/property-seed.ts', 'tests/shared-process.ts'],
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    allowOnly: false,
    sequence: { sequencer: SlowFirst },
    // Most files share a process, and the modules it has loaded: loading them takes longer than many files' tests.
    projects: [
      { extends: true, test: { name: 'shared', include: INCLUDE, exclude: [...MEASURING, ...LONG], isolate: false } },
      { extends: true, test: { name: 'own process', include: MEASURING } },
    ],
  },
});
