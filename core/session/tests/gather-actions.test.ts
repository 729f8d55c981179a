import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clientHooks } from '../../contracts/client-hooks.ts';
import type { ActionList } from '../../contracts/tab-actions.ts';
import { PageState } from '../page/page-state.ts';
import { sessionFacts } from '../pairing/pairing-facts.ts';

type Options = ConstructorParameters<typeof PageState>[0];

const list: ActionList = { offer: () => undefined };

/** Session facts of a tab, and the lists that its plugins have got. */
function start(neededFor: ReturnType<Options['loader']>['neededFor']) {
  const asked: ActionList[] = [];
  const hooks = clientHooks(() => undefined);
  hooks.tabActions.tap('active', (given) => void asked.push(given));
  const loader = { neededFor, activateAll: async () => undefined };
  const page = new PageState({ hooks, url: '', siteCapabilities: {}, loader: () => loader } as unknown as Options); // what a hook needs
  const tab = { page, hooks, address: { prefix: '' }, openTab: () => null, reload: () => undefined };
  const facts = sessionFacts(
    tab as unknown as Parameters<typeof sessionFacts>[0],
    { client_caps: {} } as unknown as Parameters<typeof sessionFacts>[1],
    { status: 'connected', bytesReceived: 0 },
  );
  return { asked, facts };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('asks the plugins for their actions once those that load for it are active', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { asked, facts } = start(() => promise);
  const gathered = facts.gatherActions(list);
  await vi.advanceTimersByTimeAsync(900);
  expect(asked).toEqual([]);
  resolve();
  await gathered;
  expect(asked).toEqual([list]);
});

it('asks the others after a second, where a plugin that loads for it hangs', async () => {
  const { asked, facts } = start(() => new Promise(() => undefined));
  const gathered = facts.gatherActions(list);
  await vi.advanceTimersByTimeAsync(1000);
  await gathered;
  expect(asked).toEqual([list]);
});
