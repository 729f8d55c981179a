/**
 * Test files that take longest, from the root. They begin first: one that begins late runs alone at the end, while the
 * other workers have nothing to do. `npm test` lists the slowest files at its end.
 */
export const SLOW_FILES: readonly string[] = [
  'core/overlay/tests/overlay.test.ts',
  'core/session/tests/session-end.test.ts',
  'host/cell/tests/link-contract.test.ts',
  'host/cell/tests/tab-prewarmer.test.ts',
  'host/cell/tests/worker.test.ts',
  'host/plugins/external/tests/start.test.ts',
  'host/plugins/threads/tests/threaded-half.test.ts',
  'host/plugins/threads/tests/threaded-session.test.ts',
  'tests/contract/activation.test.ts',
  'tests/e2e/attacks.spec.ts',
  'tests/e2e/cells.spec.ts',
  'tests/e2e/create-plugin.spec.ts',
  'tests/e2e/fidelity.spec.ts',
  'tests/e2e/isolation-pages.spec.ts',
  'tests/e2e/print.spec.ts',
  'tests/e2e/requests.spec.ts',
  'tests/e2e/session-plugin.spec.ts',
  'tests/e2e/without.spec.ts',
  'tests/faults/bodies.test.ts',
  'tests/faults/leftovers.test.ts',
  'tests/faults/stall.test.ts',
  'tests/security/linear-patterns.test.ts',
  'tests/security/renderer-bodies.test.ts',
  'tests/security/renderer-cdp.test.ts',
  'tests/security/renderer-markup.test.ts',
  'tests/security/renderer-messages.test.ts',
];
