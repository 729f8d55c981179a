import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** Statuses of answers that lead to another address. */
const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/**
 * Keeps the next document of a page to the host of its address: where its site leads to another one, that is not requested, and `onLed` is
 * called with it. A navigation of CDP counts as typed by the person, on all of its redirects: a page that makes itself be opened again, by
 * a crash, could have any site asked with all of its cookies. `session`: one of its own, attached to the page beside the others, so that
 * other interceptors are not disturbed. Resolves once it is active.
 */
export async function keepToHost(session: CdpSession, url: string, onLed: (to: string) => void): Promise<void> {
  const { hostname } = new URL(url);
  const main = session.targetInfo?.targetId;
  let own: string | undefined;
  session.on('Fetch.requestPaused', (paused) => {
    const { requestId, request, frameId, networkId, responseStatusCode: status, responseErrorReason: error } = paused;
    const isMain = frameId === main;
    if (isMain) own ??= networkId; // the same on all of its redirects
    const isOther = isMain && networkId !== own; // the person has gone elsewhere meanwhile
    const isAnswered = status !== undefined || error !== undefined;
    if (!isMain || isOther || isAnswered || URL.parse(request.url)?.hostname === hostname) {
      quietly(session.send('Fetch.continueRequest', { requestId }));
      if (isOther || (isMain && isAnswered && !isRedirect(status ?? 0))) quietly(session.send('Fetch.disable'));
      return;
    }
    const led = session
      .send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      .then(() => session.send('Fetch.disable'))
      .then(() => onLed(request.url));
    quietly(led);
  });
  const resourceType = 'Document';
  await session.send('Fetch.enable', {
    patterns: [
      { resourceType, requestStage: 'Request' },
      { resourceType, requestStage: 'Response' },
    ],
  });
}
