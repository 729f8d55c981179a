import { describe, expect, it } from 'vitest';
import { allowedLink, isolatedPath, isStrictAddress, pageOfPath } from '../addresses.ts';

const BASE = 'https://site.test/folder/page?q#h';

describe('links', () => {
  it('[S-081] may be relative, or web addresses', () => {
    expect(allowedLink('next', BASE)).toBe('https://site.test/folder/next');
    expect(allowedLink('/top?a=1#b', BASE)).toBe('https://site.test/top?a=1#b');
    expect(allowedLink('//other.test/x', BASE)).toBe('https://other.test/x');
    expect(allowedLink('  http://other.test/ \n', BASE)).toBe('http://other.test/');
    expect(allowedLink('HTTPS://OTHER.test', BASE)).toBe('https://other.test/');
  });

  it('[S-081] may be those of applications whose prefix is among the capabilities', () => {
    const context = { applicationLinks: ['tel:', 'zoommtg://'] };
    expect(allowedLink(' tel:+43123 ', BASE, context)).toBe('tel:+43123');
    expect(allowedLink('zoommtg://join?x=1', BASE, context)).toBe('zoommtg://join?x=1');
    expect(allowedLink('zoommtg:join', BASE, context)).toBeUndefined();
    expect(allowedLink('mailto:a@b.test', BASE, context)).toBeUndefined();
    expect(allowedLink('tel:+43123', BASE)).toBeUndefined();
    expect(allowedLink('tel:+43123', BASE, { applicationLinks: [''] })).toBeUndefined();
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'blob:https://site.test/1',
    'vbscript:x',
    'file:///etc/passwd',
    'https://',
    'http://[bad',
  ])('[S-081] may not be %j, regardless of capabilities', (link) => {
    expect(allowedLink(link, BASE)).toBeUndefined();
    expect(
      allowedLink(link, BASE, { applicationLinks: ['java', 'Java', 'data:', 'blob:', 'v', 'file:'] }),
    ).toBeUndefined();
  });

  it('[S-082] are https or data where the strict check is requested', () => {
    expect(isStrictAddress(' https://site.test/ ')).toBe(true);
    expect(isStrictAddress('data:image/png;base64,AA')).toBe(true);
    for (const other of ['http://site.test/', '/path', '', 'blob:https://site.test/1', 'javascript:1', 'about:blank'])
      expect(isStrictAddress(other), other).toBe(false);
  });
});

describe('paths of the host', () => {
  it('[M-012] are below the multi-page app, or below a slash', () => {
    expect(isolatedPath('https://site.test/a?b#c')).toBe('/https://site.test/a?b#c');
    expect(isolatedPath('https://site.test/a?b#c', { mpaId: 'm-1' })).toBe('/mpa/m-1/https://site.test/a?b#c');
  });

  it('[M-011] have placeholders for blob addresses and the blank page', () => {
    expect(isolatedPath('blob:https://site.test/0f-1')).toBe('/__blob/https/site.test/0f-1');
    expect(isolatedPath('blob:http://site.test:8080/0f-1')).toBe('/__blob/http/site.test:8080/0f-1');
    expect(isolatedPath('about:blank')).toBe('/__blank');
    expect(isolatedPath('', { mpaId: 'm-1' })).toBe('/mpa/m-1/__blank');
  });

  it('[S-096] lose their prefix, and parameters of the service', () => {
    expect(pageOfPath('/https://site.test/a?b#c')).toBe('https://site.test/a?b#c');
    expect(pageOfPath('/https:/site.test/a')).toBe('https://site.test/a');
    expect(pageOfPath('/mpa/m-1/http://site.test/')).toBe('http://site.test/');
    expect(pageOfPath('/https://site.test/?_sv_p_id=1')).toBe('https://site.test/');
    expect(pageOfPath('/https://site.test/?a=%20+&_sv_p_id=1&b#_sv_p_id=2')).toBe(
      'https://site.test/?a=%20+&b#_sv_p_id=2',
    );
    expect(pageOfPath('/https://site.test/?x_sv_p_id=1')).toBe('https://site.test/?x_sv_p_id=1');
    expect(isolatedPath('https://site.test/?_sv_p_id=1&a?b')).toBe('/https://site.test/?a?b');
  });

  it.each([
    '/',
    '/about',
    '/ftp://site.test/',
    '/javascript:alert(1)',
    '/mpa/a b/https://x.test/',
    '/https:///x',
    'https',
  ])('name no page: %s', (path) => {
    expect(pageOfPath(path)).toBeUndefined();
  });

  it('convert back to the original page', () => {
    for (const page of ['https://site.test/a%2Fb;c?d=%26&e#f', 'http://[::1]:8080/', 'https://xn--bcher-kva.test/?'])
      for (const context of [{}, { mpaId: 'app' }]) expect(pageOfPath(isolatedPath(page, context))).toBe(page);
  });
});
