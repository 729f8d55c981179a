import type { AnyManifest } from '../../../core/contracts/manifest.ts';
import type { HostScope } from '../../contracts/host-scope.ts';
import { runHalf } from './running-half.ts';
import type { HalfListener } from './running-half.ts';
import { scopeMethods } from './scope-methods.ts';

/**
 * Makes the host half `file` of the plugin in `folder` one that runs in a thread of its own for each tab. What comes of it rejects when it cannot
 * be activated.
 */
export function threadedHalf(
  folder: string,
  file: string,
  manifest: AnyManifest,
): (scope: HostScope, listener: HalfListener) => Promise<void> {
  return async (scope, listener) => {
    const { plugin, tab, options, log } = scope;
    const { id, cid, person, capabilities } = tab;
    await runHalf({
      folder,
      node: manifest.permissions?.node ?? [],
      task: { kind: 'run', file, facts: { plugin, options, tab: { id, cid, person, capabilities } } },
      log,
      onDispose: (undo) => scope.onDispose(undo),
      methods: (calls) => scopeMethods(scope, manifest, calls),
      listener,
    });
  };
}
