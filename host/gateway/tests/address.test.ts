import { describe, expect, it } from 'vitest';
import { looksLikePage, typedAddress } from '../address.ts';

describe('page addresses', () => {
  it('treats malformed page addresses as pages, so that they get a proper answer', () => {
    for (const path of ['/https://[::/', '/mpa/a/https:/x', '/__blank?_sv_p_id=1', '/mpa/a/__blob/https/site.test/1'])
      expect(looksLikePage(path), path).toBe(true);
    expect(looksLikePage('/__blanks')).toBe(false);
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
