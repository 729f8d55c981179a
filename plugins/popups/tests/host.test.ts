import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError, personLinksToken } from '../../../host/plugin.ts';
import { openLink, tabClose } from '../protocol.ts';
import { start, TOKEN, TAB } from './started-host.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

describe('a window that a page opens', () => {
  const left = { frame: 1, url: 'https://site.test/next', sameDocument: false };

  it('[M-048] is asked for on each page, however many pages have asked before', async () => {
    const { call, hostHooks, received, settle } = await start();
    for (let page = 0; page < 6; page += 1) {
      await call(`https://b.test/${page}`);
      expect(received()).toMatchObject([['TAB_open', { target_uri: `https://b.test/${page}` }]]);
      hostHooks.navigated.call(left);
      await settle();
      expect(received()).toMatchObject([['TAB_close', {}]]);
    }
  });

  it('[M-048] is not asked for where its page has been left meanwhile', async () => {
    const { call, frames, hostHooks, received } = await start();
    vi.spyOn(frames, 'originOf').mockImplementationOnce(async () => {
      hostHooks.navigated.call(left);
      return 'https://site.test';
    });
    await call('https://b.test/');
    expect(received()).toEqual([]);
    await call('https://b.test/');
    expect(received()).toMatchObject([['TAB_open', {}]]);
  });

  it('[M-023] [M-082] [M-083] is told with all that its tab needs, and lives once the client has it', async () => {
    const { call, open, answer, received } = await start();
    await call('https://b.test/', { gesture: true, features: ['left=1', 'width=300'] });
    expect(received()).toEqual([]);
    await open('https://b.test/');
    expect(received()).toEqual([
      [
        'TAB_open',
        {
          id: 1,
          user_initiated: true,
          uri_origin: 'https://site.test',
          target_uri: 'https://b.test/',
          feature_str: '{"location":false,"left":1,"width":300}',
          pairing_dict: { pid: TOKEN },
          has_opener: true,
        },
      ],
    ]);
    await answer(1, true);
    expect(received()).toEqual([['TAB_init', { id: 1, pairing_dict: { pid: TOKEN }, target_uri: 'https://b.test/' }]]);
  });

  it('[M-023] is told in the name of the frame that has opened it, whose denials are counted for no other', async () => {
    const { call, open, answer, frames, received, closed } = await start();
    frames.load({ id: 3, url: 'https://frame.test/inner' });
    for (const [at, token] of ['first', 'second', 'third'].entries()) {
      await call(`https://b.test/${at}`, { gesture: true, frame: 3 });
      await open(`https://b.test/${at}`, token);
      expect(received()).toMatchObject([['TAB_open', { user_initiated: true, uri_origin: 'https://frame.test' }]]);
      await answer(at + 1, false);
      expect(received()).toEqual([['TAB_denied', { id: at + 1 }]]);
    }
    expect(closed).toEqual(['first', 'second', 'third']);
    await call('https://b.test/more', { frame: 3 });
    expect(received()).toEqual([]);
    await call('https://b.test/of-the-page');
    expect(received()).toMatchObject([['TAB_open', { uri_origin: 'https://site.test' }]]);
  });

  it('[M-083] [M-049] is closed where the person denies it, and their tab where it closes', async () => {
    const { call, open, answer, received, closed, hostHooks, settle } = await start();
    await open('https://b.test/x?1');
    await answer(1, false);
    expect(closed).toEqual([TOKEN]);
    expect(received().at(-1)).toEqual(['TAB_denied', { id: 1 }]);
    await call('https://b.test/x?2');
    expect(received()).toEqual([]);
    await open('https://b.test/y', 'second');
    hostHooks.windowClosed.call({ token: 'second' });
    hostHooks.windowClosed.call({ token: 'of another' });
    await settle();
    expect(received().slice(1)).toEqual([['TAB_close', { id: 2 }]]);
  });

  it('[M-023] is told whether it reaches its opener, and not at all where it has closed at once', async () => {
    const { open, received } = await start();
    await open('https://b.test/', 'first', false);
    expect(received()).toMatchObject([['TAB_open', { has_opener: false }]]);
    const { promise, resolve } = Promise.withResolvers<string>();
    const { call, frames, ...other } = await start();
    vi.spyOn(frames, 'originOf').mockReturnValue(promise);
    await call('https://b.test/', { gesture: true });
    await other.open('https://b.test/');
    other.hostHooks.windowClosed.call({ token: TOKEN });
    await other.settle();
    expect(other.received()).toEqual([['TAB_close', { id: 1 }]]);
    resolve('https://site.test');
    await other.settle();
    expect(other.received()).toEqual([]);
  });

  it('[M-050] is closed with the tab that shows it', async () => {
    const { client, open, closed, settle } = await start();
    await open('https://b.test/');
    client.commands.send(tabClose, { id: 7 }); // none
    client.commands.send(tabClose, { id: 1 });
    client.commands.send(tabClose, { id: 1 });
    await settle();
    expect(closed).toEqual([TOKEN]);
  });
});

describe('a window for which nobody has acted', () => {
  it('[M-023] [R-006] [M-048] is asked for, and opened by its frame once the person allows it', async () => {
    const { call, open, answer, received, evaluated } = await start();
    await call('https://b.test/', { features: ['width=300'], name: 'kept' });
    expect(received()).toEqual([
      [
        'TAB_open',
        {
          id: 1,
          user_initiated: false,
          uri_origin: 'https://site.test',
          target_uri: 'https://b.test/',
          feature_str: '{"location":false,"width":300}',
          pairing_dict: {},
          has_opener: true,
        },
      ],
    ]);
    expect(evaluated()).toEqual([]);
    await answer(1, true);
    await answer(1, true);
    expect(evaluated()).toEqual([
      {
        expression: 'void window.open("https://b.test/","kept","width=300,location=0")',
        contextId: 1,
        userGesture: true,
      },
    ]);
    await call('https://b.test/', { gesture: true });
    await open('https://b.test/');
    expect(received()).toEqual([['TAB_init', { id: 1, pairing_dict: { pid: TOKEN }, target_uri: 'https://b.test/' }]]);
  });

  it('[R-006] is denied where it does not open, or the request is gone', async () => {
    const { call, answer, received, settle, hostHooks } = await start();
    await call('https://b.test/');
    await answer(1, true);
    vi.advanceTimersByTime(10_000);
    await settle();
    expect(received().slice(1)).toEqual([['TAB_denied', { id: 1 }]]);
    await call('https://b.test/2');
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/#a', sameDocument: true });
    hostHooks.navigated.call({ frame: 1, url: 'https://site.test/next', sameDocument: false });
    await settle();
    expect(received().slice(1)).toEqual([['TAB_close', { id: 2 }]]);
    await answer(2, true);
    expect(received()).toEqual([['TAB_denied', { id: 2 }]]);
  });

  it('[M-049] is refused where the person has denied its path', async () => {
    const { call, answer, received } = await start();
    await call('https://b.test/x?1');
    await answer(1, false);
    expect(received().at(-1)).toEqual(['TAB_denied', { id: 1 }]);
    await call('https://b.test/x?2');
    await call('https://b.test/x#3');
    expect(received()).toEqual([]);
    await call('https://b.test/y');
    expect(received()).toHaveLength(1);
  });

  it('[M-048] waits with few others, in a page that asks for thousands', async () => {
    const { call, cdp, settle, received } = await start();
    for (let n = 0; n < 1000; n += 1)
      cdp.emit('Page.windowOpen', {
        ...{ url: `https://b.test/${n}`, windowName: '', windowFeatures: TAB, userGesture: false },
      });
    await settle();
    expect(received()).toHaveLength(5);
    await call('https://b.test/0'); // again
    expect(received()).toEqual([]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', `https://b.test/${'x'.repeat(70_000)}`])(
    '[R-006] is never opened for the page with an address that frames may not go to by themselves: %.30s',
    async (url) => {
      const { call, received } = await start();
      await call(url);
      expect(received()).toEqual([]);
    },
  );

  it.each([
    ['allow-scripts allow-popups', true],
    ['allow-scripts', false],
    ['', false],
    ['allow-popups-to-escape-sandbox', false],
    [undefined, true],
  ])(
    '[R-006] has no opener, and is refused, where other frames of the process may have called: %s',
    async (sandbox, may) => {
      const { host, cdp, call, received } = await start();
      vi.spyOn(host.cdp, 'framesOf').mockReturnValue([1, 2]);
      cdp.answer('DOM.getFrameOwner', () => ({ backendNodeId: 7 }));
      const attributes = ['class', 'sandbox', ...(sandbox === undefined ? [] : ['sandbox', sandbox])];
      cdp.answer('DOM.describeNode', () => ({ node: { attributes } as never })); // what is read
      await call('https://b.test/');
      expect(received()).toEqual(may ? [['TAB_open', expect.objectContaining({ has_opener: false })]] : []);
    },
  );

  it('[M-023] is asked for in the name of the frame that calls for it', async () => {
    const { call, frames, received } = await start();
    frames.load({ id: 3, url: 'https://frame.test/inner' });
    await call('https://b.test/', { frame: 3 });
    expect(received()).toEqual([['TAB_open', expect.objectContaining({ uri_origin: 'https://frame.test' })]]);
  });

  it('[R-006] is asked for again by a client that has been reloaded', async () => {
    const { call, received, hostHooks, settle } = await start();
    await call('https://b.test/');
    const first = received();
    hostHooks.clientAttached.call({ fresh: false });
    await settle();
    expect(received()).toEqual([]);
    hostHooks.clientAttached.call({ fresh: true });
    await settle();
    expect(received()).toEqual(first);
  });
});

describe('where the policy lets pages open no tabs', () => {
  async function refusing() {
    const started = await start();
    const { host } = started;
    let mayOpen = false;
    const policy = host.tab.policy();
    vi.spyOn(host.tab, 'policy').mockImplementation(() => ({
      ...policy,
      persistent_policy: { ...policy.persistent_policy, new_tabs: mayOpen },
    }));
    return { ...started, allow: (may: boolean) => (mayOpen = may) };
  }

  const REFUSED = ['TAB_denied', {}];

  it('[S-094] opens no link of the person, whatever the client asks for, and tells it', async () => {
    const { client, host, settle, evaluated, received, allow } = await refusing();
    client.commands.send(openLink, { frame: 1, url: 'https://b.test/' });
    await settle();
    const links = host.services.get(personLinksToken);
    expect(links.mayOpen()).toBe(false);
    links.open(1, 'https://b.test/', 'window');
    links.open(undefined, 'https://b.test/', 'tab');
    await settle();
    expect(evaluated()).toEqual([]);
    expect(received()).toEqual([REFUSED, REFUSED, REFUSED]);
    allow(true);
    expect(links.mayOpen()).toBe(true);
    client.commands.send(openLink, { frame: 1, url: 'https://b.test/' });
    await settle();
    expect(evaluated()).toHaveLength(1);
    expect(received()).toEqual([]);
  });

  it('[S-094] closes a window that the page opens, and asks nobody for one', async () => {
    const { call, open, closed, received } = await refusing();
    await call('https://b.test/'); // nobody has acted
    await call('https://b.test/', { gesture: true });
    expect(received()).toEqual([]);
    await open('https://b.test/');
    expect(closed).toEqual([TOKEN]);
    expect(received()).toEqual([REFUSED]);
  });

  it('[S-094] opens none that the person allows too late', async () => {
    const { call, open, answer, closed, received, evaluated, allow } = await refusing();
    allow(true);
    await call('https://b.test/');
    await call('https://c.test/');
    received();
    await answer(1, true);
    expect(evaluated()).toHaveLength(1);
    allow(false);
    await answer(2, true);
    expect(evaluated()).toHaveLength(1);
    await call('https://b.test/', { gesture: true });
    await open('https://b.test/');
    expect(closed).toEqual([TOKEN]);
    expect(received()).toEqual([['TAB_denied', { id: 2 }], REFUSED, ['TAB_denied', { id: 1 }], REFUSED]);
  });
});

describe('a link that the person has chosen in a menu', () => {
  const URL_OF_LINK = 'https://b.test/';
  const ALONE = [['popups.open-alone', { url: URL_OF_LINK, window: false }]];
  /** Frame 3 is in frame 2, whose element has these attributes. */
  const nested = async (attributes: readonly string[] = [], origin = 'https://inner.test') => {
    const harness = await start();
    const { frames, cdp, hostServices, settle } = harness;
    frames.load({ id: 2, url: 'https://inner.test/', origin });
    frames.load({ id: 3, url: 'https://inner.test/3', parent: 2, origin });
    cdp.answer('DOM.getFrameOwner', ({ frameId }: { frameId: string }) => ({
      backendNodeId: frameId === 'F2' ? 2 : 3,
    }));
    cdp.answer('DOM.describeNode', ({ backendNodeId }: { backendNodeId: number }) => ({
      node: { attributes: backendNodeId === 2 ? attributes : [] },
    }));
    const open = async (frame: number | undefined, place: 'tab' | 'window' = 'tab') => {
      hostServices.get(personLinksToken).open(frame, URL_OF_LINK, place);
      await settle();
      await settle();
    };
    /** Lets the frame call for the window, as Chromium reports it where no sandbox keeps it from that. */
    const calls = () =>
      cdp.answer('Runtime.evaluate', () => {
        cdp.emit('Page.windowOpen', { url: URL_OF_LINK, windowName: '', windowFeatures: [], userGesture: true }, 3);
        return { result: { type: 'undefined' } };
      });
    return { ...harness, openLink: open, calls };
  };

  it('is opened by its frame', async () => {
    const {
      openLink: open,
      calls,
      received,
      evaluated,
    } = await nested(['sandbox', 'Allow-Popups allow-popups-to-escape-sandbox']);
    calls();
    await open(3);
    expect(received()).toEqual([]);
    expect(evaluated()).toHaveLength(1);
  });

  it.each([
    ['', 'https://inner.test'],
    ['allow-scripts allow-same-origin allow-popups', 'https://inner.test'],
    ['allow-scripts allow-popups allow-popups-to-escape-sandbox', 'null'],
  ])('is opened by the client for a frame in the sandbox "%s" of %s', async (sandbox, origin) => {
    const { openLink: open, calls, received, evaluated } = await nested(['src', '/', 'sandbox', sandbox], origin);
    calls();
    await open(3);
    expect(received()).toEqual(ALONE);
    expect(evaluated()).toEqual([]);
  });

  it('is opened by the client where the frame calls for no window, is gone, or its document is', async () => {
    const { openLink: open, cdp, received } = await nested();
    await open(3);
    expect(received()).toEqual(ALONE);
    cdp.answer('Runtime.evaluate', () => Promise.reject(new AppError('frame-gone', 'gone')));
    await open(3);
    await open(4);
    await open(undefined, 'window');
    expect(received()).toEqual([...ALONE, ...ALONE, ['popups.open-alone', { url: URL_OF_LINK, window: true }]]);
  });

  it('is opened once where the frame takes long', async () => {
    const { openLink: open, cdp, received } = await nested();
    cdp.answer('Runtime.evaluate', () => Promise.reject(new AppError('cdp-timeout', 'slow')));
    await open(3);
    expect(received()).toEqual([]);
  });
});
