import type { Page, Route } from 'playwright';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { pairRequestSchema } from '../../protocol/pairing.ts';
import { PAIRED } from './session-host.ts';
import { context, errors, host, open, openReady, page, sent, SITE, state, until, useSession } from './session-page.ts';

useSession();

describe('a session', () => {
  it('[S-056][S-029][S-126] pairs before all else, connects, activates plugins and becomes ready with the page', async () => {
    await open();
    await until(() => state(), 'loading');
    expect(host.calls[0]?.target).toBe('/r/pair');
    expect(host.ends[0]?.query.get('attempt')).toBe(host.calls[0]?.body['attempt']);
    for (const name of ['xid', 'chid']) expect(host.ends[0]?.query.get(name)).toMatch(/^[\w-]{16}$/);
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

  it('[S-038][S-042] sends page, browser and view with the pair request', async () => {
    host.info = { POST: { body: 'a=1', content_type: 'application/x-www-form-urlencoded' } };
    await open(`/mpa/app-1${SITE}`);
    await until(() => host.to('/r/pair').length, 1);
    const { body } = host.to('/r/pair')[0] ?? { body: {} };
    expect(v.safeParse(pairRequestSchema, body).success).toBe(true);
    const fields = [
      'url transparent_mode read_only_entry pid mpa_id pair_node persistent_policy timezone build_id top_frame_doctype language languages',
      'platform referrer framing_status viewport_bounds render_params supports_mse unsupported_media_formats force_isolate is_post host',
      'reload_allowed tc_api pa_tok doc_headers xheaders chrome_posture client_hints body content_type',
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
      reload_allowed: false,
      tc_api: 3,
      transparent_mode: false,
      client_hints: { 'sec-ch-ua-mobile': '?0' },
      body: 'a=1',
      content_type: 'application/x-www-form-urlencoded',
      host: new URL(host.origin).host,
      render_params: {
        view_size: { width: 900, height: 700 },
        media_features: [],
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

  it('[S-038] lets the host have it reloaded, unless that would send a form again', async () => {
    await open();
    await until(() => host.to('/r/pair').at(-1)?.body['reload_allowed'], true);
    await until(() => state(), 'loading'); // the pairing has been stored
    host.info = { POST: { body: 'a=1', content_type: 'application/x-www-form-urlencoded' } };
    await page.reload();
    await until(() => host.to('/r/repair').at(-1)?.body['reload_allowed'], false);
  });

  it('[S-052] keeps its records in cookies, in the name of the window and in the storage of the tab', async () => {
    await openReady();
    await page.mouse.move(50, 50);
    await until(async () => {
      const cookies = await context.cookies();
      return cookies
        .map(({ name }) => name)
        .filter((name) => ['vitrine_active', 'cl'].includes(name))
        .sort();
    }, ['cl', 'vitrine_active']);
    const { name, keys } = await page.evaluate(() => ({ name: window.name, keys: Object.keys(sessionStorage) }));
    expect(name).toMatch(/^sv_tab_id:[\w-]{16}$/);
    expect(keys).toContain(`sv_tab:${name.slice('sv_tab_id:'.length)}`);
  });

  it('[S-042][R-036] sends a new size, scale or colour scheme once it has settled', async () => {
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
    await until(
      () => sent('set-render-params').slice(before),
      [expect.objectContaining({ media_features: ['prefers-color-scheme: dark'] })],
    );
  });

  it('[S-067] reports when it is hidden, shown and focused', async () => {
    await openReady();
    await until(() => sent('show-tab'), [{}]);
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

  it('disposes a plugin whose capability is withdrawn', async () => {
    await openReady();
    host.send('plugin-withdrawn', { id: 'boot-plugin' });
    await until(() => page.evaluate(() => document.documentElement.dataset['disposed']), 'boot-plugin');
  });
});

describe('a tab', () => {
  it('[S-004][S-063] is paired with the same surrogate after a reload, and with another when that has ended', async () => {
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

  it('[S-039] says with the repair which entry of the history of the page it shows', async () => {
    await openReady();
    await page.evaluate(() => {
      history.replaceState({ hid: 17, url: 'https://site.test/' }, '');
    });
    await page.reload();
    await until(() => host.to('/r/repair').length, 1);
    expect(host.to('/r/repair')[0]?.body).toMatchObject({
      hid: '17',
      dnt: false,
      popup_initial_pair: false,
      doctype_correction: false,
    });
    await page.evaluate(() => {
      history.replaceState({ hid: 'a' }, ''); // not one of ours
    });
    await page.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }));
    await page.reload();
    await until(() => host.to('/r/repair').length, 2);
    expect(host.to('/r/repair')[1]?.body).not.toHaveProperty('hid');
    expect(host.to('/r/repair')[1]?.body).toMatchObject({ dnt: true });
  });

  it('[M-020] gives its plugins the pairing dictionary, with the id of a multi-page app', async () => {
    await openReady(`/mpa/app-1${SITE}`);
    const pairing = await page.evaluate(() => document.documentElement.dataset['pairing']);
    expect(JSON.parse(pairing ?? '{}')).toMatchObject({
      cid: 'c1',
      tab_id: 'tab-1',
      safe_rid: 'safe',
      mpa_id: 'app-1',
      cluster_id: 'local',
      rid: 'r1',
      s_nid: 'node-1',
      client_caps: { doubling: true },
    });
  });

  it('that is a duplicate of another has its own identity and surrogate', async () => {
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

  it('[S-080][S-032] keeps its session on unload, and ends it when a reload could not find it', async () => {
    await openReady();
    await page.goto(`${host.origin}/blank`);
    expect(host.to('/r/unpair')).toEqual([]);
    host.info = { TPROXY_ENABLED: true };
    await openReady(`/mpa/app-1${SITE}`);
    await page.evaluate(() => {
      window.name = 'taken by the site';
    });
    await page.goto(`${host.origin}/blank`);
    await until(
      () => host.to('/r/unpair'),
      [
        {
          target: '/r/unpair?cid=c1&cl=local',
          body: {
            build_id: 'build-1',
            tc_api: 3,
            url: 'https://site.test/page?q=1#part',
            host: new URL(host.origin).host,
            transparent_mode: true,
            mpa_id: 'app-1',
            tab_id: expect.stringMatching(/^[\w-]{16}$/) as unknown,
            safe_rid: 'safe',
          },
        },
      ],
    );
  });
});

it('[S-004] a tab that is reloaded before the host has answered it keeps its session', async () => {
  await openReady();
  const asked = Promise.withResolvers<undefined>();
  await page.route('**/r/repair*', () => asked.resolve(undefined), { times: 1 }); // never answered
  await page.reload({ waitUntil: 'commit' });
  await asked.promise;
  await page.reload();
  await until(() => host.to('/r/repair').length, 1);
  await until(() => state(), 'loading');
  expect(host.to('/r/pair')).toHaveLength(1);
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
      if (window.top !== window) return;
      window.addEventListener('DOMContentLoaded', () => {
        const frame = document.createElement('iframe');
        frame.dataset['frame'] = '2'; // a document of the view
        document.body.append(frame);
      });
    });
    await made.goto(host.origin + SITE);
    await until(() => state(made), 'loading');
    return made;
  }

  it('[S-065][S-066] becomes active when it is used, passive when another is, and reports each once', async () => {
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
    await second.frameLocator('iframe[data-frame]').locator('body').dispatchEvent('mousemove');
    await until(() => active(second).then((heard) => heard.at(-1)), 'window-became-active');
    await until(() => active(first).then((heard) => heard.at(-1)), 'window-became-passive');
  });

  it('[M-085] notifies the host on unload, and when the browser freezes and resumes it', async () => {
    await openReady();
    await until(() => sent('show-tab').length > 0, true); // it listens from then on
    await page.evaluate(() => {
      document.dispatchEvent(new Event('freeze'));
      document.dispatchEvent(new Event('resume'));
    });
    const lifecycle = (): string[] =>
      host.received().flatMap(([name]) => (name === 'client-detach' || name === 'resume_client_update' ? [name] : []));
    await until(lifecycle, ['client-detach', 'resume_client_update']);
    await page.goto(`${host.origin}/blank`);
    await until(lifecycle, ['client-detach', 'resume_client_update', 'client-detach']);
  });

  it('[M-101] reports an internal event to the host, and tells the person nothing of it', async () => {
    await openReady();
    const words = (): Promise<string> => page.evaluate(() => document.documentElement.innerText);
    const before = await words();
    host.send('load-state', { state: 'unheard of' });
    await until(() => host.events().includes('tc-bad-message'), true);
    expect(await words()).toBe(before);
    expect(await page.content()).not.toContain('tc-');
  });

  it('[R-089] asks for the values that policy keeps for it, and sends them with the next pairing', async () => {
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

  for (const when of ['before', 'after'])
    it(`[M-066] shuts down in a frame where policy forbids framing, ${when} the plugin that shows pages is there, and shows that alone`, async () => {
      const fetched = Promise.withResolvers<Route>();
      await page.route('**/boot-plugin-*', (route) => (when === 'before' ? fetched.resolve(route) : route.continue()));
      await page.goto(`${host.origin}/blank`);
      await page.evaluate((src) => {
        const frame = document.createElement('iframe');
        frame.style.cssText = 'width:600px;height:400px';
        frame.src = src;
        document.body.append(frame);
      }, SITE);
      const shell = page.frameLocator('iframe');
      await until(() => host.ends.length, 1);
      if (when === 'after') await shell.locator('#fixture-view').waitFor({ state: 'attached' });
      host.send('site_caps', { framing_restriction: 1 });
      await until(() => shell.locator('#vitrine-notice').textContent(), 'Disallowed framing');
      await until(() => host.ends[0]?.socket.readyState, 3);
      expect(await shell.locator('html').getAttribute('data-vitrine-state')).toBe('error');
      if (when === 'before') {
        const route = await fetched.promise;
        await route.continue();
        // Once it is there for another script, the client has had it, too.
        await shell.locator('body').evaluate(
          (body, src) =>
            new Promise((resolve) => {
              const script = Object.assign(document.createElement('script'), { type: 'module', src });
              script.onload = () => requestAnimationFrame(resolve);
              body.append(script);
            }),
          route.request().url(),
        );
      }
      expect(await shell.locator('#fixture-view').count()).toBe(0);
    });
});
