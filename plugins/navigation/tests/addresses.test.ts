import { describe, expect, it } from 'vitest';
import { allowedLink } from '../addresses.ts';

const BASE = 'https://site.test/folder/page?q#h';

describe('links', () => {
  it('[S-081] may be relative, or web addresses', () => {
    expect(allowedLink('next', BASE)).toBe('https://site.test/folder/next');
    expect(allowedLink('/top?a=1#b', BASE)).toBe('https://site.test/top?a=1#b');
    expect(allowedLink('//other.test/x', BASE)).toBe('https://other.test/x');
    expect(allowedLink('  http://other.test/ \n', BASE)).toBe('http://other.test/');
    expect(allowedLink('HTTPS://OTHER.test', BASE)).toBe('https://other.test/');
  });

  it('[S-096] lose the prefix of the host, and parameters of the service', () => {
    expect(allowedLink('/https://other.test/a?b#c', BASE)).toBe('https://other.test/a?b#c');
    expect(allowedLink('/mpa/m-1/http:/other.test/?_sv_p_id=7&a=1', BASE)).toBe('http://other.test/?a=1');
    expect(allowedLink('https://other.test/?a=1&_sv_p_id=7', BASE)).toBe('https://other.test/?a=1');
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
    '/__blank',
    '/__blob/https/site.test/1',
  ])('[S-081] may not be %j', (link) => {
    expect(allowedLink(link, BASE)).toBeUndefined();
  });
});
