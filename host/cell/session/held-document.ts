import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** The document of a page whose request has not been sent yet. */
export interface HeldDocument {
  /** Resolves with the address that the page asks for, once it does; never for one that asks for nothing. */
  readonly asked: Promise<string>;
  /** Sends the request that is held, and holds no further one. Idempotent. */
  release(): void;
  /** Ends the request that is held, and any further one: Chromium sends it when the page is closed with it. Idempotent. */
  abandon(): void;
}

/**
 * Holds back the requests for a page's main document. `session` is one of its own, attached to the page beside the others, so
 * that other interceptors are not disturbed. Resolves once it is active; what the page asks for afterwards stays in the browser
 * with all that belongs to it: initiator, method, body.
 *
 * @throws AppError as CdpSession.send
 */
export async function holdDocument(session: CdpSession): Promise<HeldDocument> {
  const main = session.targetInfo?.targetId; // the id of the main frame, too
  const { promise: asked, resolve } = Promise.withResolvers<string>();
  /** A page has one navigation under way: a later one has cancelled it. */
  let held: string | undefined;
  let state: 'holds' | 'sends' | 'fails' = 'holds';
  const send = (requestId: string): void => quietly(session.send('Fetch.continueRequest', { requestId }));
  const fail = (requestId: string): void =>
    quietly(session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }));
  session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
    if (state === 'fails') {
      fail(requestId);
      return;
    }
    if (state === 'sends' || frameId !== main) {
      send(requestId);
      return;
    }
    held = requestId;
    resolve(`${request.url}${request.urlFragment ?? ''}`);
  });
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
  return {
    asked,
    release: () => {
      if (state !== 'holds') return;
      state = 'sends';
      if (held !== undefined) send(held);
      quietly(session.send('Fetch.disable'));
    },
    abandon: () => {
      if (state !== 'holds') return;
      state = 'fails';
      if (held !== undefined) fail(held);
    },
  };
}
