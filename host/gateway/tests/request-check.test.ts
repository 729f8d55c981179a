import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../core/protocol/errors.ts';
import { checkRequest } from '../request-check.ts';
import type { Framers } from '../request-check.ts';

function outcome(headers: Record<string, string>, method = 'GET', origins: string[] = [], framers?: Framers): string {
  try {
    checkRequest(headers, method, { origins, ...(framers && { framers }) });
    return 'accepted';
  } catch (thrown) {
    return (thrown as AppError).code;
  }
}

describe('host names', () => {
  it.each(['localhost:7700', 'localhost:8080', 'LOCALHOST', '127.0.0.1:7700', '[::1]:7700', '10.1.2.3:80'])(
    'answers to %s',
    (host) => {
      expect(outcome({ host })).toBe('accepted');
    },
  );

  it.each([
    'evil.example',
    'localhost.evil.example:7700',
    '',
    'a b',
    'localhost:7700@evil.example',
    'evil.example@localhost:7700',
    'localhost/x',
    '127.0.0.1?x',
    'x/y',
    '127.0.0.1.evil.example',
  ])('refuses the rebindable or malformed name %j', (host) => {
    expect(outcome({ host })).toBe('foreign-host');
  });

  it('answers to a configured public name', () => {
    expect(outcome({ host: 'vitrine.example' }, 'GET', ['https://vitrine.example'])).toBe('accepted');
    for (const other of ['other.example', 'www.vitrine.example', 'vitrine.example.evil.example'])
      expect(outcome({ host: other }, 'GET', ['https://vitrine.example'])).toBe('foreign-host');
  });
});

describe('origins', () => {
  const host = 'localhost:7700';

  it('accepts our own origin', () => {
    expect(outcome({ host, origin: 'http://localhost:7700' }, 'POST')).toBe('accepted');
  });

  it('accepts another of our origins, as it is configured', () => {
    const origins = ['https://vitrine.example'];
    expect(outcome({ host, origin: 'https://vitrine.example' }, 'POST', origins)).toBe('accepted');
    expect(outcome({ host, origin: 'http://vitrine.example' }, 'POST', origins)).toBe('foreign-origin');
  });

  it.each(['http://localhost:7701', 'http://evil.example', 'null', 'http://127.0.0.1:7700'])('refuses %s', (origin) => {
    expect(outcome({ host, origin }, 'POST')).toBe('foreign-origin');
  });

  it('refuses requests embedded by another site, and allows links', () => {
    const site = { host, 'sec-fetch-site': 'cross-site' };
    expect(outcome({ ...site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' })).toBe('cross-site');
    expect(outcome({ ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe('cross-site');
    expect(outcome({ ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe('accepted');
    expect(outcome({ ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'HEAD')).toBe('accepted');
    expect(outcome({ ...site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 'POST')).toBe('cross-site');
  });

  it('lets another site frame only documents that declare it themselves', () => {
    const framed = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect(outcome(framed, 'GET', [], 'anybody')).toBe('accepted');
    expect(outcome(framed, 'POST', [], 'anybody')).toBe('cross-site');
    expect(outcome({ ...framed, 'sec-fetch-dest': 'embed' }, 'GET', [], 'anybody')).toBe('cross-site');
    expect(outcome({ ...framed, 'sec-fetch-mode': 'no-cors' }, 'GET', [], 'anybody')).toBe('cross-site');
  });

  it('lets other origins of the same site alone frame a document that needs cookies', () => {
    const framed = { host, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    const from = (site: string, framers: Framers) => outcome({ ...framed, 'sec-fetch-site': site }, 'GET', [], framers);
    expect([from('same-site', 'same-site'), from('cross-site', 'same-site')]).toEqual(['accepted', 'cross-site']);
    expect(from('same-site', 'nobody')).toBe('cross-site');
  });
});
