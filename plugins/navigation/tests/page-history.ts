import { pluginHarness } from '../../../core/testing/harness.ts';
import type { HarnessOptions } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { SPAN } from '../host/entry-names.ts';
import { manifest } from '../manifest.ts';
import { historyJump, navigate, navigationFailed, setUrlHint, updateNavbar } from '../protocol.ts';

/** A page's history, as Chromium reports it, between a host half and a client that only records messages. */
export async function start(options: HarnessOptions = {}) {
  const harness = pluginHarness(manifest, options);
  const { client, cdp, frames, host, hostHooks, flush } = harness;
  const received: unknown[] = [];
  let name = 0;
  const idOf = (hid: number): number => (name = hid) % SPAN;
  const places: unknown[] = [];
  const policies: unknown[] = [];
  client.commands.handle(updateNavbar, ({ kind, hid, url, after, persistent_policy: policy }) => {
    policies.push(policy);
    received.push([kind, idOf(hid), url]);
    places.push([hid, after]);
  });
  client.commands.handle(historyJump, ({ hid, delta, persistent_policy: policy }) => {
    policies.push(policy);
    received.push(['jump', idOf(hid), delta]);
  });
  client.commands.handle(setUrlHint, ({ url }) => void received.push(['hint', url]));
  client.commands.handle(navigationFailed, ({ url, failure, detail }) => void received.push([failure, url, detail]));
  let history = { ids: [10], index: 0 };
  cdp.answer('Page.getNavigationHistory', () => ({
    currentIndex: history.index,
    entries: history.ids.map((id) => ({ id, url: `https://site.test/${id}`, transitionType: 'link' })),
  }));
  await activate(host);
  return {
    ...harness,
    received,
    /** Names of the entries that were sent as updates, each with the one that the client was in. */
    places,
    /** The policy that each of them came with. */
    policies,
    /** Name of the last entry that was sent. */
    named: () => name,
    /** Sets the page's history, of which nothing is said yet. */
    isNow: (ids: number[], index: number): void => {
      history = { ids, index };
      frames.load({ id: 1, url: `https://site.test/${ids[index]}` });
    },
    /** Sets the page's history and fires a navigation. */
    navigated: async (ids: number[], index: number, sameDocument = false): Promise<unknown[]> => {
      history = { ids, index };
      frames.load({ id: 1, url: `https://site.test/${ids[index]}` });
      hostHooks.navigated.call({ frame: 1, url: `https://site.test/${ids[index]}`, sameDocument });
      await flush();
      return received.splice(0);
    },
    ask: async (request: object): Promise<unknown[]> => {
      client.commands.send(navigate, request as never);
      await flush();
      return cdp.sent
        .filter(({ method }) => method !== 'Page.getNavigationHistory')
        .map(({ method, params }) => [method, params]);
    },
  };
}

/** An update of the shell's history, as `received` has it. */
export const entry = (kind: string, id: number): unknown[] => [kind, id, `https://site.test/${id}`];
