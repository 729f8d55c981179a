import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launch } from '../../surrogate/tests/fixture.ts';
import type { Launched } from '../../surrogate/tests/fixture.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { holdDocument } from '../session/held-document.ts';

const asked: string[] = [];
let server: http.Server;
let origin: string;
let launched: Launched;
beforeAll(async () => {
  server = http.createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel=icon href="data:,">');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
  launched = await launch({}, { allowPrivate: true });
});
afterAll(async () => {
  await launched.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => void (asked.length = 0));

const goTo = (page: CdpSession, path: string) =>
  page.send('Runtime.evaluate', { expression: `location.href = '${origin}${path}'` });
const again = (page: CdpSession): Promise<CdpSession> =>
  launched.surrogate.connection.attach(page.targetInfo?.targetId ?? '');

it('[M2] holds the request for a document until it is released, and no later one', async () => {
  const page = await launched.open();
  const document = await holdDocument(await again(page));
  await goTo(page, '/first?x#part');
  expect(await document.asked).toBe(`${origin}/first?x#part`);
  expect(asked).toEqual([]);
  document.release();
  document.release();
  await expect.poll(() => asked).toEqual(['/first?x']);
  await page.send('Page.navigate', { url: `${origin}/free` });
  await expect.poll(() => asked).toEqual(['/first?x', '/free']);
});

it('[M2] sends nothing of a page that is closed without having been shown', async () => {
  const page = await launched.open();
  const document = await holdDocument(await again(page));
  await goTo(page, '/held');
  await document.asked;
  document.abandon();
  document.release();
  await launched.surrogate.connection.root.send('Target.closeTarget', { targetId: page.targetInfo?.targetId ?? '' });
  await expect.poll(() => page.closed.aborted).toBe(true);
  // A request that was sent before would have come by now.
  const other = await launched.open();
  await goTo(other, '/other');
  await expect.poll(() => asked).toEqual(['/other']);
});
