import type { Page } from 'playwright';
import type { Shaper } from '../faults/shaper.ts';

/** Bytes of websocket payloads, and of all traffic to the client, compressed as it was. */
export interface Traffic {
  readonly received: number;
  readonly sent: number;
  /** NaN where the network to the client is not the run's own. */
  readonly wire: number;
}

/** A page that is shown live in another browser. */
export interface LivePage {
  /** The page in the person's browser that shows it. */
  readonly client: Page;
  /** Selector, in the client, of the frame that contains the shown document. */
  readonly frame: string;
  /** Page that takes input: the client where it takes input, else the page itself. */
  readonly hands: Page;
  /** Traffic of the client's websockets since it was opened. */
  traffic(): Traffic;
  /** Bytes of the page's own content that the client loaded over HTTP since it was opened, its headers included. */
  content(): number;
  close(): Promise<void>;
}

/** A way of showing live pages. */
export interface LiveSubject {
  readonly name: string;
  /** Opens a page and waits until it shows `data-ready="1"`. Throws at the timeout. */
  open(url: string): Promise<LivePage>;
}

/**
 * Counts what a page receives and sends, from now on, over `link`. `isContent` recognises the page's own content by its
 * address.
 */
export async function countTraffic(
  page: Page,
  link: Shaper | undefined,
  isContent: (url: URL) => boolean,
): Promise<{ traffic(): Traffic; content(): number }> {
  const session = await page.context().newCDPSession(page);
  const counted = { received: 0, sent: 0 };
  const contentRequests = new Set<string>();
  let content = 0;
  session.on('Network.webSocketFrameReceived', ({ response }) => (counted.received += payloadBytes(response)));
  session.on('Network.webSocketFrameSent', ({ response }) => (counted.sent += payloadBytes(response)));
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (isContent(new URL(request.url))) contentRequests.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (contentRequests.has(requestId)) content += encodedDataLength;
  });
  await session.send('Network.enable');
  return { traffic: () => ({ ...counted, wire: link?.total.down ?? NaN }), content: () => content };
}

/** Binary payloads arrive as base64. */
function payloadBytes({ opcode, payloadData }: { opcode: number; payloadData: string }): number {
  return Buffer.byteLength(payloadData, opcode === 2 ? 'base64' : 'utf8');
}
