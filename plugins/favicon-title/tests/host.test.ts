import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../../core/protocol/errors.ts';
import { pluginHarness } from '../../../core/testing/harness.ts';
import { activate } from '../host/index.ts';
import { manifest } from '../manifest.ts';
import { favicon, MAX_TITLE, pageIdentity, setTitle } from '../protocol.ts';

async function start(
  url = 'https://site.test/page',
  shows = (_path: string): Promise<boolean> => Promise.resolve(true),
) {
  const harness = pluginHarness(manifest, { url });
  const { client, host, page, flush } = harness;
  const received: unknown[] = [];
  client.commands.handle(setTitle, ({ title }) => void received.push(title));
  client.commands.handle(favicon, ({ address }) => void received.push({ address }));
  await activate({ ...host, tab: { ...host.tab, shows } });
  return {
    ...harness,
    received,
    says: async (title: string, icon: string, frame = 1): Promise<unknown[]> => {
      page.in(frame).send(pageIdentity, { title, icon });
      await flush();
      return received.splice(0);
    },
  };
}

describe('title and icon of the page', () => {
  it('[M-095] are sent to the client, the icon as a token of the host', async () => {
    const { says } = await start();
    expect(await says('Hello', 'https://site.test/icon.png')).toEqual(['Hello', { address: '/c/i/1' }]);
    expect(await says('Again', 'https://site.test/icon.png')).toEqual(['Again', { address: '/c/i/1' }]);
    expect(await says('Other', 'https://site.test/other.png')).toEqual(['Other', { address: '/c/i/2' }]);
  });

  it('[M-063] are accepted only from web addresses and image data addresses', async () => {
    const { says } = await start();
    expect(await says('t', 'data:image/png;base64,AA')).toEqual(['t', { address: '/c/i/1' }]);
    for (const icon of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'blob:https://site.test/1',
      '',
    ])
      expect(await says('t', icon), icon).toEqual(['t', { address: '' }]);
  });

  it('never make the browser request a missing icon, nor request one from the site twice', async () => {
    const asked: string[] = [];
    const { says } = await start(undefined, (path) => {
      asked.push(path);
      return Promise.resolve(path === '/c/i/2');
    });
    expect(await says('One', 'https://site.test/missing.ico')).toEqual(['One', { address: '' }]);
    expect(await says('Two', 'https://site.test/missing.ico')).toEqual(['Two', { address: '' }]);
    expect(await says('Three', 'https://site.test/icon.png')).toEqual(['Three', { address: '/c/i/2' }]);
    expect(await says('Four', 'https://site.test/icon.png')).toEqual(['Four', { address: '/c/i/2' }]);
    expect(asked).toEqual(['/c/i/1', '/c/i/2']);
  });

  it('are sent as soon as they are known, unless superseded', async () => {
    const found: ((shows: boolean) => void)[] = [];
    const { says, received, flush } = await start(undefined, () => new Promise((resolve) => found.push(resolve)));
    expect(await says('One', 'https://site.test/slow.png')).toEqual(['One']);
    expect(await says('Two', 'https://site.test/icon.png')).toEqual(['Two']);
    found[0]?.(true);
    await flush();
    expect(received).toEqual([]);
    found[1]?.(true);
    await flush();
    expect(received).toEqual([{ address: '/c/i/2' }]);
  });

  it('are checked again after a retryable failure, at the next message of the page', async () => {
    const asked: string[] = [];
    const { says } = await start(undefined, (path) => {
      asked.push(path);
      const slow = new AppError('resource-timeout', 'The page is still loading it.', { retryable: true });
      return asked.length === 1 ? Promise.reject(slow) : Promise.resolve(true);
    });
    expect(await says('One', 'https://site.test/slow.png')).toEqual(['One', { address: '' }]);
    expect(asked).toEqual(['/c/i/1']);
    expect(await says('Two', 'https://site.test/slow.png')).toEqual(['Two', { address: '/c/i/1' }]);
    expect(await says('Three', 'https://site.test/slow.png')).toEqual(['Three', { address: '/c/i/1' }]);
    expect(asked).toEqual(['/c/i/1', '/c/i/1']);
  });

  it('are checked again 2, 10 and 30 s after retryable failures, though the page says nothing, while it has that icon', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const asked: string[] = [];
    let failures = 4;
    const { says, received, flush } = await start(undefined, (path) => {
      asked.push(path);
      const slow = new AppError('resource-timeout', 'The page is still loading it.', { retryable: true });
      return (failures -= 1) >= 0 ? Promise.reject(slow) : Promise.resolve(true);
    });
    const after = async (ms: number): Promise<unknown> => {
      await vi.advanceTimersByTimeAsync(ms - 1);
      const before = asked.length;
      await vi.advanceTimersByTimeAsync(1);
      await flush();
      return [before, asked.length, received.splice(0)];
    };
    await says('One', 'https://site.test/slow.png');
    expect(await after(2000)).toEqual([1, 2, [{ address: '' }]]);
    expect(await after(10_000)).toEqual([2, 3, [{ address: '' }]]);
    expect(await after(30_000)).toEqual([3, 4, [{ address: '' }]]);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked).toHaveLength(4);
    failures = 1;
    await says('One', 'https://site.test/slow.png');
    expect(await after(2000)).toEqual([5, 6, [{ address: '/c/i/1' }]]);
    failures = 1;
    await says('Two', 'https://site.test/other.png');
    await says('Three', 'https://site.test/third.png');
    await vi.advanceTimersByTimeAsync(300_000);
    expect(asked.slice(6)).toEqual(['/c/i/2', '/c/i/3']);
  });

  it('do not stay while the check of the icon of a new document is pending', async () => {
    const { says, hostHooks } = await start(undefined, (path) =>
      path === '/c/i/1' ? Promise.resolve(true) : new Promise(() => undefined),
    );
    const navigated = (sameDocument: boolean, frame = 1): void =>
      hostHooks.navigated.call({ frame, url: 'https://other.test/', sameDocument });
    const cleared = ['other.test', { address: '' }];
    expect(await says('One', 'https://site.test/icon.png')).toEqual(['One', { address: '/c/i/1' }]);
    navigated(false);
    expect(await says('Two', 'https://site.test/icon.png')).toEqual([...cleared, 'Two', { address: '/c/i/1' }]);
    navigated(true);
    navigated(false, 2);
    expect(await says('Three', 'https://site.test/hangs.png')).toEqual(['Three']);
    navigated(false); // a reload
    expect(await says('Four', 'https://site.test/hangs-too.png')).toEqual([{ address: '' }, 'Four']);
    expect(await says('Five', 'https://site.test/hangs-too.png')).toEqual(['Five']);
  });

  it('are those of no other document while a new one has said nothing of itself', async () => {
    const found: ((shows: boolean) => void)[] = [];
    const { says, hostHooks, received, flush } = await start(undefined, () => new Promise((to) => found.push(to)));
    await says('One', 'https://site.test/slow.png');
    hostHooks.navigated.call({ frame: 1, url: 'https://other.test/', sameDocument: false });
    found[0]?.(true); // it is known too late
    await flush();
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    const named = ['other.test', { address: '' }];
    expect(received.splice(0)).toEqual([...named, ...named]);
    hostHooks.navigated.call({ frame: 1, url: 'about:blank', sameDocument: false });
    await flush();
    expect(received.splice(0)).toEqual(['about:blank', { address: '' }]);
    expect(await says('Two', 'https://site.test/slow.png')).toEqual(['Two', { address: '/c/i/1' }]);
  });

  it('are the name of the host and none for a page that could not be shown', async () => {
    const { says, received, hostHooks, flush } = await start();
    await says('Hello', 'https://site.test/icon.png');
    const failed = async (url: string, errorText = 'net::ERR_FAILED', frame = 1): Promise<unknown[]> => {
      hostHooks.navigationFailed.call({ frame, url, errorText });
      await flush();
      return received.splice(0);
    };
    expect(await failed('https://gone.test/', 'net::ERR_ABORTED')).toEqual([]);
    expect(await failed('https://gone.test/', undefined, 2)).toEqual([]);
    expect(await failed('https://gone.test:8443/page')).toEqual(['gone.test:8443', { address: '' }]);
    expect(await failed('nonsense:x')).toEqual(['nonsense:x', { address: '' }]);
    expect(await says('Hello', 'https://site.test/icon.png')).toEqual(['Hello', { address: '/c/i/1' }]);
  });

  it('are those of the main frame', async () => {
    const { says, frames } = await start();
    frames.load({ id: 2, url: 'https://ad.test/' });
    expect(await says('Ad', 'https://ad.test/icon.png', 2)).toEqual([]);
  });

  it('have the host name in place of an empty title', async () => {
    const { says } = await start('https://site.test:8443/page');
    expect(await says('', '')).toEqual(['site.test:8443', { address: '' }]);
  });

  it('are sent again to a reloaded client', async () => {
    const { says, received, hostHooks, flush } = await start();
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(received).toEqual([]);
    await says('Hello', 'https://site.test/icon.png');
    hostHooks.clientAttached.call({ fresh: false });
    await flush();
    expect(received).toEqual([]);
    hostHooks.clientAttached.call({ fresh: true });
    await flush();
    expect(received).toEqual(['Hello', { address: '/c/i/1' }]);
  });

  it('are rejected when they are too long', async () => {
    const { says, faults } = await start();
    expect(await says('x'.repeat(MAX_TITLE + 1), '')).toEqual([]);
    expect(await says('x', `https://site.test/${'x'.repeat(100_000)}`)).toEqual([]);
    expect(faults.map(({ code }) => code)).toEqual(['bad-message', 'bad-message']);
  });
});
