import { PAGE_BUDGETS } from '../../base/page-budgets.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personPolicy } from '../../policy/person-policy.ts';
import { coreSettings } from '../../policy/settings-table.ts';
import { sliceOf } from '../../policy/slice.ts';
import { launch, silent } from '../../surrogate/tests/fixture.ts';
import type { Launched } from '../../surrogate/tests/fixture.ts';
import { keptCookies } from '../../base/kept-cookies.ts';
import { PersonSession } from '../session/person-session.ts';
import { ANNA } from './harness.ts';
import { PATIENCE_MS } from '../../../core/testing/patience.ts';

const SOON = { timeout: PATIENCE_MS };

describe('a page that is opened ahead of its tab', () => {
  let launched: Launched;
  let session: PersonSession;
  beforeAll(async () => {
    launched = await launch();
    const { surrogate, egress, dataDir } = launched;
    session = new PersonSession({
      person: ANNA,
      cid: 'cid',
      take: () => Promise.resolve({ surrogate, egress, scale: 1, close: () => launched.close() }),
      policy: personPolicy(sliceOf(undefined, ANNA), coreSettings),
      kept: keptCookies(dataDir),
      budgets: PAGE_BUDGETS,
      freezeMs: 300_000,
      onRest: () => undefined,
      spareMs: 0,
      onCrash: () => undefined,
      onFault: () => undefined,
      openWindow: () => Promise.reject(new Error('no windows here')),
      onUntaken: () => undefined,
      onPageClosed: () => undefined,
      log: silent,
    });
  });
  afterAll(() => session.close('test'));
  const pages = async (): Promise<string[]> => {
    const { targetInfos } = await launched.surrogate.connection.root.send('Target.getTargets');
    return targetInfos.filter(({ type }) => type === 'page').map(({ targetId }) => targetId);
  };

  it('is the page of the next tab, once', async () => {
    session.expectTab('http://site.invalid/');
    session.expectTab('http://site.invalid/');
    const [page, other] = await Promise.all([session.openPage(), session.openPage()]);
    const opened = [page, other].map(({ targetInfo }) => targetInfo?.targetId);
    expect((await pages()).sort()).toEqual(opened.sort());
    expect(new Set(opened).size).toBe(2);
  });

  it('waits for a tab as long as it takes, and is not handed out when it is gone', async () => {
    const before = await pages();
    session.expectTab('http://site.invalid/');
    await expect.poll(async () => (await pages()).length, SOON).toBe(before.length + 1);
    session.expectTab('http://site.invalid/');
    const { root } = launched.surrogate.connection;
    for (const targetId of await pages())
      if (!before.includes(targetId)) await root.send('Target.closeTarget', { targetId });
    await expect.poll(pages, SOON).toEqual(before);
    const page = await session.openPage();
    expect(page.closed.aborted).toBe(false);
    expect(await pages()).toContain(page.targetInfo?.targetId);
  });

  it('is closed when its renderer crashes', async () => {
    const before = await pages();
    session.expectTab('http://site.invalid/');
    await expect.poll(async () => (await pages()).length, SOON).toBe(before.length + 1);
    const { connection } = launched.surrogate;
    for (const targetId of await pages())
      if (!before.includes(targetId)) {
        const spare = await connection.attach(targetId);
        spare.send('Page.crash').catch(() => undefined); // never answered
      }
    await expect.poll(pages, SOON).toEqual(before);
  });
});
