import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { launch } from '../../surrogate/tests/fixture.ts';
import type { Launched } from '../../surrogate/tests/fixture.ts';
import { CommittedAddress } from '../page/committed-address.ts';
import { FrameTree, MAIN_FRAME } from '../page/frames.ts';
import { PageSessions } from '../page/page-sessions.ts';

let server: http.Server;
let port: number;
let launched: Launched;
beforeAll(async () => {
  server = http.createServer(({ url = '' }, response) => {
    const frames = `<iframe src="http://localhost:${port}/other"></iframe><iframe sandbox src="/sandboxed"></iframe>`;
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<link rel=icon href="data:,">${url === '/' ? frames : ''}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo); // it listens on TCP
  launched = await launch({}, { allowPrivate: true });
  await launched.surrogate.connection.root.send('Target.setDiscoverTargets', { discover: true });
});
afterAll(async () => {
  await launched.close();
  server.closeAllConnections();
  server.close();
});
const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
const BANK = 'https://bank.test';
/** The event of a page that has gone to the bank, which its process may send at any time. */
const forge = (page: CdpSession): void =>
  page.dispatch('Page.frameNavigated', {
    type: 'Navigation',
    frame: {
      id: page.targetInfo?.targetId,
      loaderId: 'forged',
      url: `${BANK}/`,
      securityOrigin: BANK,
      domainAndRegistry: 'bank.test',
      mimeType: 'text/html',
    },
  });

it('[L5] the address of a page and the origins of its frames do not follow events that its process has forged', async () => {
  const sessions = new PageSessions();
  const frames = new FrameTree(sessions);
  const changes: string[] = [];
  const address: CommittedAddress = new CommittedAddress(sessions, () => changes.push(address.url));
  const page = await launched.open();
  await sessions.openPage(page);
  await page.send('Page.navigate', { url: url('/') });
  await expect.poll(() => frames.all().length).toBe(3);
  await expect.poll(() => address.url).toBe(url('/'));
  const origins = (): Promise<string[]> => Promise.all(frames.all().map(({ id }) => frames.originOf(id)));
  const TRUE = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, 'null'];
  await expect.poll(async () => (await origins()).sort()).toEqual(TRUE.toSorted());

  forge(page);
  expect(frames.get(MAIN_FRAME)).toMatchObject({ url: `${BANK}/`, origin: BANK }); // all that there is to go by
  await page.send('Page.getNavigationHistory'); // the question that the event has led to is answered before this one
  expect(address.url).toBe(url('/'));
  expect(await frames.originOf(MAIN_FRAME)).toBe(TRUE[0]);
  expect(await frames.originOf(99)).toBe('null');
  expect(changes.filter((each) => each.startsWith('http'))).toEqual([url('/')]);
});

it('[L5] they are told by the browser’s own process: also while that of the page hangs, and where it says nothing', async () => {
  const sessions = new PageSessions();
  const address = new CommittedAddress(sessions, () => undefined);
  const page = await launched.open(); // without Page.enable: no event of the page itself
  await sessions.openPage(page);
  await page.send('Page.navigate', { url: url('/quiet') });
  await expect.poll(() => address.url).toBe(url('/quiet'));
  const frameId = page.targetInfo?.targetId ?? '';
  page.send('Runtime.evaluate', { expression: 'for (;;);' }).catch(() => undefined); // ended with the page
  const { storageKey } = await page.send('Storage.getStorageKey', { frameId });
  expect(storageKey).toBe(url('/'));
  const { entries } = await page.send('Page.getNavigationHistory');
  expect(entries.at(-1)?.url).toBe(url('/quiet'));
});
