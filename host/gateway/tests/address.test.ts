import { describe, expect, it } from 'vitest';
import { typedAddress } from '../address.ts';

describe('typed addresses', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['  example.org/a?b  ', 'https://example.org/a?b'],
    ['example.org:8443/x', 'https://example.org:8443/x'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1:8200/feat', 'http://127.0.0.1:8200/feat'],
    ['[::1]:80/', 'http://[::1]/'],
    ['http://example.org', 'http://example.org/'],
    ['HTTPS://example.org', 'https://example.org/'],
    ['//example.org/a', 'https://example.org/a'],
    ['///example.org', 'https://example.org/'],
    ['example.org/?to=javascript:x', 'https://example.org/?to=javascript:x'],
    ['localhost', 'http://localhost/'],
    ['LOCALHOST/x', 'http://localhost/x'],
    ['10.1.2.3?x', 'http://10.1.2.3/?x'],
    ['localhost.example', 'https://localhost.example/'],
    ['bücher.example', 'https://xn--bcher-kva.example/'],
  ])('completes %s', (typed, url) => {
    expect(typedAddress(typed)).toBe(url);
  });

  it.each([
    '',
    '   ',
    'two words',
    'example.org/two words',
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
