import { describe, expect, it } from 'vitest';
import { PAIRED } from './session-host.ts';
import {
  host,
  open,
  openReady,
  page,
  paintedError,
  sent,
  SITE,
  state,
  until,
  useSession,
  context,
} from './session-page.ts';

useSession();

/** Title and icon of the tab. */
const named = (): Promise<(string | undefined)[]> =>
  page.evaluate(() => [
    document.title,
    document.head.querySelector('link[rel="icon"]')?.getAttribute('href') ?? undefined,
  ]);

/** Whether no channel is left: the websocket that is opened beside the pair request was not used, and is closed or has never arrived. */
const hasNoChannel = (): boolean =>
  host.ends.every(({ received, socket }) => received.length === 0 && socket.readyState === WebSocket.CLOSED);

describe('a session that cannot continue', () => {
  it('[S-030] shows a network problem while the host is down, and no longer when it is back', async () => {
    await openReady();
    host.onEnd = () => undefined; // never answers
    host.ends[0]?.socket.terminate();
    const notice = page.locator('#vitrine-notice');
    await until(
      () => notice.textContent().catch(() => ''),
      expect.stringMatching(/a network problem \(code \w{6}\).*Still trying/),
    );
    host.onEnd = (end) => {
      end.found();
    };
    host.ends.at(-1)?.socket.terminate();
    await until(() => notice.count(), 0);
    expect(await state()).toBe('ready');
  });

  it('[S-030] shows no network problem that is over before it is worth a word', async () => {
    await page.clock.install();
    await openReady();
    host.ends[0]?.socket.terminate();
    await until(() => host.ends.length, 2);
    host.send('load-state', { state: 'ready', url: 'https://site.test/page?q=1#part' }); // once more, in its place
    host.send('page-silent', { silent: true }); // is shown once the channel is back
    const text = (): Promise<string | null> => page.locator('#vitrine-notice').textContent();
    await until(() => text().catch(() => ''), expect.stringContaining('shows nothing yet'));
    await page.clock.runFor(10_000);
    expect(await text()).not.toContain('a network problem');
  });

  it('shows each problem while it lasts, beside the others', async () => {
    await openReady();
    const notice = page.locator('#vitrine-notice');
    const lines = async (): Promise<string[]> =>
      ((await notice.count()) ? ((await notice.textContent()) ?? '') : '').split('\n');
    host.onEnd = () => undefined; // never answers
    host.send('page-silent', { silent: true });
    host.send('surrogate-lost', { reason: 'crashed', restored: true });
    const silent = expect.stringContaining('shows nothing yet') as string;
    const restored = expect.stringContaining('was reloaded') as string;
    await until(lines, [silent, restored]);
    host.send('page-silent', { silent: false });
    await until(lines, [restored]);
    host.ends.at(-1)?.socket.terminate();
    await until(lines, expect.arrayContaining([expect.stringContaining('Still trying')]));
    host.onEnd = (end) => {
      end.found();
    };
    host.ends.at(-1)?.socket.terminate();
    await until(() => notice.count(), 0);
  });

  it('[R-115] reports an address without a page, and does not pair', async () => {
    await open('/https:///');
    await until(() => state(), 'error');
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), expect.arrayContaining(['tc-pairing-invalid-url']));
    expect(host.to('/r/pair')).toEqual([]);
  });

  it('[R-115] reports that there is no renderer for the surrogate', async () => {
    const plugins = (PAIRED.plugins ?? []).filter(({ id }) => id !== 'boot-plugin');
    host.answers['/r/pair'] = () => ({ ...PAIRED, plugins });
    await open();
    await until(() => host.ends.length, 1);
    await until(() => state(), 'loading');
    await page.waitForLoadState('networkidle');
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), ['surrogate-view-start-failed']);
  });

  it('[R-115] notifies the host on unload; reports that it cannot, while the host is down', async () => {
    await openReady();
    await page.goto(`${host.origin}/blank`);
    await until(() => sent('client-detach'), [{}]);
    expect(host.events()).toEqual([]);
    await openReady();
    host.onEnd = () => undefined; // never answers
    host.ends.at(-1)?.socket.terminate();
    await until(() => host.ends.length, 3);
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), ['tc-detach-from-channel-failure']);
  });

  it.each(['bye', 'ended'])(
    'shows the page of the entry that the person goes back to once it has left (%s)',
    async (how) => {
      await openReady();
      await page.evaluate(() => history.pushState(null, '', '/https://site.test/next'));
      if (how === 'bye') host.ends[0]?.control({ bye: 'over' });
      else host.send('disconnect', { reason: 'maintenance', reconnect: false });
      await until(() => state(), how === 'bye' ? 'detached' : 'error');
      await page.evaluate(() => history.back());
      await until(() => host.calls.filter(({ target }) => /^\/r\/(pair|repair)/.test(target)).length, 2);
      expect(page.url()).toBe(host.origin + SITE);
      await until(() => state(), 'loading');
    },
  );

  it.each([
    ['/__blob/https/site.test/1-2', 'site.test'],
    ['/__blob/null/1-2', 'blob:null/1-2'],
    ['/__blank', 'about:blank'],
  ])('names a tab at %s that has ended by %s', async (path, title) => {
    await openReady();
    await page.evaluate((each) => history.replaceState(null, (document.title = 'of the page'), each), path);
    host.send('disconnect', { reason: 'maintenance', reconnect: false });
    await until(() => state(), 'error');
    expect(await named()).toEqual([title, 'data:,']);
  });

  it('shows why the isolated browser is not replaced, and pairs anew on request', async () => {
    await openReady();
    await page.evaluate(() => {
      document.title = 'of the page';
      document.head.querySelector<HTMLLinkElement>('link[rel="icon"]')!.href = '/c/i/icon';
    });
    host.send('surrogate-lost', { reason: 'it crashed too often', restored: false });
    host.send('disconnect', { reason: 'crashed', reconnect: false }); // the host ends the tab, too
    await until(() => state(), 'error');
    await until(() => host.ends.map(({ socket }) => socket.readyState), [WebSocket.CLOSED]);
    expect(await paintedError()).toContain('it crashed too often');
    expect(await named()).toEqual(['site.test', 'data:,']);
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(() => host.to('/r/repair').length, 1);
    await until(() => state(), 'loading');
    expect(await paintedError()).toBeUndefined();
  });

  it('shows that the isolated browser was replaced', async () => {
    await openReady();
    host.send('surrogate-lost', { reason: 'crashed', restored: true });
    await until(() => page.getByRole('status').textContent(), expect.stringContaining('was reloaded'));
    expect(await state()).toBe('ready');
  });

  it('[R-057] stays detached, without a reload, while it is not visible', async () => {
    await openReady();
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    });
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'detached');
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), ['tc-channel-dead']); // and no tc-reload
    expect(host.to('/r/repair')).toEqual([]);
  });

  it('[S-076] does not reload automatically where that is prevented', async () => {
    host.answers['/r/pair'] = () => ({ ...PAIRED, reload_allowed: false });
    await openReady();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'error');
    expect(await paintedError()).toContain('cannot be shown');
    await page.keyboard.press('Shift');
    await page.mouse.click(450, 600);
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(() => host.to('/r/repair').length, 1);
    expect(asked).not.toContain('/healthz'); // which is asked at each input that reloads
  });

  it('[S-010][M-087][M-100] shows why the host has ended it, sends an event, and closes the channel', async () => {
    await openReady();
    host.send('disconnect', { reason: 'maintenance', reconnect: false });
    await until(() => state(), 'error');
    expect(await paintedError()).toContain('maintenance');
    expect(await named()).toEqual(['site.test', 'data:,']);
    await until(() => host.ends.map(({ socket }) => socket.readyState), [WebSocket.CLOSED]);
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), ['tc-error-page']);
  });

  it('reloads once for another version, and not again', async () => {
    host.answers['/r/pair'] = () => ({ version: 'reload' });
    await open();
    await until(() => state(), 'error');
    expect(await paintedError()).toEqual(expect.any(String));
    expect(host.to('/r/pair')).toHaveLength(2);
  });

  it('reloads once when a plugin has another version, and continues without it', async () => {
    const plugins = (PAIRED.plugins ?? []).map((grant) =>
      grant.id === 'gated-plugin' ? { ...grant, version: '2.0.0' } : grant,
    );
    host.answers['/r/pair'] = host.answers['/r/repair'] = () => ({ ...PAIRED, plugins });
    await open();
    await until(() => host.ends.length, 1);
    await until(() => state(), 'loading');
    expect(host.calls.filter(({ target }) => /^\/r\/(pair|repair)/.test(target))).toHaveLength(2);
  });

  const refusals: [string, object, RegExp][] = [
    [
      'an error page',
      { error: 'show_error_page', error_page: { title: 'Not today', message: 'Because', details: 'ref 7' } },
      /Not today.*Because.*ref 7/,
    ],
    ['a block', { block: true }, /does not allow/],
    ['too many tabs', { error: 'tab_limit' }, /Too many/],
  ];
  it.each(refusals)('[R-058] shows %s instead of a session', async (_what, answer, text) => {
    host.answers['/r/pair'] = () => answer;
    await open();
    await until(() => state(), 'error');
    expect(await paintedError()).toMatch(text);
    expect(await named()).toEqual(['site.test', 'data:,']);
    await until(hasNoChannel, true);
  });

  it('navigates to the direct access address', async () => {
    host.answers['/r/pair'] = () => ({ direct_access: `${host.origin}/blank` });
    await open();
    await page.waitForURL('**/blank');
    await until(hasNoChannel, true);
  });

  it('posts the form of the login page, and starts no session', async () => {
    host.answers['/r/pair'] = () => ({
      login_url: '/login',
      inspect_host: 'inspect.test',
      rc_rlist: ['https://a.test/'],
    });
    await open();
    await page.waitForURL('**/login');
    expect(host.to('/login')[0]?.body).toEqual({
      url: 'https://site.test/page?q=1#part',
      through: `${host.origin}/`,
      entry_mode: 'read_write',
      redirect_list: '["https://a.test/"]',
      prepend: '/',
      doc_headers: '{}',
      xheaders: '{}',
      inspect_host: 'inspect.test',
      mpa_id: '',
    });
    await until(hasNoChannel, true);
  });

  it('navigates only to web addresses', async () => {
    host.answers['/r/pair'] = () => ({ login_url: 'javascript:document.title="run"' });
    await open();
    await until(() => state(), 'error');
    expect(await page.title()).toBe('site.test');
  });

  it.each([true, false])(
    '[M-003] polls where no websocket passes, unless policy forbids it: %s',
    async (isForbidden) => {
      host.answers['/r/pair'] = () => ({ ...PAIRED, client_caps: { disable_long_poll: isForbidden } });
      await page.routeWebSocket(/./, (socket) => void socket.close());
      const called: string[] = [];
      page.on('request', (request) => called.push(new URL(request.url()).pathname));
      await open();
      if (isForbidden) await until(() => paintedError(), expect.any(String));
      else await until(() => called.includes('/r/p'), true);
      expect(called.includes('/r/p')).toBe(!isForbidden);
    },
  );

  it('[M-003] [M-074] has its polls held while its window is the active one, and not while another is', async () => {
    const held: (string | null)[] = [];
    await page.routeWebSocket(/./, (socket) => void socket.close());
    await page.route('**/r/p?*', async (route) => {
      held.push(new URL(route.request().url()).searchParams.get('tms'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      await route.fulfill({ body: '' });
    });
    await open();
    await until(() => held.at(-1), '12000');
    const other = await context.newPage();
    await other.goto(host.origin + SITE);
    await other.evaluate(() => window.dispatchEvent(new Event('scroll')));
    await until(() => held.at(-1), '0');
    await page.evaluate(() => window.dispatchEvent(new Event('scroll')));
    await until(() => held.at(-1), '12000');
    await other.close();
  });

  it('[M-073] names session, surrogate, tab and cluster with each websocket after the first', async () => {
    await openReady();
    const names = { cid: 'c1', rid: 'r1', tab_id: 'tab-1', cl: 'local' };
    host.ends[0]?.socket.terminate();
    await until(() => host.ends.length, 2);
    const again = host.ends[1];
    expect([again?.path, Object.fromEntries(again?.query ?? [])]).toMatchObject(['/r/websocket', names]);
  });

  it('[S-126] reports a websocket that the browser does not create', async () => {
    await page.addInitScript(() => {
      window.WebSocket = new Proxy(WebSocket, {
        construct: () => {
          throw new DOMException('not here', 'SecurityError');
        },
      });
    });
    await open();
    await until(() => state(), 'error');
    expect(await paintedError()).toEqual(expect.any(String));
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events().includes('tc-websocket-create-failed'), true);
  });

  it('[S-106] reports each call that fails, by its label', async () => {
    await openReady();
    host.answers['/r/repair'] = () => 404;
    host.answers['/r/pair'] = () => 403;
    await page.reload();
    await until(() => state(), 'error');
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), expect.arrayContaining(['tc-error-page']));
    const batches = host.to('/safeview-client-logger/clientevent').map(({ body }) => body['items']);
    const items = batches.flat() as { readonly event: string; readonly data: unknown }[]; // as the client sends them
    expect(items.filter(({ event }) => event === 'tc-server-call-failed').map(({ data }) => data)).toMatchObject([
      { label: 'repair', data: { status: 404 } },
      { label: 'pair', data: { status: 403 } },
    ]);
  });

  it('[S-035] shows an error when the shell cannot be read', async () => {
    host.info = 'no session';
    await open();
    await until(() => state(), 'error');
    expect(host.calls).toEqual([]);
  });

  it('[S-140] reports a tiny frame and does not pair in it', async () => {
    await page.goto(`${host.origin}/blank`);
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.style.cssText = 'width:1px;height:400px;border:0';
      frame.src = src;
      document.body.append(frame);
    }, SITE);
    await until(() => host.scripts.includes('/boot.js'), true);
    await page.waitForLoadState('networkidle');
    await page.goto('about:blank');
    await until(() => host.events(), ['tc-blocked-tiny-iframe']);
    expect(host.to('/r/pair')).toEqual([]);
  });
});
