import { Buffer } from 'node:buffer';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** The body of a POST that the person's browser was about to send when it was isolated. */
interface PostBody {
  readonly body: string;
  readonly contentType: string;
}

/** A header's value without control characters. */
const HEADER_VALUE = /^[\x20-\x7e]{0,300}$/;
const FORM = 'application/x-www-form-urlencoded';

/**
 * Makes the next request of a page for a document at `url` a POST with this body: CDP can only navigate by GET.
 * `session` is one of its own, attached to the page beside the others, so that other interceptors are not disturbed.
 * Resolves once it is active.
 */
export async function postNext(session: CdpSession, url: string, { body, contentType }: PostBody): Promise<void> {
  const type = HEADER_VALUE.test(contentType) && contentType !== '' ? contentType : FORM;
  const address = withoutFragment(url);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    if (request.url !== address) {
      quietly(session.send('Fetch.continueRequest', { requestId }));
      return;
    }
    const kept = Object.entries(request.headers).filter(([name]) => name.toLowerCase() !== 'content-type');
    quietly(
      session.send('Fetch.continueRequest', {
        requestId,
        method: 'POST',
        postData: Buffer.from(body).toString('base64'),
        headers: [...kept, ['content-type', type] as const].map(([name, value]) => ({ name, value })),
      }),
    );
    quietly(session.send('Fetch.disable'));
  });
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
}

function withoutFragment(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}
