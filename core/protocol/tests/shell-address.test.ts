import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOfPages, pageOfPath, pathOfPage, withOwnParameter, withoutOwnParameters } from '../shell-address.ts';

const url = (path: string): string | undefined => pageOfPath(path)?.url;

describe('paths of the host', () => {
  it.each([
    ['/https://example.org/', 'https://example.org/'],
    ['/https:/example.org/a', 'https://example.org/a'],
    ['/http://example.org:8080/a?b=//c&d=%E0', 'http://example.org:8080/a?b=//c&d=%E0'],
    ['/HTTPS://Example.org', 'https://example.org/'],
    ['/https://site.test/a?b#c', 'https://site.test/a?b#c'],
    ['/__blank', 'about:blank'],
    ['/__blank?_sv_p_id=1', 'about:blank'],
    ['/__blank#x', 'about:blank#x'],
    ['/__blob/https/site.test/0f-1', 'blob:https://site.test/0f-1'],
    ['/__blob/http/site.test:8080/0f-1', 'blob:http://site.test:8080/0f-1'],
    ['/__blob/null/0f-1', 'blob:null/0f-1'],
  ])('[S-006] [M-011] name pages: %s', (path, page) => {
    expect(url(path)).toBe(page);
    expect(pageOfPath(path)).toMatchObject({ prefix: '/', mpaId: undefined });
  });

  it('[M-012] are below the multi-page app, with its id', () => {
    for (const rest of ['https://site.test/a?b#c', '__blank', '__blob/https/site.test/1'])
      expect(pageOfPath(`/mpa/app-1/${rest}`)).toMatchObject({
        prefix: '/mpa/app-1/',
        mpaId: 'app-1',
        url: url(`/${rest}`),
      });
    expect(pathOfPage('https://site.test/a?b#c')).toBe('/https://site.test/a?b#c');
    expect(pathOfPage('https://site.test/a?b#c', '/mpa/m-1/')).toBe('/mpa/m-1/https://site.test/a?b#c');
  });

  it.each([
    '/',
    '/about',
    '/r/pair',
    '/ftp://site.test/',
    '/javascript:alert(1)',
    '/data:text/html,x',
    '/mpa',
    '/mpas/https://x/',
    '/__blanks',
    '/safeview-static/app/x.js',
    'https',
  ])('name no page, and are of none: %s', (path) => {
    expect([pageOfPath(path), isOfPages(path)]).toEqual([undefined, false]);
  });

  it.each([
    '/mpa/a b/https://x.test/',
    '/mpa/a.b/https://x.test/',
    `/mpa/${'a'.repeat(101)}/https://x.test/`,
    '/mpa/a%2Eb/https://x.test/',
    '/mpa//https://x/',
    '/mpa/a/',
    '/mpa/a/about',
    '/https:///x',
    '/https://',
    '/https:',
    '/https://[::/',
    '/https://a b/',
    '/__blank/x',
    '/__blob/',
    '/__blob/ftp/site.test/1',
  ])('[S-006] [M-012] are of pages, and malformed: %s', (path) => {
    expect([pageOfPath(path), isOfPages(path)]).toEqual([undefined, true]);
  });

  it('[S-006] are of pages where they name one', () => {
    const piece = fc.constantFrom(
      '/',
      '/',
      'mpa',
      'mpa/',
      'a.b',
      'a',
      'https:',
      'HTTP://',
      '__blob/',
      'null',
      '__blank',
      '?',
      '#',
      'x.test',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = `/${pieces.join('')}`;
        expect(pageOfPath(path) === undefined || isOfPages(path)).toBe(true);
      }),
    );
  });

  it('[M-011] have placeholders for addresses that sites make, and for the blank page', () => {
    expect(pathOfPage('blob:https://site.test/0f-1')).toBe('/__blob/https/site.test/0f-1');
    expect(pathOfPage('blob:http://site.test:8080/0f-1')).toBe('/__blob/http/site.test:8080/0f-1');
    expect(pathOfPage('blob:null/0f-1')).toBe('/__blob/null/0f-1');
    expect(pathOfPage('about:blank')).toBe('/__blank');
    expect(pathOfPage('', '/mpa/m-1/')).toBe('/mpa/m-1/__blank');
    for (const other of ['chrome-error://chromewebdata/', 'data:text/html,x', 'javascript:1', 'about:srcdoc', 'blob:x'])
      expect(pathOfPage(other)).toBe('/__blank');
  });

  it('convert back to the page', () => {
    const pages = [
      'https://site.test/a%2Fb;c?d=%26&e#f',
      'http://[::1]:8080/',
      'https://xn--bcher-kva.test/?',
      'https://site.test/?a?b#c#d',
      'blob:https://site.test/0f-1',
      'blob:http://site.test:8080/0f-1',
      'blob:null/0f-1',
      'about:blank',
      'about:blank#a',
    ];
    for (const page of pages)
      for (const prefix of ['/', '/mpa/app/'])
        expect(pageOfPath(pathOfPage(page, prefix))).toMatchObject({ url: page, prefix });
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (page) => {
        expect(url(pathOfPage(page))).toBe(new URL(page).href);
      }),
    );
  });
});

describe('parameters of the service', () => {
  it('[S-096] are no part of the page, whichever they are', () => {
    expect(url('/https://site.test/?_sv_p_id=1')).toBe('https://site.test/');
    expect(url('/https://site.test/?a=%20+&_sv_p_id=1&b#_sv_p_id=2')).toBe('https://site.test/?a=%20+&b#_sv_p_id=2');
    expect(url('/https://site.test/?_sv_force_isolate=1&_sv_p_id=7&_sv_other&a=1')).toBe('https://site.test/?a=1');
    expect(url('/https://site.test/?%5Fsv_p_id=7&%5f%73v_x&%=1&%5Fsw=2')).toBe('https://site.test/?%=1&%5Fsw=2');
    expect(url('/https://site.test/?&_sv_p_id=1')).toBe('https://site.test/?');
    expect(url('/https://site.test/?&a=1&_sv_p_id=1')).toBe('https://site.test/?&a=1');
    expect(url('/https://site.test/?x_sv_p_id=1')).toBe('https://site.test/?x_sv_p_id=1');
    expect(url('/https://site.test/_sv_p_id=1')).toBe('https://site.test/_sv_p_id=1');
    expect(pathOfPage('https://site.test/?_sv_p_id=1&a?b')).toBe('/https://site.test/?a?b');
    expect(withoutOwnParameters('https://site.test/?_sv_p_id=1&b=2#c')).toBe('https://site.test/?b=2#c');
  });

  it('[S-096] are read from the path', () => {
    const own = pageOfPath('/https://site.test/?_sv_p_id=a=b&x=1&_sv_force_isolate&_sv_p_id=2#_sv_z=1')?.own;
    expect([...(own ?? [])]).toEqual([
      ['_sv_p_id', 'a=b'],
      ['_sv_force_isolate', ''],
    ]);
  });

  it('are added before the fragment', () => {
    expect(withOwnParameter('/https://site.test/a#b#c', '_sv_p_id', '7')).toBe('/https://site.test/a?_sv_p_id=7#b#c');
    expect(withOwnParameter('/__blank?x', '_sv_p_id', '7')).toBe('/__blank?x&_sv_p_id=7');
  });
});
