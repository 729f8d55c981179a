import { toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { SessionKind } from './page-sessions.ts';

/**
 * Applies the last settings of every new target: all other commands must be sent before, since this resumes it.
 * Resolves once it is resumed; never rejects.
 */
export async function setTargetDefaults(session: CdpSession, kind: SessionKind): Promise<void> {
  // Frames, workers, and workers of workers: all that they request is their page's.
  quietly(session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }));
  if (kind !== 'worker') {
    // Without an answer the chooser would open where nobody sees it, and the page would wait for it.
    quietly(session.send('Page.setInterceptFileChooserDialog', { enabled: true }));
  }
  await session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined); // it was detached meanwhile
}

/**
 * For commands whose failure has no consequence: the target is detached, or does not know the command. An error that is
 * no AppError is a bug, and is thrown.
 */
export function quietly(sent: Promise<unknown>): void {
  sent.catch((thrown: unknown) => {
    if (!toAppError(thrown).code.startsWith('cdp-')) throw thrown;
  });
}
