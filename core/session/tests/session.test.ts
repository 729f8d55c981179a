import { chromium } from 'playwright';
import type { Browser, BrowserContext, Page } from 'playwright';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pairRequestSchema } from '../../protocol/pairing.ts';
import { PAIRED, SessionHost } from './session-host.ts';

const FLAGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-sandbox',
];
const SITE = '/https://site.test/page?q=1#part';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let host: SessionHost;
let errors: string[];

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['VITRINE_CHROMIUM'] ?? '/usr/bin/chromium',
    args: FLAGS,
  });
});
afterAll(() => browser.close());
beforeEach(async () => {
  host = await SessionHost.start();
  context = await browser.newContext({
    viewport: { width: 900, height: 700 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  page = await context.newPage();
  errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
});
afterEach(async () => {
  await context.close();
  host.close();
});

const state = (of: Page = page): Promise<string | undefined> =>
  of.evaluate(() => document.documentElement.dataset['vitrineState']);
const until = (what: () => unknown, value: unknown): Promise<void> =>
  expect.poll(what, { timeout: 10_000, interval: 20 }).toEqual(value);
const sent = (name: string): unknown[] => host.received().flatMap(([each, params]) => (each === name ? [params] : []));

async function open(path = SITE): Promise<void> {
  await page.goto(host.origin + path);
}

/** Opens a page and lets the host say that it is loaded. */
async function openReady(path = SITE): Promise<void> {
  await open(path);
  await until(() => state(), 'loading');
  host.send('load-state', { state: 'ready', url: 'https://site.test/page?q=1#part' });
  await until(() => state(), 'ready');
}

describe('a session', () => {
  it('[S-056][S-061][S-029] pairs before all else, connects, activates plugins and becomes ready with the page', async () => {
    await open();
    await until(() => state(), 'loading');
    expect(host.calls[0]?.target).toBe('/r/pair');
    expect(host.ends[0]?.query.get('cid')).toBe('c1');
    expect(await page.locator('#vitrine-preload .spinner').count()).toBe(1);
    host.send('load-state', { state: 'loading', url: 'https://site.test/elsewhere' });
    host.send('boot-plugin.batch', { seq: 1 });
    await until(() => page.evaluate(() => document.documentElement.dataset['ready']), 'https://site.test/elsewhere');
    host.send('load-state', { state: 'ready', url: 'https://site.test/elsewhere' });
    await until(() => state(), 'ready');
    expect(await page.locator('#vitrine-preload').count()).toBe(0);
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`);
    expect(cookies).toEqual(expect.arrayContaining(['cl=local', 'nid=node-1']));
    expect(errors).toEqual([]);
  });

  it('[S-038][S-042] tells of page, browser and view when it pairs', async () => {
    host.info = { POST: { body: 'a=1', content_type: 'application/x-www-form-urlencoded' } };
    await open(`/mpa/app-1${SITE}`);
    await until(() => host.to('/r/pair').length, 1);
    const { body } = host.to('/r/pair')[0] ?? { body: {} };
    expect(v.safeParse(pairRequestSchema, body).success).toBe(true);
    const fields = [
      'url transparent_mode read_only_entry pid mpa_id pair_node persistent_policy timezone build_id top_frame_doctype language languages',
      'platform referrer framing_status viewport_bounds render_params supports_mse unsupported_media_formats force_isolate is_post host',
      'reload_allowed tc_api pa_tok doc_headers xheaders chrome_posture body content_type',
    ];
    expect(Object.keys(body)).toEqual(expect.arrayContaining(fields.join(' ').split(' ')));
    expect(body).toMatchObject({
      url: 'https://site.test/page?q=1#part',
      mpa_id: 'app-1',
      timezone: 'Europe/Berlin',
      language: 'en-GB',
      build_id: 'build-1',
      top_frame_doctype: '<!DOCTYPE html>',
      framing_status: 0,
      is_post: true,
      body: 'a=1',
      content_type: 'application/x-www-form-urlencoded',
      host: new URL(host.origin).host,
      render_params: {
        view_size: { width: 900, height: 700 },
        color_scheme: 'light',
        device_metrics: {
          screen_size: { width: 900, height: 700 },
          screen_orientation_type: 'landscape',
          screen_orientation_angle: 0,
          device_scale_factor: 1,
          enable_touch_events: false,
          max_touch_points: 2,
          mobile: false,
        },
      },
    });
  });

  it('[S-042][R-036] tells of another size, scale or colour scheme, once it has settled', async () => {
    await openReady();
    await page.setViewportSize({ width: 800, height: 600 });
    await page.setViewportSize({ width: 640, height: 480 });
    await until(
      () => sent('set-render-params').at(-1),
      expect.objectContaining({
        view_size: { width: 640, height: 480 },
        visual_viewport: { x: 0, y: 0, width: 640, height: 480, scale: 1 },
        initial_view_height: 700,
      }),
    );
    const before = sent('set-render-params').length;
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(() => sent('set-render-params').slice(before), [expect.objectContaining({ color_scheme: 'dark' })]);
  });

  it('[S-067] tells when it is hidden, shown and focused', async () => {
    await openReady();
    await page.evaluate(() => {
      const show = (hidden: boolean): void => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      };
      show(true);
      show(false);
      window.dispatchEvent(new Event('focus'));
    });
    await until(
      () =>
        host
          .received()
          .map(([name]) => name)
          .filter((name) => /-(tab|focus)$/.test(name))
          .slice(-3),
      ['hide-tab', 'show-tab', 'acquire-focus'],
    );
  });

  it('[S-002] never loads a plugin whose capability is off, and one whose capability is on when it is first needed', async () => {
    host.answers['/r/pair'] = () => ({ ...PAIRED, client_caps: { doubling: false } });
    await openReady();
    host.send('gated-plugin.double', { n: 21 }, 5);
    await until(() => sent('reply'), [[5, false, expect.objectContaining({ code: 'unknown-message' })]]);
    expect(host.scripts.filter((name) => name.includes('gated-plugin'))).toEqual([]);
    host.answers = {};
    host.calls.length = 0;
    await page.goto('about:blank');
    host.answers['/r/repair'] = () => 404;
    await openReady();
    expect(host.scripts.filter((name) => name.includes('gated-plugin'))).toEqual([]);
    host.send('gated-plugin.double', { n: 21 }, 6);
    await until(() => sent('reply').at(-1), [6, true, { n: 42 }]);
    expect(host.scripts.filter((name) => name.includes('gated-plugin'))).toHaveLength(1);
  });

  it('disposes a plugin that is withdrawn', async () => {
    await openReady();
    host.send('plugin-withdrawn', { id: 'boot-plugin' });
    await until(() => page.evaluate(() => document.documentElement.dataset['disposed']), 'boot-plugin');
  });
});

describe('a tab', () => {
  it('[S-004][S-063] is paired with the same surrogate after a reload, and with another when that is gone', async () => {
    await openReady();
    await page.reload();
    await until(() => host.to('/r/repair').length, 1);
    expect(host.to('/r/repair')[0]).toMatchObject({
      target: '/r/repair?cid=c1&cl=local',
      body: { safe_rid: 'safe', tab_id: 'tab-1' },
    });
    await until(() => state(), 'loading');
    host.answers['/r/repair'] = () => 404;
    await page.reload();
    await until(
      () => host.calls.map(({ target }) => target.split('?')[0]).filter((path) => path?.startsWith('/r/')),
      ['/r/pair', '/r/repair', '/r/repair', '/r/pair'],
    );
    await until(() => state(), 'loading');
  });

  it('that is the copy of another has an identity and a surrogate of its own', async () => {
    await openReady();
    const copied = await page.evaluate(() => ({ name: window.name, entries: Object.entries(sessionStorage) }));
    const copy = await context.newPage();
    await copy.addInitScript(({ name, entries }) => {
      if (window.name !== '') return;
      window.name = name;
      for (const [key, value] of entries) sessionStorage.setItem(key, value);
    }, copied);
    await copy.goto(host.origin + SITE);
    await until(() => host.to('/r/pair').length, 2);
    expect(host.to('/r/repair')).toEqual([]);
    expect(await copy.evaluate(() => window.name)).not.toBe(copied.name);
  });

  it('[S-080][S-032] keeps its session when it goes, and ends it when a reload could not find it', async () => {
    await openReady();
    await page.goto(`${host.origin}/blank`);
    expect(host.to('/r/unpair')).toEqual([]);
    await openReady();
    await page.evaluate(() => {
      window.name = 'taken by the site';
    });
    await page.goto(`${host.origin}/blank`);
    await until(
      () => host.to('/r/unpair'),
      [
        {
          target: '/r/unpair?cid=c1&cl=local',
          body: expect.objectContaining({
            safe_rid: 'safe',
            build_id: 'build-1',
            url: 'https://site.test/page?q=1#part',
          }) as unknown,
        },
      ],
    );
  });
});

describe('a tab among others', () => {
  const active = (of: Page): Promise<string[]> => of.evaluate(() => (window as unknown as { heard: string[] }).heard);
  async function another(): Promise<Page> {
    const made = await context.newPage();
    await made.addInitScript(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      for (const name of ['window-became-active', 'window-became-passive'])
        window.addEventListener(name, () => heard.push(name));
    });
    await made.goto(host.origin + SITE);
    await until(() => state(made), 'loading');
    return made;
  }

  it('[S-065][S-066] becomes active when it is used, passive when another is, and says each once', async () => {
    const first = await another();
    await first.mouse.move(10, 10);
    await first.mouse.move(20, 20);
    await until(() => active(first), ['window-became-active']);
    const second = await another();
    await second.evaluate(() => window.dispatchEvent(new Event('scroll')));
    await until(() => active(second), ['window-became-active']);
    await until(() => active(first), ['window-became-active', 'window-became-passive']);
    expect(await second.evaluate(() => document.cookie)).toMatch(/vitrine_active=[\w-]{16}/);
    await first.keyboard.press('Shift');
    await until(() => active(first).then((heard) => heard.at(-1)), 'window-became-active');
    await until(() => active(second), ['window-became-active', 'window-became-passive']);
    expect(await active(first)).toHaveLength(3);
  });

  it('[M-085] tells the host when it goes, and when the browser freezes it and wakes it', async () => {
    await openReady();
    await page.evaluate(() => {
      document.dispatchEvent(new Event('freeze'));
      document.dispatchEvent(new Event('resume'));
    });
    const told = (): string[] =>
      host.received().flatMap(([name]) => (name === 'client-detach' || name === 'resume_client_update' ? [name] : []));
    await until(told, ['client-detach', 'resume_client_update']);
    await page.goto(`${host.origin}/blank`);
    await until(told, ['client-detach', 'resume_client_update', 'client-detach']);
  });

  it('[R-089] asks what policy keeps for it, and brings that to the next pairing', async () => {
    await openReady();
    await until(() => sent('get-persistent-policy').length, 1);
    host.send('persistent-policy', { policy: { entry_action: 'read_only' } });
    await until(
      () => page.evaluate(() => sessionStorage.length > 0 && JSON.stringify(sessionStorage).includes('read_only')),
      true,
    );
    await page.reload();
    await until(() => host.to('/r/repair').at(-1)?.body['persistent_policy'], { entry_action: 'read_only' });
  });

  it('[M-066] shuts down in a frame where policy forbids framing, and says so', async () => {
    host.answers['/r/pair'] = () => ({ ...PAIRED, site_caps: { framing_restriction: 1 } });
    await page.goto(`${host.origin}/blank`);
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.style.cssText = 'width:600px;height:400px';
      frame.src = src;
      document.body.append(frame);
    }, SITE);
    const bar = page.frameLocator('iframe').locator('#vitrine-notice');
    await until(() => bar.textContent(), 'Disallowed framing');
    await until(() => host.ends[0]?.socket.readyState, 3);
    expect(await page.frameLocator('iframe').locator('html').getAttribute('data-vitrine-state')).toBe('error');
  });
});

describe('a session that cannot go on', () => {
  it('[S-030] says that the network is in trouble while the host is away, and no longer when it is back', async () => {
    await openReady();
    host.onEnd = () => undefined; // answers nobody
    host.ends[0]?.socket.terminate();
    const notice = page.locator('#vitrine-notice');
    await until(
      () => notice.textContent().catch(() => ''),
      expect.stringMatching(/trouble with the network \(code \w{6}\).*Still trying/),
    );
    host.onEnd = (end) => {
      end.found();
    };
    host.ends.at(-1)?.socket.terminate();
    await until(() => notice.count(), 0);
    expect(await state()).toBe('ready');
  });

  it('tells that the isolated browser was replaced', async () => {
    await openReady();
    host.send('surrogate-lost', { reason: 'crashed', restored: true });
    await until(() => page.getByRole('status').textContent(), expect.stringContaining('has been loaded again'));
    expect(await state()).toBe('ready');
  });

  it('[R-057] stays detached, without a reload, while nobody looks at it', async () => {
    await openReady();
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    });
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'detached');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(host.to('/r/repair')).toEqual([]);
  });

  it('[S-076] does not come back by itself where that is prevented', async () => {
    host.answers['/r/pair'] = () => ({ ...PAIRED, reload_allowed: false });
    await openReady();
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'error');
    await page.keyboard.press('Shift');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(host.to('/r/repair')).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(() => host.to('/r/repair').length, 1);
  });

  it('[S-076] is detached: no input is forwarded, and the next one reloads', async () => {
    await openReady();
    await page.mouse.move(100, 100);
    await page.mouse.down();
    await page.mouse.up();
    await until(() => sent('CM-mouse').length > 0, true);
    host.ends[0]?.control({ bye: 'over' });
    await until(() => state(), 'detached');
    const before = host.received().length;
    await page.mouse.move(120, 120);
    await page.setViewportSize({ width: 640, height: 480 });
    expect(await page.getByRole('status').textContent()).toContain('connection is lost');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(host.received()).toHaveLength(before);
    expect(errors).toEqual([]);
    await page.keyboard.press('a');
    await until(() => host.to('/r/repair').length, 1);
    await until(() => state(), 'loading');
  });

  it('[S-010] shows why the host has ended it, and says so in an event', async () => {
    await openReady();
    host.send('disconnect', { reason: 'maintenance', reconnect: false });
    await until(() => state(), 'error');
    expect(await page.getByRole('alert').textContent()).toContain('maintenance');
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), ['tc-error-page']);
  });

  it('comes again when the host asks for that', async () => {
    await openReady();
    host.send('disconnect', { reason: 'moved', reconnect: true });
    await until(() => host.to('/r/repair').length, 1);
  });

  it('reloads once for another version, and no more', async () => {
    host.answers['/r/pair'] = () => ({ version: 'reload' });
    await open();
    await until(() => state(), 'error');
    expect(host.to('/r/pair')).toHaveLength(2);
  });

  it('reloads once when a plugin is of another version, and goes on without it', async () => {
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
  it.each(refusals)('[S-060][R-058] shows %s instead of a session', async (_what, answer, text) => {
    host.answers['/r/pair'] = () => answer;
    await open();
    await until(() => state(), 'error');
    expect(await page.getByRole('alert').textContent()).toMatch(text);
    expect(host.ends).toEqual([]);
  });

  it('[S-060] goes where direct access points', async () => {
    host.answers['/r/pair'] = () => ({ direct_access: `${host.origin}/blank` });
    await open();
    await page.waitForURL('**/blank');
    expect(host.ends).toEqual([]);
  });

  it('[S-059][S-043] posts the form of the login page, and starts no session', async () => {
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
    expect(host.ends).toEqual([]);
  });

  it('goes to no address that is none of the web', async () => {
    host.answers['/r/pair'] = () => ({ login_url: 'javascript:document.title="run"' });
    await open();
    await until(() => state(), 'error');
    expect(await page.title()).toBe('Vitrine');
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
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events().includes('tc-websocket-create-failed'), true);
  });

  it('[S-106] reports a call that fails, by its label', async () => {
    host.answers['/r/pair'] = () => 403;
    await open();
    await until(() => state(), 'error');
    await page.goto(`${host.origin}/blank`);
    await until(() => host.events(), ['tc-server-call-failed', 'tc-error-page']);
    const [item] = host.to('/safeview-client-logger/clientevent')[0]?.body['items'] as { data: unknown }[];
    expect(item?.data).toMatchObject({ label: 'pair', data: { status: 403 } });
  });

  it('[S-035] says so when the shell cannot be read', async () => {
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
