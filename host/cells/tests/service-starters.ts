import type { Log } from '../../../core/contracts/scope.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { linkPair } from '../../link/tests/memory.ts';
import type { LinkPeer } from '../../link/api.ts';
import type { ActivateService } from '../../contracts/service-scope.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { serveService } from '../../plugins/serve-service.ts';
import { serviceName } from '../../plugins/service-client.ts';
import type { CellExit, StartCell, StartedCell } from '../cell-process.ts';

const NO_RECORDS = { count: () => undefined, append: () => undefined };

/** A service half in this process, behind a link that carries bytes alone. `onStart` gets its end of the link. */
export function serviceInProcess(
  plugin: { readonly id: string; readonly version: string },
  activate: ActivateService,
  log: Log,
  onStart: (own: LinkPeer) => void = () => undefined,
): StartCell {
  return async (): Promise<StartedCell> => {
    const [gateway, own] = linkPair();
    const exit = Promise.withResolvers<CellExit>();
    let dispose = (): void => undefined;
    onStart(own);
    return {
      peer: gateway,
      exited: exit.promise,
      setUp: async () => {
        dispose = await serveService(own, { plugin, activate, options: {}, records: NO_RECORDS, log });
      },
      kill: async () => {
        dispose();
        own.close('killed');
        exit.resolve({ code: null, signal: 'SIGKILL' });
      },
    };
  };
}

/** The service halves of plugins of the build, each in this process. */
export function serviceStarters(plugins: readonly RegisteredPlugin[], log: Log): ReadonlyMap<string, StartCell> {
  return new Map(
    plugins.flatMap(({ manifest, activateService }) =>
      activateService ? [[serviceName(manifest), serviceInProcess(manifest, activateService, log)] as const] : [],
    ),
  );
}

/** A rejection with the code of an AppError. */
export async function codeOf(rejecting: Promise<unknown>): Promise<string> {
  try {
    await rejecting;
    return 'none';
  } catch (thrown) {
    return thrown instanceof AppError ? thrown.code : String(thrown);
  }
}
