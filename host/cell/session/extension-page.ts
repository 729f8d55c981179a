import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../core/protocol/errors.ts';
import { onAbort } from '../../../core/protocol/on-abort.ts';
import type { ExtensionPage } from '../../contracts/session-scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { Surrogate } from '../../surrogate/launch.ts';
import { quietly } from '../page/target-defaults.ts';
import type { Targets } from './targets.ts';

/** Interval and number of checks until the page exists. */
const OPEN_LOOK_MS = 10;
const OPEN_LOOKS = 500;

/**
 * Opens a page of a surrogate's extension, with permissions by their names in CDP. It always has the focus. The caller
 * closes it.
 *
 * @throws AppError `extension-page-failed`, or as CdpSession.send.
 */
export async function openExtensionPage(
  { connection: { root }, extensionOrigin: origin }: Pick<Surrogate, 'connection' | 'extensionOrigin'>,
  targets: Targets | undefined,
  path: string,
  permissions: readonly string[] = [],
): Promise<ExtensionPage> {
  if (!targets || origin === undefined)
    throw new AppError('extension-page-failed', 'The surrogate has no pages of an extension.', { retryable: true });
  const grant = (name: string): Promise<unknown> =>
    root.send('Browser.setPermission', { permission: { name }, setting: 'granted', origin });
  const page = await targets.open(`${origin}/${path}`);
  try {
    await Promise.all([
      ...permissions.map(grant),
      page.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      page.send('Runtime.runIfWaitingForDebugger'),
    ]);
    const expression = `location.origin === ${JSON.stringify(origin)} && document.readyState === 'complete'`;
    // It starts blank, and may have loaded before a listener could be added.
    for (let looks = 0; looks < OPEN_LOOKS; looks += 1) {
      const { result } = await page.send('Runtime.evaluate', { expression });
      if (result.value === true) return extensionPage(page, () => targets.close(page));
      await delay(OPEN_LOOK_MS);
    }
    throw new AppError('extension-page-failed', 'The page of the extension did not load in time.', { retryable: true });
  } catch (thrown) {
    targets.close(page);
    throw thrown;
  }
}

function extensionPage(page: CdpSession, closePage: () => void): ExtensionPage {
  const gone = new AbortController();
  const close = (): void => {
    if (gone.signal.aborted) return;
    gone.abort(new AppError('cdp-closed', 'The page of the extension is closed.', { retryable: true }));
    closePage();
  };
  onAbort(page.closed, () => gone.abort(page.closed.reason));
  page.on('Inspector.targetCrashed', close);
  quietly(page.send('Inspector.enable'));
  return {
    call: async (source, args, options) => {
      const { result, exceptionDetails } = await page.send(
        'Runtime.evaluate',
        {
          expression: `(${source})(${args.map((each) => JSON.stringify(each)).join()})`,
          awaitPromise: true,
          returnByValue: true,
          userGesture: true,
        },
        options?.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs },
      );
      if (exceptionDetails)
        throw new AppError('script-failed', exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as unknown;
    },
    closed: gone.signal,
    close,
  };
}
