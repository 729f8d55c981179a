import { describe, expect, it } from 'vitest';
import { entry, start } from './page-history.ts';

describe('a page that continues in another browser', () => {
  it('has its own history, starting at the current entry of the shell', async () => {
    const { navigated, hostHooks, named } = await start();
    await navigated([2, 3], 1);
    const before = named();
    hostHooks.replaced.call({ reason: 'exited' });
    expect(await navigated([2], 0)).toEqual([entry('replace', 2)]); // an id that the other browser also had
    expect(named()).not.toBe(before - 1);
  });

  it('has its own entry for the address that was loading', async () => {
    const { navigated, hostHooks, cdp, received } = await start();
    await navigated([2, 3], 1);
    const heads = (url: string, navigationType: string): void =>
      cdp.emit('Page.frameStartedNavigating', { frameId: 'F1', url, navigationType, loaderId: '' });
    const after = async (id: number): Promise<unknown[]> =>
      (await navigated([id], 0)).filter((each) => (each as unknown[])[0] !== 'hint');
    heads('https://site.test/4', 'differentDocument');
    hostHooks.replaced.call({ reason: 'crashed' });
    expect(await after(4)).toEqual([entry('add', 4)]);
    for (const [url, type] of [
      ['https://site.test/2', 'historyDifferentDocument'],
      ['https://site.test/4', 'reload'],
    ] as const) {
      heads(url, type);
      hostHooks.replaced.call({ reason: 'crashed' });
      expect(await after(5)).toEqual([entry('replace', 5)]);
    }
    expect(received).toEqual([]);
  });

  it('opens entries of the previous browser by their addresses, in the current entry of the shell', async () => {
    const { navigated, hostHooks, named, ask, cdp } = await start();
    await navigated([2, 3], 1);
    const old = named();
    hostHooks.replaced.call({ reason: 'exited' });
    await navigated([2], 0);
    expect(await ask({ kind: 'entry', entry: old, url: 'https://site.test/3' })).toEqual([
      ['Page.navigate', { url: 'https://site.test/3' }],
    ]);
    expect(await navigated([2, 3], 1)).toEqual([entry('replace', 3)]);
    cdp.sent.length = 0;
    for (const more of [{}, { url: 'javascript:alert(1)' }])
      expect(await ask({ kind: 'entry', entry: old, ...more })).toEqual([]);
  });
});
