import { expect, it } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { CdpSession } from '../../surrogate/cdp-session.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import type { FrameTree } from '../page/frames.ts';
import { PageSessions } from '../page/page-sessions.ts';
import { Responsiveness } from '../tab/responsiveness.ts';

/** A page with a document, which another one is to replace. */
async function start() {
  const sent: string[] = [];
  let hangs = false;
  const wire = {
    post: async (_session: CdpSession, method: string) => {
      sent.push(method);
      if (hangs && method === 'Runtime.evaluate') {
        hangs = false; // until its scripts are stopped
        throw new AppError('cdp-timeout', 'it hangs');
      }
      return {};
    },
    listens: () => undefined,
    fault: (error: unknown) => {
      throw error;
    },
  };
  const sessions = new PageSessions();
  let navigated: Parameters<FrameTree['onNavigation']>[0] = () => undefined;
  const frames = {
    onNavigation: (listener: typeof navigated) => void (navigated = listener),
    frameOf: () => 1,
    get: () => ({ url: 'https://site.test/' }),
  } as unknown as FrameTree; // all that is used of it
  new Responsiveness({
    sessions,
    frames,
    hooks: {} as TabHooks, // nothing is asked for the person
    awaited: { has: () => false, of: () => undefined, answered: () => undefined },
    dialog: { isOpen: false, close: () => undefined },
    settleInput: async () => undefined,
    onStuck: () => sent.push('stuck'),
  });
  const page = new CdpSession(wire, 's1');
  await sessions.openPage(page);
  sent.length = 0;
  const response = { url: 'https://site.test/next' };
  page.dispatch('Network.responseReceived', {
    type: 'Document',
    requestId: 'L',
    loaderId: 'L',
    frameId: 'F',
    response,
  });
  expect(sent).toEqual(['Runtime.evaluate']);
  sent.length = 0;
  const goes = (sameDocument: boolean): void =>
    navigated({ frame: { id: 1 }, sameDocument } as Parameters<typeof navigated>[0]);
  return { page, sent, goes, hang: () => (hangs = true) };
}

it('looks after a page that a document is to replace, until that is there', async () => {
  const replaced = await start();
  replaced.goes(false);
  const waiting = await start(); // whose looks come after those of the other
  waiting.goes(true);
  await expect.poll(() => waiting.sent).toContain('Runtime.evaluate');
  expect(replaced.sent).toEqual([]);
  waiting.goes(false);
});

it('stops scripts that keep a page from being replaced, and none where nothing comes after all', async () => {
  const hanging = await start();
  const download = await start();
  download.page.dispatch('Network.loadingFailed', { requestId: 'L' });
  for (const { hang } of [download, hanging]) hang();
  await expect
    .poll(() => hanging.sent)
    .toEqual(expect.arrayContaining(['Page.getNavigationHistory', 'Runtime.terminateExecution']));
  expect(download.sent).toEqual([]);
  hanging.goes(false);
});
