import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActionList, TabAction } from '../../../core/index.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { entriesOf, sorted } from '../client/entries.ts';
import { gather, OFFER_MS } from '../client/gather.ts';
import { manifest } from '../manifest.ts';

const action = (id: string, more: Partial<TabAction> = {}): TabAction => ({
  id,
  label: id,
  group: 'page',
  act: () => undefined,
  ...more,
});
const idsOf = (actions: readonly TabAction[]): string[] => actions.map(({ id }) => id);

describe('the entries of the menu', () => {
  it('are in the order of groups, places and ids, whatever the order in which they were offered', () => {
    const offered = [
      action('about', { group: 'about' }),
      action('late', { group: 'tab', order: 20 }),
      action('b'),
      action('early', { group: 'tab', order: 10 }),
      action('a'),
      action('first', { order: -1 }),
    ];
    const order = ['first', 'a', 'b', 'early', 'late', 'about'];
    expect(idsOf(sorted(offered))).toEqual(order);
    expect(idsOf(sorted(offered.toReversed()))).toEqual(order);
  });

  it('are there once for each id', () => {
    const offered = [action('a', { label: 'one' }), action('a', { label: 'other', order: 1 }), action('b')];
    expect(sorted(offered).map(({ label }) => label)).toEqual(['one', 'b']);
  });

  it('have a line before each group but the first, the keys of the system, and their states', () => {
    const actions = sorted([
      action('find', { keys: 'Mod+F', icon: 'search' }),
      action('print', { keys: 'Shift+F3', disabled: true }),
      action('mute', { group: 'tab', checked: true }),
    ]);
    expect(entriesOf(actions, 'Win32')).toEqual([
      { id: 'find', label: 'find', icon: 'search', keys: 'Control+F' },
      { id: 'print', label: 'print', keys: 'Shift+F3', disabled: true },
      { id: 'mute', label: 'mute', checked: true, begins: true },
    ]);
    expect(entriesOf(actions, 'MacIntel')[0]?.keys).toBe('Meta+F');
  });
});

describe('what plugins offer', () => {
  const start = () => {
    const harness = pluginHarness(manifest);
    const offering = (tap: (list: ActionList) => void): void =>
      void harness.client.hooks.tap(harness.clientHooks.tabActions, tap);
    return { ...harness, offering };
  };
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is in the menu, at once or once its texts are there', async () => {
    const { client, offering } = start();
    offering(({ offer }) => offer([action('a'), action('b')]));
    offering(({ offer }) => offer(Promise.resolve([action('c')])));
    expect(idsOf(await gather(client))).toEqual(['a', 'b', 'c']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not waited for longer than a moment, and does not come into a menu that is shown', async () => {
    const { client, offering } = start();
    let arrive = (_actions: readonly TabAction[]): void => undefined;
    offering(({ offer }) => offer(new Promise((resolve) => (arrive = resolve))));
    offering(({ offer }) => offer([action('a')]));
    const gathered = gather(client);
    await vi.advanceTimersByTimeAsync(OFFER_MS);
    const shown = await gathered;
    arrive([action('late')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(idsOf(shown)).toEqual(['a']);
  });

  it('does not keep others from it where it fails', async () => {
    const { client, offering, faults, log } = start();
    offering(() => {
      throw new Error('broken');
    });
    offering(({ offer }) => offer(Promise.reject(new Error('not fetched'))));
    offering(({ offer }) => offer([action('a')]));
    expect(idsOf(await gather(client))).toEqual(['a']);
    expect(faults).toHaveLength(1);
    expect(log.map(({ message }) => message)).toEqual(['actions were not loaded']);
  });
});
