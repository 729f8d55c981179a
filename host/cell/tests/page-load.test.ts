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

/** The loading of a real page, whose process reports what the test says. */
async function loading(release: (forAnother: boolean) => Promise<boolean> = () => Promise.resolve(true)) {
  const sessions = new PageSessions();
  const frames = new FrameTree(sessions);
  const load = new PageLoad({
    asked: SITE,
    sessions,
    frames,
    hooks: createTabHooks(() => undefined),
    reasonFor: () => undefined,
    release,
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
  return { load, report };
}

const SITE = 'https://site.test/';

it('keeps no destination that is not opened, whatever the page’s process reports: a page that takes its place opens it', async () => {
  const { report } = await loading();
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

it.each([true, false])(
  'goes where the person wants, not where the page goes until it is left (%s)',
  async (isThere) => {
    const left = Promise.withResolvers<boolean>();
    const { load, report } = await loading(() => left.promise);
    report(SITE);
    const released = load.release('https://other.test/');
    expect(load.destination).toBe('https://other.test/');
    expect(report('https://site.test/link')).toBe('https://other.test/');
    left.resolve(isThere);
    await released;
    expect(load.destination).toBe(isThere ? 'https://site.test/link' : 'https://other.test/');
  },
);
