import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTabHooks } from '../../contracts/tab-hooks.ts';
import { launch } from '../../surrogate/tests/fixture.ts';
import type { Launched } from '../../surrogate/tests/fixture.ts';
import { FrameTree } from '../page/frames.ts';
import { PageSessions } from '../page/page-sessions.ts';
import { PageLoad } from '../tab/page-load.ts';

let launched: Launched;
beforeAll(async () => {
  launched = await launch();
});
afterAll(() => launched.close());

it('keeps no destination that is not opened, whatever the page’s process reports: a page that takes its place opens it', async () => {
  const sessions = new PageSessions();
  const frames = new FrameTree(sessions);
  const load = new PageLoad({
    sessions,
    frames,
    hooks: createTabHooks(() => undefined),
    reasonFor: () => undefined,
    release: () => Promise.resolve(true),
    onState: () => undefined,
  });
  const page = await launched.open();
  await sessions.openPage(page);
  await expect.poll(() => frames.all().length).toBe(1);
  const frameId = page.targetInfo?.targetId ?? '';
  const report = (url: string): string | undefined => {
    const request = { url, method: 'GET', headers: {}, initialPriority: 'High', referrerPolicy: 'origin' } as const;
    page.dispatch('Network.requestWillBeSent', {
      ...{ requestId: url, loaderId: url, frameId, type: 'Document', request, documentURL: url },
      ...{ timestamp: 1, wallTime: 1, initiator: { type: 'other' } },
      ...{ redirectHasExtraInfo: false, hasUserGesture: false },
    });
    return load.destination;
  };
  const SITE = 'https://site.test/';
  for (const url of [
    'file:///etc/passwd',
    'chrome://quit/',
    'chrome-extension://id/page.html',
    'javascript:1',
    'http://',
  ])
    expect([url, report(url)]).toEqual([url, undefined]);
  expect(report(SITE)).toBe(SITE);
  expect(report('view-source:https://site.test/')).toBe(SITE);
});
