import { expect, it } from 'vitest';
import { silent } from '../../../surrogate/tests/fixture.ts';
import type { CdpSession } from '../../../surrogate/cdp-session.ts';
import type { Tab } from '../../tab/tab.ts';
import { TabRecovery } from '../tab-recovery.ts';

type Options = ConstructorParameters<typeof TabRecovery>[0];

/** A tab, as far as its recovery looks at it. */
const tabOf = (id: string): { readonly tab: Tab; readonly channel: { attached: boolean } } => {
  const channel = { attached: false };
  const tab = { id, url: `https://${id}.test/`, channel, load: {}, lost: () => undefined } as unknown as Tab;
  return { tab, channel };
};

function recovered(...tabs: readonly Tab[]) {
  const opened: (string | undefined)[] = [];
  const page = { closed: new AbortController().signal } as CdpSession;
  const recovery = new TabRecovery({
    cid: 'c',
    browser: { openPage: async () => page, current: {}, closePage: () => undefined } as unknown as Options['browser'],
    tabs: new Map(tabs.map((tab) => [tab.id, tab])),
    mayRestoreTabs: () => true,
    isDiscarded: () => false,
    open: (_tab, _page, url) => void opened.push(url),
    closeTab: () => undefined,
    onCrash: () => undefined,
    log: silent,
  });
  return { recovery, opened };
}

it('continues the tabs of a lost browser whose clients are there, the others once their client comes', async () => {
  const [near, far] = [tabOf('near'), tabOf('far')];
  const { recovery, opened } = recovered(near.tab, far.tab);
  near.channel.attached = true;
  recovery.browserLost('crashed');
  await expect.poll(() => opened).toEqual(['https://near.test/']);
  far.channel.attached = true;
  recovery.attached(far.tab);
  await expect.poll(() => opened).toEqual(['https://near.test/', 'https://far.test/']);
});

it('continues a tab whose client comes in the moment in which its browser is lost', async () => {
  const { tab, channel } = tabOf('only');
  const { recovery, opened } = recovered(tab);
  recovery.browserLost('crashed');
  channel.attached = true;
  recovery.attached(tab);
  await expect.poll(() => opened).toEqual(['https://only.test/']);
});
