import { describe, expect, it } from 'vitest';
import { allowedPage } from '../addresses.ts';

const BASE = 'https://site.test/folder/page?q#h';

describe('links', () => {
  it('[S-081] may be relative, or web addresses', () => {
    expect(allowedPage('next', BASE)).toBe('https://site.test/folder/next');
    expect(allowedPage('/top?a=1#b', BASE)).toBe('https://site.test/top?a=1#b');
    expect(allowedPage('//other.test/x', BASE)).toBe('https://other.test/x');
    expect(allowedPage('  http://other.test/ \n', BASE)).toBe('http://other.test/');
    expect(allowedPage('HTTPS://OTHER.test', BASE)).toBe('https://other.test/');
  });

  it('[S-096] lose the prefix of the host, and parameters of the service', () => {
    expect(allowedPage('/https://other.test/a?b#c', BASE)).toBe('https://other.test/a?b#c');
    expect(allowedPage('/mpa/m-1/http:/other.test/?_sv_p_id=7&a=1', BASE)).toBe('http://other.test/?a=1');
    expect(allowedPage('https://other.test/?a=1&_sv_p_id=7', BASE)).toBe('https://other.test/?a=1');
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
    'tel:1',
    'https://',
    'http://[bad',
  ])('[S-081] may not be %j', (link) => {
    expect(allowedPage(link, BASE)).toBeUndefined();
  });
});
