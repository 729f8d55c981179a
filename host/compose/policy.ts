import type { Log } from '../../core/contracts/scope.ts';
import { createPolicyEngine } from '../policy/engine.ts';
import type { PolicyEngine, ReplaceablePolicyEngine } from '../policy/engine.ts';
import { idleSwitches, logIdle } from '../policy/idle-switches.ts';
import { watchPolicy } from '../policy/policy-watch.ts';
import type { PolicyWatch } from '../policy/policy-watch.ts';
import type { Program } from './program.ts';

/** The policy of a running host. */
export interface HostPolicy {
  readonly engine: PolicyEngine;
  /** Ends following the file. */
  readonly close: () => void;
}

/**
 * Makes the engine of a program's policy, and follows its file where there is one; SIGHUP reads it at once. Switches
 * without effect are logged.
 */
export async function openPolicy(
  { policy: first, settings, plugins }: Program,
  file: string | undefined,
  log: Log,
): Promise<HostPolicy> {
  const capabilities = plugins.flatMap(({ manifest }) => manifest.capability ?? []);
  const options = { ...(first && { policy: first }), settings, capabilities, log };
  const engine: ReplaceablePolicyEngine = await createPolicyEngine(options);
  if (file === undefined || !first) return { engine, close: () => {} };
  logIdle(log, file, idleSwitches(first, options));
  const watched: PolicyWatch = watchPolicy(file, first, { ...options, onPolicy: (next) => engine.replace(next) });
  const reload = (): void => void watched.reload();
  process.on('SIGHUP', reload);
  return {
    engine,
    close: () => {
      process.off('SIGHUP', reload);
      watched.close();
    },
  };
}
