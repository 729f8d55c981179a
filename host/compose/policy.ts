import type { Log } from '../../core/contracts/scope.ts';
import { createPolicyEngine } from '../policy/engine.ts';
import type { PolicyEngine, ReplaceablePolicyEngine } from '../policy/engine.ts';
import { watchPolicy } from '../policy/policy-watch.ts';
import type { PolicyWatch } from '../policy/policy-watch.ts';
import type { Program } from './program.ts';

/** The policy of a running host. */
export interface HostPolicy {
  readonly engine: PolicyEngine;
  /** Ends following the file. */
  readonly close: () => void;
}

/** Makes the engine of a program's policy, and follows its file where there is one; SIGHUP reads it at once. */
export async function openPolicy(
  { policy: first, settings, plugins }: Program,
  file: string | undefined,
  log: Log,
): Promise<HostPolicy> {
  const capabilities = plugins.flatMap(({ manifest }) => manifest.capability ?? []);
  const options = { ...(first && { policy: first }), settings, capabilities, log };
  const engine: ReplaceablePolicyEngine = await createPolicyEngine(options);
  if (file === undefined || !first) return { engine, close: () => {} };
  const watched: PolicyWatch = watchPolicy(file, first, { settings, log, onPolicy: (next) => engine.replace(next) });
  process.on('SIGHUP', () => void watched.reload());
  return { engine, close: () => watched.close() };
}
