import { Buffer } from 'node:buffer';
import type { Protocol } from 'devtools-protocol/types/protocol.js';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** The body of a POST that the person's browser was about to send when it was isolated. */
interface PostBody {
  readonly body: string;
  readonly contentType: string;
}

interface RequestChanges {
  readonly post: PostBody | undefined;
  /** Value of the Referer header; empty to leave it. */
  readonly referrer: string;
}

/** A header's value without control characters. */
const HEADER_VALUE = /^[\x20-\x7e]{0,300}$/;
const FORM = 'application/x-www-form-urlencoded';

/**
 * Changes the next request of a page for a document at `url`: CDP can only navigate by GET, and a blank document has no referrer. `session`
 * is one of its own, attached to the page beside the others, so that other interceptors are not disturbed. Resolves once it is active.
 */
export async function changeNextRequest(session: CdpSession, url: string, changes: RequestChanges): Promise<void> {
  const address = withoutFragment(url);
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    if (request.url !== address) {
      quietly(session.send('Fetch.continueRequest', { requestId }));
      return;
    }
    quietly(session.send('Fetch.continueRequest', { requestId, ...changed(request, changes) }));
    quietly(session.send('Fetch.disable'));
  });
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
}

function changed(
  { headers }: Protocol.Network.Request,
  { post, referrer }: RequestChanges,
): Omit<Protocol.Fetch.ContinueRequestRequest, 'requestId'> {
  const set: Record<string, string> = referrer === '' ? {} : { referer: referrer };
  if (post)
    set['content-type'] = HEADER_VALUE.test(post.contentType) && post.contentType !== '' ? post.contentType : FORM;
  const kept = Object.entries(headers).filter(([name]) => set[name.toLowerCase()] === undefined);
  return {
    headers: [...kept, ...Object.entries(set)].map(([name, value]) => ({ name, value })),
    ...(post && { method: 'POST', postData: Buffer.from(post.body).toString('base64') }),
  };
}

function withoutFragment(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}
