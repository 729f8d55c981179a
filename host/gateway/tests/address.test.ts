import { describe, expect, it } from 'vitest';
import { looksLikePage, pageAddress, typedAddress } from '../address.ts';

describe('page addresses', () => {
  it.each([
    ['/https://example.org/', 'https://example.org/'],
    ['/https:/example.org/a', 'https://example.org/a'],
    ['/http://example.org:8080/a?b=//c&d=%E0', 'http://example.org:8080/a?b=//c&d=%E0'],
    ['/HTTPS://Example.org', 'https://example.org/'],
  ])('reads %s, a collapsed slash included', (target, url) => {
    expect(pageAddress(target)?.url).toBe(url);
  });

  it('[S-008] recognises the multi-page-app prefix with its id', () => {
    expect(pageAddress('/mpa/app-1/https://example.org/x')).toEqual({ url: 'https://example.org/x', mpaId: 'app-1' });
  });

  it.each([
    '/',
    '/r/pair',
    '/ftp://example.org/',
    '/javascript:alert(1)',
    '/https://',
    '/https://[::/',
    '/https://a b/',
    '/mpa//https://x/',
  ])('refuses %s', (target) => {
    expect(pageAddress(target)).toBeUndefined();
  });

  it('treats malformed page addresses as pages, so that they get a proper answer', () => {
    expect(looksLikePage('/https://[::/')).toBe(true);
    expect(looksLikePage('/safeview-static/app/x.js')).toBe(false);
  });
});

describe('typed addresses', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['  example.org/a?b  ', 'https://example.org/a?b'],
    ['example.org:8443/x', 'https://example.org:8443/x'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1:8200/feat', 'http://127.0.0.1:8200/feat'],
    ['[::1]:80/', 'http://[::1]/'],
    ['http://example.org', 'http://example.org/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
  ])('completes %s', (typed, url) => {
    expect(typedAddress(typed)).toBe(url);
  });

  it.each([
    '',
    '   ',
    'two words',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://x/',
    'data:text/html,x',
    'https://',
    'http://[::',
  ])('refuses %j', (typed) => {
    expect(typedAddress(typed)).toBeUndefined();
  });
});
