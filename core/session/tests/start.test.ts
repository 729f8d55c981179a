import { describe, expect, it } from 'vitest';
import { PingMeter } from '../../events/ping-stats.ts';
import { leave, sendOnExit } from '../exit/exit.ts';
import type { ExitOptions } from '../exit/exit.ts';
import { bustsFrame, isTinyFrame, refusesFrame } from '../shell/frame-refusal.ts';
import { isFramingForbidden } from '../shell/framing-restriction.ts';
import { pageAddress } from '../shell/page-address.ts';
import { FRAMING } from '../shell/framing.ts';
import { parseSessionInfo } from '../shell/session-info.ts';

const INFO = {
  DEBUG: false,
  TC_API_VERSION: 1,
  TC_BUNDLED: true,
  INSPECT_DOMAIN: 'inspect.vitrine.test',
  CLUSTER_DOMAIN: 'vitrine.test',
  BUILD_ID: 'büild',
  HOST: 'vitrine.test',
  TPROXY_ENABLED: false,
  FRAMEBUST: { enabled: true, domains: ['site.test'] },
};
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

describe('session information', () => {
  it('[S-035] is JSON in base64, UTF-8', () => {
    expect(parseSessionInfo(encoded(INFO))).toEqual(INFO);
  });

  it.each([
    '',
    null,
    undefined,
    'not base64!',
    encoded('text'),
    encoded({ ...INFO, FRAMEBUST: true }),
    encoded({ DEBUG: false }),
  ])('[S-035] refuses %j', (attribute) => {
    expect(() => parseSessionInfo(attribute)).toThrow(expect.objectContaining({ code: 'bad-session-info' }));
  });
});

describe('page address', () => {
  const of = (href: string) => pageAddress(new URL(href, 'http://vitrine.test'));

  it.each([
    ['/https://site.test/a?b=c#d', 'https://site.test/a?b=c#d', '/'],
    ['/http://site.test:8080', 'http://site.test:8080/', '/'],
    ['/https:/site.test/a//b', 'https://site.test/a//b', '/'],
    ['/mpa/app-1/https://site.test/#x', 'https://site.test/#x', '/mpa/app-1/'],
    ['/HTTPS://site.test/', 'https://site.test/', '/'],
    ['/https://site.test/%2F%25?q=%20', 'https://site.test/%2F%25?q=%20', '/'],
    ['/__blank?_sv_p_id=1', 'about:blank', '/'],
    ['/__blob/https/site.test/1', 'blob:https://site.test/1', '/'],
    ['/https://site.test/?a=1&_sv_force_isolate=1&b=2', 'https://site.test/?a=1&b=2', '/'],
  ])('[S-006] reads %s', (path, url, prefix) => {
    expect(of(path)).toMatchObject({ url, prefix });
  });

  it.each([
    '/',
    '/about',
    '/ftp://site.test/',
    '/https://',
    '/javascript:alert(1)',
    '/data:text/html,x',
    '/https://[bad/',
  ])('takes %s for no page', (path) => {
    expect(of(path)).toBeUndefined();
  });
});

it('[S-038] forces isolation for a parameter that the site never sees', () => {
  const of = (href: string) => pageAddress(new URL(href, 'http://vitrine.test'));
  expect(of('/https://site.test/?_sv_force_isolate=1')).toMatchObject({
    url: 'https://site.test/',
    forceIsolate: true,
  });
  const other = of('/https://site.test/?_sv_force_isolate=12');
  expect(other).not.toHaveProperty('forceIsolate');
  expect(other).toMatchObject({ url: 'https://site.test/' });
});

describe('frames', () => {
  const framed = { status: FRAMING.other, width: 0, height: 0, host: 'site.test' };

  it('[S-140] counts as tiny up to 1 px in one direction, and only when framed', () => {
    expect(isTinyFrame({ ...framed, width: 1, height: 600 })).toBe(true);
    expect(isTinyFrame({ ...framed, width: 600, height: 1 })).toBe(true);
    expect(isTinyFrame({ ...framed, width: 2, height: 2 })).toBe(false);
    expect(isTinyFrame({ ...framed, status: FRAMING.none })).toBe(false);
  });

  it('[S-083] [S-140] lead the top window to the page, or show nothing where the browser forbids that', () => {
    const at = (top: object, framebust = INFO.FRAMEBUST, page = 'https://site.test/'): [boolean, string[]] => {
      const reports: string[] = [];
      const window = {
        innerWidth: 0,
        innerHeight: 0,
        location: { href: 'https://v.test/x', origin: 'https://v.test' },
        top,
      };
      const refused = refusesFrame(window as unknown as Window, page, framebust, (name) => void reports.push(name)); // the parts that are used
      return [refused, reports];
    };
    const top = { location: { href: '', origin: 'https://v.test' } };
    expect(at(top)).toEqual([true, []]);
    expect(top.location.href).toBe('https://v.test/x');
    const closed = {
      get location(): never {
        throw new Error('another origin');
      },
    };
    expect(at(closed)).toEqual([true, ['tc-blocked-tiny-iframe']]);
    const still = { location: { href: '', origin: 'https://v.test' } };
    expect(at(still, { enabled: true, domains: ['other.test'] })).toEqual([true, ['tc-blocked-tiny-iframe']]);
    expect(at(still, { enabled: false, domains: ['site.test'] })).toEqual([true, ['tc-blocked-tiny-iframe']]);
    expect(still.location.href).toBe('');
  });

  it('[M-066] are forbidden by any framing restriction but one of 2 with a framing status of 2', () => {
    const table = [0, 1, 2, 3].map((restriction) => [0, 1, 2].map((status) => isFramingForbidden(restriction, status)));
    expect(table).toEqual([
      [false, false, false],
      [false, true, true],
      [false, true, false],
      [false, true, true],
    ]);
    expect(isFramingForbidden(undefined, FRAMING.other)).toBe(false);
  });

  it('[S-083] are left only when that is on, the frame has no size and the host is listed', () => {
    expect(bustsFrame(framed, INFO.FRAMEBUST)).toBe(true);
    expect(bustsFrame(framed, { ...INFO.FRAMEBUST, enabled: false })).toBe(false);
    expect(bustsFrame({ ...framed, host: 'login.site.test' }, INFO.FRAMEBUST)).toBe(true);
    expect(bustsFrame({ ...framed, host: 'othersite.test' }, INFO.FRAMEBUST)).toBe(false);
    expect(bustsFrame({ ...framed, height: 1 }, INFO.FRAMEBUST)).toBe(false);
    expect(bustsFrame({ ...framed, width: 1 }, INFO.FRAMEBUST)).toBe(false);
    expect(bustsFrame({ ...framed, host: 'else.test' }, INFO.FRAMEBUST)).toBe(false);
    expect(bustsFrame({ ...framed, status: FRAMING.none }, INFO.FRAMEBUST)).toBe(false);
  });
});

describe('exit', () => {
  function go(given: Partial<ExitOptions> & { reliable: boolean }): [string, string][] {
    const beacons: [string, string][] = [];
    const { reliable, ...options } = given;
    leave({
      store: { reliable, touch: () => undefined },
      reporter: {
        leave: (beacon) => {
          beacon('/events', '{}');
        },
      },
      pings: { stats: () => ({ tlast: 1, tmin: 1, tavg: 1, tstdev: 0, tmax: 1, count: 1, mode: 'websocket' }) },
      session: () => ({ cid: 'c1', cl: 'local', body: { safe_rid: 'safe', tab_id: 't1' } }),
      beacon: (...sent) => void beacons.push(sent),
      ...options,
    });
    return beacons;
  }

  it('[S-080] flushes events and sends ping statistics, and keeps the session for a reload', () => {
    expect(go({ reliable: true }).map(([path]) => path)).toEqual(['/events', '/safeview-client-logger/pingstats']);
  });

  it('[S-032][S-080] unpairs when a reload could not find the session again', () => {
    expect(go({ reliable: false })[0]).toEqual([
      '/r/unpair?cid=c1&cl=local',
      JSON.stringify({ safe_rid: 'safe', tab_id: 't1' }),
    ]);
  });

  it('[S-041] sends round trip statistics: last, minimum, average, deviation, maximum, count and mode', () => {
    const pings = new PingMeter();
    for (const ms of [30, 10]) pings.add(ms, 'websocket');
    pings.add(26, 'xhr');
    const sent = go({ reliable: true, pings }).find(([path]) => path === '/safeview-client-logger/pingstats');
    expect(JSON.parse(sent?.[1] ?? '')).toEqual({
      tlast: 26,
      tmin: 10,
      tavg: 22,
      tstdev: expect.closeTo(8.641, 3) as unknown,
      tmax: 30,
      count: 3,
      mode: 'xhr', // of the last
    });
  });

  it('[S-041] sends as a beacon, or by a synchronous request where there are no beacons', () => {
    const sent: unknown[] = [];
    class XMLHttpRequest {
      open(...how: unknown[]): void {
        sent.push(how);
      }
      setRequestHeader(): void {
        // not recorded
      }
      send(body: string): void {
        sent.push(body);
      }
    }
    const sendBeacon = (...what: unknown[]): void => void sent.push(['beacon', ...what]);
    sendOnExit({ navigator: { sendBeacon }, XMLHttpRequest } as never)('/path', 'body');
    sendOnExit({ navigator: {}, XMLHttpRequest } as never)('/path', 'body');
    expect(sent).toEqual([['beacon', '/path', 'body'], ['POST', '/path', false], 'body']);
  });

  it('sends nothing without a session', () => {
    expect(
      go({ reliable: false, session: () => undefined, pings: { stats: () => undefined } }).map(([path]) => path),
    ).toEqual(['/events']);
  });
});
