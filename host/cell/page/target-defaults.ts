import { toAppError } from '../../../core/protocol/errors.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { SessionKind } from './page-sessions.ts';

/**
 * What is set on every new target last: whatever else is sent to it has to be sent before, since this lets it run. Resolves once it
 * does; never rejects.
 */
export async function setTargetDefaults(session: CdpSession, kind: SessionKind): Promise<void> {
  if (kind !== 'worker') {
    // Only frames have children that matter here; workers of workers run as they are.
    quietly(session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }));
    // Without an answer the chooser would open where nobody sees it, and the page would wait for it.
    quietly(session.send('Page.setInterceptFileChooserDialog', { enabled: true }));
  }
  await session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined); // it has gone again
}

/**
 * For commands whose failure changes nothing that anybody waits for: the target has gone, or does not know the command.
 * Anything that is no AppError is thrown on: it is a fault of ours.
 */
export function quietly(sent: Promise<unknown>): void {
  sent.catch((thrown: unknown) => {
    if (!toAppError(thrown).code.startsWith('cdp-')) throw thrown;
  });
}
