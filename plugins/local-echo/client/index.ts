import { rendererToken } from '../../../core/index.ts';
import type { ActivateClient } from '../../../core/index.ts';
import type { manifest } from '../manifest.ts';
import { editorSeqDone, precheckFailure } from '../protocol.ts';
import type { startEcho } from './start.ts';

/** Moments before somebody may type. */
const BEFORE = ['focusin', 'keydown'] as const;

/** Loads the echo once something has the focus in the view: most pages are only read. */
export const activate: ActivateClient<typeof manifest> = (scope) => {
  const { enabled = true, extended = true } = Object(scope.session.capabilities['local_echo']) as LocalEchoCapability;
  if (!enabled) return;
  let isWanted = false;
  let echo: Awaited<ReturnType<typeof startEcho>>;
  const load = async (): Promise<void> => {
    if (isWanted) return;
    isWanted = true;
    const part = await import('./start.ts');
    if (!scope.signal.aborted) echo = await part.startEcho(scope, extended);
  };
  scope.commands.handle(editorSeqDone, ({ seq, is_exact: isExact }) => echo?.handled({ seq, is_exact: isExact }));
  scope.commands.handle(precheckFailure, ({ target, length, hash }) => echo?.differs({ target, length, hash }));
  scope.onDispose(
    scope.services.get(rendererToken).documents(({ document }) => {
      const ending = new AbortController();
      for (const type of BEFORE) document.addEventListener(type, load, { capture: true, signal: ending.signal });
      if (document.activeElement && document.activeElement !== document.body) void load();
      return () => ending.abort();
    }),
  );
};

interface LocalEchoCapability {
  readonly enabled?: boolean;
  readonly extended?: boolean;
}
